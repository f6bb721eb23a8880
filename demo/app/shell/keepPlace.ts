// Who uses the demo with a keyboard keeps their place when the button that they pressed, or the field that they are in, is taken away.

const PLACES = 'section, form, fieldset, main, dialog'

/** Goes on at what is said now in the same part of the screen, else at the beginning of that part. */
export function keepPlace(root: Document = document) {
  let last: { element: Element; places: readonly Element[] } | undefined
  root.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = { element: target, places: placesOf(target) }
  })
  // A click beside everything leaves the place on purpose.
  root.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest('button, a, input, label, [tabindex]')) last = undefined
  })
  new MutationObserver(() => {
    if (!last || last.element.isConnected) return
    const place = last.places.find((one) => one.isConnected)
    last = undefined
    if (root.activeElement !== root.body || !(place instanceof HTMLElement)) return
    const next = [...place.querySelectorAll<HTMLElement>('.notice')].at(-1) ?? place
    if (!next.hasAttribute('tabindex')) next.tabIndex = -1
    next.focus({ preventScroll: true })
  }).observe(root, { childList: true, subtree: true })
}

function placesOf(element: Element): Element[] {
  const places: Element[] = []
  for (let one = element.closest(PLACES); one; one = one.parentElement?.closest(PLACES) ?? null)
    places.push(one)
  return places
}
