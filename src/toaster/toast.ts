// What a toast is: as an app asks for it, and as it is drawn (contract §9).

/** What a toast says: its icon, its colour and how it is announced. */
export type ToastKind = 'success' | 'error' | 'info' | 'loading'

/** A button in a toast. */
export interface ToastAction {
  /** The words on the button. */
  readonly label: string
  /** Called when it is used; the toast closes then. */
  onClick(): void
}

/** 0 must be seen at once (the idle countdown), 1 is an error or as important as one, 2 is everything else. */
export type ToastUrgency = 0 | 1 | 2

/** A toast as it is asked for; its text is clean already. */
export interface ToastRequest {
  kind: ToastKind
  text: string
  /** Replaces the toast of this id. */
  id?: string | undefined
  /** Default: 5 s; `Infinity` for `loading` and for toasts with an action. */
  durationMs?: number | undefined
  action?: ToastAction | undefined
  /** Default: 1 for errors, else 2. */
  urgency?: ToastUrgency | undefined
  /** Spoken in place of the text, once, however often the text changes. */
  announcement?: string | undefined
  /** Called in place of closing. */
  onClose?: (() => void) | undefined
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
