// A toast in the queue, and the order of two toasts.
import { TOAST_DURATION_MS } from '../constants.ts'
import type { ToastRequest, ToastUrgency, ToastView } from './toast.ts'

/** The content of a request, with defaults. */
export interface ToastContent extends Omit<ToastRequest, 'id'> {
  durationMs: number
  urgency: ToastUrgency
}

/** A toast in the queue: from its request to its removal. */
export interface ToastItem extends ToastContent {
  readonly id: string
  count: number
  phase: 'waiting' | 'shown' | 'leaving'
  /** Milliseconds to the end of its phase. */
  leftMs: number
  /** Milliseconds for which it is shown again after making room for another toast. 0: it is not shown again. */
  comesBackForMs: number
  announced: string | undefined
  /** Its last drawn view. */
  view: ToastView | undefined
}

/** Creates a waiting toast. */
export function createItem(request: ToastRequest, defaultId: string): ToastItem {
  const content = contentOf(request)
  return {
    ...content,
    id: request.id ?? defaultId,
    count: 1,
    phase: 'waiting',
    leftMs: content.durationMs,
    comesBackForMs: 0,
    announced: undefined,
    view: undefined,
  }
}

export const isEndless = ({ durationMs }: ToastItem) => durationMs === Infinity

/** The most urgent first; of equals, those that hide automatically. */
export const byUrgency = (a: ToastItem, b: ToastItem) =>
  a.urgency - b.urgency || Number(isEndless(a)) - Number(isEndless(b))

/** The content of a request, with defaults. */
export function contentOf(request: ToastRequest): ToastContent {
  const { kind, text, action, announcement, onClose, leftPart, durationMs = 0 } = request
  const usualMs = kind === 'loading' || action ? Infinity : TOAST_DURATION_MS
  return {
    kind,
    text,
    action,
    announcement,
    onClose,
    leftPart,
    durationMs: durationMs > 0 ? durationMs : usualMs,
    urgency: request.urgency ?? (kind === 'error' ? 1 : 2),
  }
}
