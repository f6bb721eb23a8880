// The words that the parts of the toaster share: what is asked for, what is drawn, where it is put (contract §9).
import { TOAST_DURATION_MS } from '../constants.ts'
import type { Platform } from '../session/platform.ts'

/** What a toast tells: its icon, its colour and how it is announced. */
export type ToastKind = 'success' | 'error' | 'info' | 'loading'

/** A button in a toast. */
export interface ToastAction {
  /** The words on the button. */
  readonly label: string
  /** Called when it is used; the toast closes then. */
  onClick(): void
}

/** A toast as it is drawn. */
export interface ToastView {
  readonly id: string
  readonly kind: ToastKind
  readonly text: string
  /** What it was announced as: stays while a countdown's text changes. */
  readonly label: string
  /** How often the same text came. */
  readonly count: number
  readonly action: ToastAction | undefined
  /** Called in place of closing. */
  readonly onClose: (() => void) | undefined
}

/** A toast as it is asked for; its text is clean already. */
export interface ToastRequest {
  kind: ToastKind
  text: string
  /** Replaces the toast of this name. */
  id?: string | undefined
  /** Default: 5 s; endless for `loading` and for toasts with an action. */
  durationMs?: number | undefined
  action?: ToastAction | undefined
  /** Who comes first: 0 never waits, 1 as errors do, 2 as the others do. */
  rank?: ToastRank | undefined
  /** Spoken in place of the text, once, however often the text changes. */
  announcement?: string | undefined
  onClose?: (() => void) | undefined
}

export type ToastRank = 0 | 1 | 2

/** A toast between being asked for and being gone. */
export interface ToastItem {
  readonly id: string
  kind: ToastKind
  text: string
  count: number
  durationMs: number
  action: ToastAction | undefined
  rank: ToastRank
  announcement: string | undefined
  onClose: (() => void) | undefined
  phase: 'waiting' | 'shown' | 'leaving'
  /** Time to the end of its phase; endless toasts have turns. */
  leftMs: number
  /** It leaves only to let others be seen, and then waits for a turn this long. */
  comesBackForMs: number
  announced: string | undefined
  /** What was drawn of it last. */
  view: ToastView | undefined
}

/** Where toasts are put; react-hot-toast's store. */
export interface ToastStage {
  put(view: ToastView): void
  /** The toast is on its way out, but still there. */
  leave(id: string): void
  remove(id: string): void
}

/** Who draws the toasts. */
export interface ToastOwner {
  readonly platform: Pick<Platform, 'monotonicNow' | 'setTimer' | 'on' | 'isVisible'>
  /** The text that stands for toasts which were too many. */
  more(count: number): string
}

/** What is said to people who do not see the toasts. */
export interface ToastAnnouncement {
  readonly key: string
  readonly text: string
  readonly isUrgent: boolean
}

/** What stands beside the toasts. */
export interface ToastSurroundings {
  /** Who draws; the others draw nothing. */
  readonly owner: ToastOwner | undefined
  readonly waitingCount: number
  readonly announcements: readonly ToastAnnouncement[]
}

export type PauseReason = 'hover' | 'focus' | 'hidden'

/** What a request settles of an item, defaults filled in. */
export function contentOf(
  request: ToastRequest,
): Pick<ToastItem, 'kind' | 'text' | 'durationMs' | 'action' | 'rank' | 'announcement' | 'onClose'> {
  const { kind, text, durationMs = 0, action, announcement, onClose } = request
  const isEndless = kind === 'loading' || action !== undefined
  const usualMs = isEndless ? Infinity : TOAST_DURATION_MS
  return {
    kind,
    text,
    action,
    announcement,
    onClose,
    durationMs: durationMs > 0 ? durationMs : usualMs,
    rank: request.rank ?? (kind === 'error' ? 1 : 2),
  }
}

/** How long it may stand before it goes, or before it takes turns. */
export function turnMs({ durationMs }: Pick<ToastItem, 'durationMs'>): number {
  return durationMs < Infinity ? durationMs : TOAST_DURATION_MS
}
