'use client'
// Draws one toast: an icon for its kind, its text, its count, its action and its close button.
import { type ReactNode, useState } from 'react'
import { useSay } from '../provider/context.ts'
import type { Toast, ToastKind } from './toast.ts'
import { toastQueue } from './toastQueue.ts'

// Shapes, not only colours: a check mark, an exclamation mark, an i, an open ring.
const RING = 'M10 2a8 8 0 1 0 0 16a8 8 0 1 0 0-16'
const ICONS: Record<ToastKind, string> = {
  success: `${RING}M6.5 10.5l2.5 2.5 4.5-6`,
  error: `${RING}M10 6v4.5M10 13.8v.2`,
  info: `${RING}M10 9.5v4.5M10 6v.2`,
  loading: 'M10 2a8 8 0 1 1-8 8',
}

/** Only the text is announced, when it arrives in the live region around it. */
export function ToastCard({ toast, isLeaving }: { toast: Toast; isLeaving: boolean }): ReactNode {
  const say = useSay()
  const { id, kind, text, count, action, leftPart, isSilent } = toast
  const [first] = useState(toast)
  const isTicking = leftPart !== undefined && text !== first.text
  const close = () => toastQueue.closeByUser(id)
  const act = () => {
    close()
    action?.onClick()
  }
  return (
    <li
      className="latchkey-toast"
      data-id={id}
      data-kind={kind}
      data-leaving={isLeaving || undefined}
      data-countdown={leftPart !== undefined || undefined}
      aria-live={isSilent ? 'off' : undefined}
    >
      {leftPart === undefined ? <Drawing path={ICONS[kind]} /> : <TimeLeft part={leftPart} />}
      <div className="latchkey-toast-body">
        <span dir="auto" aria-live={isTicking ? 'off' : undefined}>
          {text}
        </span>
        {count > 1 && (
          <b className="latchkey-toast-count" aria-live="off">
            ×{count}
          </b>
        )}
        {action && (
          <button type="button" className="latchkey-button" aria-live="off" onClick={act}>
            {action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        className="latchkey-toast-close"
        aria-live="off"
        // The close button of a countdown keeps its name.
        aria-label={say('closeToast', { text: isTicking ? first.text : text })}
        onClick={close}
      >
        <Drawing path="M6 6l8 8M14 6l-8 8" />
      </button>
    </li>
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
