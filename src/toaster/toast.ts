// Types of a toast: as requested and as shown.

/** Decides the icon, the colour and the announcement of a toast. */
export type ToastKind = 'success' | 'error' | 'info' | 'loading'

/** A button in a toast. */
export interface ToastAction {
  /** Text of the button. */
  readonly label: string
  /** Called on click. The toast closes too. */
  onClick(): void
}

/** A requested toast. */
export interface ToastRequest {
  kind: ToastKind
  text: string
  /** Replaces the toast of this id, shown or waiting. Default: a new id. */
  id?: string | undefined
  /** How long it is shown, in milliseconds. Default: 5000; `Infinity` for `loading` and for toasts with an action. */
  durationMs?: number | undefined
  /** A button; using it closes the toast. */
  action?: ToastAction | undefined
  /** 0: shown at once. 1: errors and equally important notices. 2: all others. Default: 1 for errors, else 2. */
  urgency?: 0 | 1 | 2 | undefined
  /** Called when the user closes it, instead of closing. */
  onClose?: (() => void) | undefined
  /** Of a countdown: the part of its time that is left, 0 to 1. */
  leftPart?: number | undefined
}

/** A toast from its request to its removal. */
export interface Toast extends ToastRequest {
  readonly id: string
  durationMs: number
  urgency: 0 | 1 | 2
  /** How often the same text was requested. */
  count: number
  /** Whether it was announced already. */
  isSilent: boolean
}
