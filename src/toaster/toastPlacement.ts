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

/**
 * Tells when the mouse comes in and goes out. A toast that is taken away under the mouse sends no event of its own, so
 * any movement elsewhere counts as going out.
 */
export function watchMouse(section: HTMLElement, on: { enter(): void; leave(): void }): () => void {
  const page = section.ownerDocument
  const leave = () => {
    page.removeEventListener('pointermove', look, true)
    on.leave()
  }
  const look = (event: PointerEvent) => {
    if (!event.composedPath().includes(section)) leave()
  }
  const enter = ({ pointerType }: PointerEvent) => {
    // A finger that has gone leaves no event behind either, and does not hover.
    if (pointerType === 'touch') return
    page.addEventListener('pointermove', look, { capture: true, passive: true })
    on.enter()
  }
  section.addEventListener('pointerenter', enter)
  section.addEventListener('pointerleave', leave)
  return () => {
    section.removeEventListener('pointerenter', enter)
    section.removeEventListener('pointerleave', leave)
    leave()
  }
}
