// The part of the browser that leaves the page with a form; loads with the first one.
import { tellOfStay } from './browserStay.ts'

/** Leaves with a form, for what is too long for an address. `onForbidden`: the page's policy does not allow it. */
export function submitBrowserForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  onForbidden: () => void,
): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  document.body.append(form)
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective === 'form-action') onForbidden()
  })
  tellOfStay()
  form.submit()
}
