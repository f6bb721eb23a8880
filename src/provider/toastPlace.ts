// Where the toasts stand on the page: above everything, and never with the focus lost in one that has gone (contract §9).

/** Lifts the toasts above dialogs and out of what clips or moves them, where the browser has a top layer. */
export function standOnTop(section: HTMLElement, isNeeded: boolean): void {
  if (typeof section.showPopover !== 'function') return
  section.popover = 'manual'
  const isOpen = section.matches(':popover-open')
  // A dialog that opened after us stands above us; whoever has the focus in here keeps it.
  const isCovered =
    isOpen && section.ownerDocument.querySelector(':modal') !== null && !section.matches(':focus-within')
  if (isOpen && (isCovered || !isNeeded)) section.hidePopover()
  if (isNeeded && (isCovered || !isOpen)) section.showPopover()
}

/** Moves the focus out of a toast that leaves: to the next toast for the keyboard, else to where it came from. */
export function returnFocus(row: HTMLElement, cameFrom: EventTarget | null): void {
  const focused = (row.getRootNode() as Document | ShadowRoot).activeElement as HTMLElement | null
  if (!focused || !row.contains(focused)) return
  const next = focused.matches(':focus-visible')
    ? row.parentElement?.querySelector<HTMLElement>('li:not([data-leaving]) .latchkey-toast-close')
    : undefined
  const before = cameFrom as HTMLElement | null
  const target = next ?? (before?.isConnected ? before : undefined)
  if (target) target.focus({ preventScroll: true })
  else focused.blur()
}
