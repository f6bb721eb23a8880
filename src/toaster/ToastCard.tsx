'use client'
// Draws one toast: an icon for its kind, its text, its count, its action and its close button.
import { createContext, type ReactNode, useContext } from 'react'
import type { ToastKind, ToastView } from './toast.ts'

/** What the toaster provides to its toasts. */
export interface ToastTools {
  close(id: string): void
  closeLabel(text: string): string
}

export const ToastToolsContext: React.Context<ToastTools | undefined> = createContext<ToastTools | undefined>(
  undefined,
)

// Shapes, not only colours: a check mark, an exclamation mark, an i, an open ring.
const RING = 'M10 2a8 8 0 1 0 0 16a8 8 0 1 0 0-16'
const ICONS: Record<ToastKind, string> = {
  success: `${RING}M6.5 10.5l2.5 2.5 4.5-6`,
  error: `${RING}M10 6v4.5M10 13.8v.2`,
  info: `${RING}M10 9.5v4.5M10 6v.2`,
  loading: 'M10 2a8 8 0 1 1-8 8',
}

export function ToastCard({ view }: { view: ToastView }): ReactNode {
  const tools = useContext(ToastToolsContext)
  const { id, kind, text, label, count, action, onClose, leftPart } = view
  const close = () => (onClose ? onClose() : tools?.close(id))
  const act = () => {
    tools?.close(id)
    action?.onClick()
  }
  return (
    <div
      className="latchkey-toast-card"
      data-kind={kind}
      data-countdown={leftPart !== undefined || undefined}
    >
      {leftPart === undefined ? <Drawing path={ICONS[kind]} /> : <TimeLeft part={leftPart} />}
      <div className="latchkey-toast-body">
        <span dir="auto">{text}</span>
        {count > 1 && <b className="latchkey-toast-count">×{count}</b>}
        {action && (
          <button type="button" onClick={act}>
            {action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        className="latchkey-toast-close"
        aria-label={tools?.closeLabel(label)}
        onClick={close}
      >
        <Drawing path="M6 6l8 8M14 6l-8 8" />
      </button>
    </div>
  )
}

/** A ring that empties clockwise, from the top. */
function TimeLeft({ part }: { part: number }) {
  return (
    <svg viewBox="0 0 20 20" width="40" height="40" fill="none" stroke="currentColor" aria-hidden="true">
      <path d={RING} strokeWidth="2.4" opacity=".25" />
      <path d={RING} strokeWidth="2.4" pathLength="1" strokeDasharray={`${part} 1`} />
    </svg>
  )
}

function Drawing({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" aria-hidden="true">
      <path d={path} strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
