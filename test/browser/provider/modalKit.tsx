// A modal that treats the page like Radix, MUI and Mantine: the rest is unreachable, and any attempt to leave closes it.
import { type ReactNode, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

export function KitModal({ onClose, children }: { onClose(how: string): void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const own = box.current!
    const { body } = document
    const isOutside = (event: Event) => !own.contains(event.target as Node)
    // Radix: only the modal receives the pointer.
    body.style.pointerEvents = 'none'
    // MUI: everything else is hidden from screen readers, and stays so.
    const others = [...body.children].filter((other) => other !== own && other.tagName !== 'SCRIPT')
    for (const other of others) other.setAttribute('aria-hidden', 'true')

    const onEscape = (how: string) => (event: KeyboardEvent) => {
      if (event.key === 'Escape') close.current(how)
    }
    const onDocumentEscape = onEscape('Escape on the document')
    const onWindowEscape = onEscape('Escape on the window')
    const onPointerDown = (event: Event) => {
      if (isOutside(event)) close.current(`${event.type} outside`)
    }
    // MUI and Radix: the focus returns to the modal.
    const onFocusIn = (event: Event) => {
      if (isOutside(event)) own.querySelector<HTMLElement>('input')?.focus()
    }
    // Radix: focus that leaves the modal returns at once.
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null && !own.contains(relatedTarget as Node))
        own.querySelector<HTMLElement>('input')?.focus()
    }
    document.addEventListener('keydown', onDocumentEscape, true)
    window.addEventListener('keydown', onWindowEscape, true)
    const OUTSIDE = ['pointerdown', 'mousedown', 'click']
    // The click that opened it is still being dispatched.
    const opening = setTimeout(() => {
      for (const type of OUTSIDE) document.addEventListener(type, onPointerDown)
    })
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('focusout', onFocusOut)
    return () => {
      clearTimeout(opening)
      body.style.pointerEvents = ''
      for (const other of others) other.removeAttribute('aria-hidden')
      document.removeEventListener('keydown', onDocumentEscape, true)
      window.removeEventListener('keydown', onWindowEscape, true)
      for (const type of OUTSIDE) document.removeEventListener(type, onPointerDown)
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('focusout', onFocusOut)
    }
  }, [])
  return createPortal(
    <div
      ref={box}
      role="dialog"
      aria-modal="true"
      aria-label="Invoice"
      tabIndex={-1}
      style={{ position: 'fixed', inset: '10%', zIndex: 1300, background: 'Canvas', pointerEvents: 'auto' }}
      // Ant Design and MUI: Escape inside the modal.
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose('Escape in the modal')
        // All four: Tab does not leave.
        if (event.key === 'Tab') event.preventDefault()
      }}
    >
      {children}
    </div>,
    document.body,
  )
}
