// Keeps toasts and the dialog usable while a modal of the app is open.

/** Events outside of a modal for which it closes. */
const OUTSIDE = ['pointerdown', 'mousedown', 'touchstart', 'click', 'focusin']
/** Attributes that modals set on everything beside them. */
const HIDING = ['aria-hidden', 'inert']

/** Hides the events in `element` from the page around it, and keeps `element` visible and operable. */
export function standApart(element: HTMLElement): HTMLElement {
  // React listens on the element itself, and still receives the events; so do capturing listeners of the window.
  for (const type of OUTSIDE) element.addEventListener(type, (event) => event.stopPropagation())
  const observer = new MutationObserver(() => {
    for (const name of HIDING) element.removeAttribute(name)
  })
  observer.observe(element, { attributeFilter: HIDING })
  return element
}

/** Listens first. No other listener receives a key for which `take` returns true. Returns the removal. */
export function onKey(key: 'Escape' | 'F8', take: (event: KeyboardEvent) => boolean): () => void {
  const receive = (event: KeyboardEvent) => {
    if (event.key !== key || !take(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', receive, true)
  return () => removeEventListener('keydown', receive, true)
}

/** Lets the focus into `element`: modals that listen later do not notice that they lose it. Returns the removal. */
export function letFocusIn(element: HTMLElement): () => void {
  const page = element.ownerDocument
  const receive = (event: FocusEvent) => {
    if (element.contains(event.relatedTarget as Node | null)) event.stopImmediatePropagation()
  }
  page.addEventListener('focusout', receive)
  return () => page.removeEventListener('focusout', receive)
}
