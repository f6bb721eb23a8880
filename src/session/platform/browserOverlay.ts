// What toasts and the dialog need of the page, so that an open modal of the app neither hides them nor hears them.

/** What modals take for a use of the page outside of them, and close for. */
const OUTSIDE = ['pointerdown', 'mousedown', 'touchstart', 'click', 'focusin']
/** What modals set on everything beside them. */
const HIDING = ['aria-hidden', 'inert']

/** Keeps what happens in `element` from the page around it, and `element` in sight of everybody. */
export function standApart(element: HTMLElement): HTMLElement {
  // React listens on the element itself, and receives what goes no further. What listens on the window comes first.
  for (const type of OUTSIDE) element.addEventListener(type, (event) => event.stopPropagation())
  const observer = new MutationObserver(() => {
    for (const name of HIDING) element.removeAttribute(name)
  })
  observer.observe(element, { attributeFilter: HIDING })
  return element
}

/** Listens before all later listeners. No other listener receives a key that `take` takes. Returns the removal. */
export function onKey(key: 'Escape' | 'F8', take: (event: KeyboardEvent) => boolean): () => void {
  const receive = (event: KeyboardEvent) => {
    if (event.key !== key || !take(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', receive, true)
  return () => removeEventListener('keydown', receive, true)
}

/** Lets the focus into `element`: a modal that listens later does not hear that it loses the focus to it. Returns the removal. */
export function letFocusIn(element: HTMLElement): () => void {
  const page = element.ownerDocument
  const receive = (event: FocusEvent) => {
    if (element.contains(event.relatedTarget as Node | null)) event.stopImmediatePropagation()
  }
  page.addEventListener('focusout', receive)
  return () => page.removeEventListener('focusout', receive)
}
