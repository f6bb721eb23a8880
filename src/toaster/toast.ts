// Types of a toast: as requested and as drawn.

/** Decides the icon, the colour and the announcement of a toast. */
export type ToastKind = 'success' | 'error' | 'info' | 'loading'

/** A button in a toast. */
export interface ToastAction {
  /** Text of the button. */
  readonly label: string
  /** Called on click. The toast closes too. */
  onClick(): void
}

/** 0: shown at once (the idle countdown). 1: errors and equally important notices. 2: all others. */
export type ToastUrgency = 0 | 1 | 2

/** A requested toast. Its text is cleaned already. */
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
  /** Announced instead of the text, once, also if the text changes. */
  announcement?: string | undefined
  /** Called instead of closing. */
  onClose?: (() => void) | undefined
  /** Of a countdown: the part of its time that is left, 0 to 1; a ring in place of the icon, and larger letters. */
  leftPart?: number | undefined
}

/** A drawn toast. */
export interface ToastView {
  readonly id: string
  readonly kind: ToastKind
  readonly text: string
  /** The announced text. It stays the same while a countdown changes. */
  readonly label: string
  /** How often the same text was requested. */
  readonly count: number
  readonly action: ToastAction | undefined
  /** Called instead of closing. */
  readonly onClose: (() => void) | undefined
  readonly leftPart: number | undefined
}
