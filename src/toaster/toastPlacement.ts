// Keeps the toasts above everything on the page, and the focus out of removed toasts.

/** Puts the toasts into the top layer, above dialogs, if the browser has one. */
export function standOnTop(section: HTMLElement, isNeeded: boolean): void {
  if (typeof section.showPopover !== 'function') return
  section.popover = 'manual'
  const isOpen = section.matches(':popover-open')
  // A dialog opened later covers the toasts. Reopening the popover would take the focus out of it, so wait while it has it.
  const isCovered =
    isOpen && section.ownerDocument.querySelector(':modal') !== null && !section.matches(':focus-within')
  if (isOpen && (isCovered || !isNeeded)) section.hidePopover()
  if (isNeeded && (isCovered || !isOpen)) section.showPopover()
}

/** Moves the focus out of a removed toast: to the next toast for keyboard users, else to where it came from. */
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
 * Reports when the mouse enters and leaves. A toast removed under the mouse sends no event, so any movement elsewhere counts
 * as leaving.
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
    // Touch does not hover.
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
