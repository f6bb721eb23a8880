// A toast between being asked for and being gone, and which of two goes first (contract §9).
import { TOAST_DURATION_MS } from '../constants.ts'
import type { ToastRequest, ToastUrgency, ToastView } from './toast.ts'

/** What a request settles, defaults filled in. */
export interface ToastContent extends Omit<ToastRequest, 'id'> {
  durationMs: number
  urgency: ToastUrgency
}

/** A toast between being asked for and being gone. */
export interface ToastItem extends ToastContent {
  readonly id: string
  count: number
  phase: 'waiting' | 'shown' | 'leaving'
  /** Time to the end of its phase. */
  leftMs: number
  /** It leaves only to make room, and waits for this much more time on the page. 0: it leaves for good. */
  comesBackForMs: number
  announced: string | undefined
  /** What was drawn of it last. */
  view: ToastView | undefined
}

/** A new toast, which waits. */
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

/** The most urgent first; of equals, those that end by themselves. */
export const byUrgency = (a: ToastItem, b: ToastItem) =>
  a.urgency - b.urgency || Number(isEndless(a)) - Number(isEndless(b))

/** What a request settles, defaults filled in. */
export function contentOf(request: ToastRequest): ToastContent {
  const { kind, text, action, announcement, onClose, durationMs = 0 } = request
  const usualMs = kind === 'loading' || action ? Infinity : TOAST_DURATION_MS
  return {
    kind,
    text,
    action,
    announcement,
    onClose,
    durationMs: durationMs > 0 ? durationMs : usualMs,
    urgency: request.urgency ?? (kind === 'error' ? 1 : 2),
  }
}
