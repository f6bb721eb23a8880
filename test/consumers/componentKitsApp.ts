// An app with a modal of each component kit, and a half-filled form in it. What is around the kits is docs/componentKits.md.

/** The kits, the files of their modals, and what each needs beside React. */
export const KITS = {
  radix: {
    packages: ['radix-ui@1.8.1'],
    code: `import { Dialog } from 'radix-ui'
import type { ModalProps } from '../modal'

const FIXED = { position: 'fixed', background: '#fff', padding: 24 } as const

export const Modal = ({ isOpen, onOpenChange, children }: ModalProps) => (
  <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <Dialog.Overlay style={{ position: 'fixed', inset: 0, background: '#0006' }} />
      <Dialog.Content aria-describedby={undefined} style={{ ...FIXED, inset: '25% 25% auto' }}>
        <Dialog.Title>Invoice</Dialog.Title>
        {children}
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
)
`,
  },
  mui: {
    packages: ['@mui/material@9.5.0', '@emotion/react@11.14.0', '@emotion/styled@11.14.1'],
    code: `import { Dialog, DialogContent, DialogTitle } from '@mui/material'
import type { ModalProps } from '../modal'

export const Modal = ({ isOpen, onOpenChange, children }: ModalProps) => (
  <Dialog open={isOpen} onClose={() => onOpenChange(false)}>
    <DialogTitle>Invoice</DialogTitle>
    <DialogContent>{children}</DialogContent>
  </Dialog>
)
`,
  },
  antd: {
    packages: ['antd@6.6.8'],
    code: `import { Modal as Dialog } from 'antd'
import type { ModalProps } from '../modal'

export const Modal = ({ isOpen, onOpenChange, children }: ModalProps) => (
  <Dialog open={isOpen} onCancel={() => onOpenChange(false)} title="Invoice" footer={null} destroyOnHidden>
    {children}
  </Dialog>
)
`,
  },
  mantine: {
    packages: ['@mantine/core@9.8.1', '@mantine/hooks@9.8.1'],
    code: `import '@mantine/core/styles.css'
import { MantineProvider, Modal as Dialog } from '@mantine/core'
import type { ModalProps } from '../modal'

export const Modal = ({ isOpen, onOpenChange, children }: ModalProps) => (
  <MantineProvider>
    <Dialog opened={isOpen} onClose={() => onOpenChange(false)} title="Invoice">
      {children}
    </Dialog>
  </MantineProvider>
)
`,
  },
} as const

export type Kit = keyof typeof KITS

/** The app around the modals: the path names the kit. */
export const KITS_APP: Readonly<Record<string, string>> = {
  'src/modal.ts': `import type { ReactNode } from 'react'

export interface ModalProps {
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
  children: ReactNode
}
`,
  'src/screens.tsx': `import { lazy, Suspense, useState } from 'react'

const KITS = import.meta.glob('./kits/*.tsx', { import: 'Modal' })
const Modal = lazy(async () => ({ default: (await KITS[\`./kits\${location.pathname}.tsx\`]()) as never }))

export function Screens() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Suspense>
      <button type="button" onClick={() => setOpen(true)}>New invoice</button>
      <Modal isOpen={isOpen} onOpenChange={setOpen}>
        <label>Amount <input /></label>
      </Modal>
    </Suspense>
  )
}
`,
  'src/main.tsx': `import { notify } from 'latchkey'
import { createRoot } from 'react-dom/client'
import { App } from './App'
import { auth } from './auth'
import { Screens } from './screens'

// What the check does in place of the app's own code.
Object.assign(window, { auth, notify })
createRoot(document.querySelector('#root')!).render(<App><Screens /></App>)
`,
}
