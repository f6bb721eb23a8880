// What a button gets while what it has begun is not over: a second press does nothing, and the keyboard stays on it.
import type { MouseEvent } from 'react'

/** A disabled button would lose the focus, and whoever uses a keyboard their place. */
export const atWork = (isBusy: boolean) =>
  isBusy ? { 'aria-disabled': true as const, onClickCapture: ignore } : {}

function ignore(event: MouseEvent) {
  event.preventDefault()
  event.stopPropagation()
}
