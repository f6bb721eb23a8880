// The toasts alone on a page, for a test that gives it a policy.
import { createRoot } from 'react-dom/client'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'

const violations: string[] = []
document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
  violations.push(violatedDirective),
)
createRoot(document.querySelector('#root')!).render(<AuthToaster />)
const page = { notify, violations }
export type ToastsPage = typeof page
Object.assign(window, { page })
