'use client'
// Provides `notify` and the toasts of this page, in a toaster id of their own in react-hot-toast.
import { toast } from 'react-hot-toast/headless'
import { invalidArgument } from '../base/sessionErrors.ts'
import { isBrowser } from '../session/platform/browserPlatform.ts'
import type { ToastKind, ToastRequest } from './toast.ts'
import { ToastCard } from './ToastCard.tsx'
import { createToastQueue, type ToastQueue } from './toastQueue.ts'
import { EXIT_MS } from './toastStyle.ts'
import { cleanText } from '../protocol/redaction.ts'

/** The id of latchkey's toaster in react-hot-toast. Toasters of the app have other ids. */
export const TOASTER_ID = 'latchkey'

const POLITE = { role: 'status', 'aria-live': 'polite' } as const
const URGENT = { role: 'alert', 'aria-live': 'assertive' } as const

/** The toasts of this page. */
export const toastQueue: ToastQueue = /* @__PURE__ */ createToastQueue({
  put(shown) {
    const { id, durationMs: duration, kind, urgency } = shown
    const close = () => toastQueue.closeByUser(id)
    const draw = ({ visible }: { visible: boolean }) => (
      <ToastCard toast={shown} isLeaving={!visible} onClose={close} />
    )
    const ariaProps = kind === 'error' || urgency === 0 ? URGENT : POLITE
    toast.custom(draw, { id, duration, ariaProps, removeDelay: EXIT_MS, toasterId: TOASTER_ID })
    return draw
  },
  dismiss: (id) => toast.dismiss(id, TOASTER_ID),
  remove: (id) => toast.remove(id, TOASTER_ID),
})

/** Options of one toast. */
export interface NotifyOptions extends Pick<ToastRequest, 'id' | 'durationMs' | 'action'> {}

/** Shows a text; returns the id of the toast. */
export type NotifyFunction = (text: string, options?: NotifyOptions) => string

/** Shows toasts from anywhere, in components or plain functions. */
export interface Notify {
  /** Success. Announced politely; hidden after 5 s. */
  success: NotifyFunction
  /** Failure. Announced assertively; hidden after 5 s. */
  error: NotifyFunction
  /** Information. Announced politely; hidden after 5 s. */
  info: NotifyFunction
  /** Work in progress. Shown until it is replaced by its id or dismissed. */
  loading: NotifyFunction
  /** Closes one toast, or all toasts of latchkey. Other toasts of react-hot-toast are unaffected. */
  dismiss(id?: string): void
}

const as =
  (kind: ToastKind): NotifyFunction =>
  (text, { id, durationMs, action } = {}) => {
    if (typeof text !== 'string') throw invalidArgument('A toast needs a text', 'Pass a string to notify.')
    const line = cleanText(text)
    // A server has no page, and all users would share the queue.
    if (!isBrowser || line === '') return id ?? ''
    return toastQueue.add({ kind, text: line, id, durationMs, action })
  }

/**
 * Shows a toast in the `<AuthToaster />`: text only, at most three at a time, repeated texts once with a count. Calls made
 * before the toaster mounts are queued.
 *
 * @throws AuthError `invalid-argument` when the text is not a string
 * @example
 * const id = notify.loading('Saving the firm')
 * notify.success('Firm saved', { id })
 */
export const notify: Notify = {
  success: /* @__PURE__ */ as('success'),
  error: /* @__PURE__ */ as('error'),
  info: /* @__PURE__ */ as('info'),
  loading: /* @__PURE__ */ as('loading'),
  dismiss: (id) => (id === undefined ? toastQueue.closeAll() : toastQueue.close(id)),
}
