// Provides `notify`: toasts from components and plain functions.
import { invalidArgument } from '../base/sessionErrors.ts'
import type { ToastKind, ToastRequest } from './toast.ts'
import { toastQueue } from './toastQueue.ts'

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
    return toastQueue.add({ kind, text, id, durationMs, action })
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
