// Reports that the user stays on a page that was to be left.

/** Dispatches `stayed` on the window if the page is not left after all; needs the Navigation API. */
export function tellOfStay(): void {
  const { navigation } = globalThis as { navigation?: EventTarget }
  const onNext = (listen: (event: { signal: AbortSignal }) => void) =>
    navigation?.addEventListener('navigate', listen as never, { once: true })
  onNext(({ signal }) =>
    signal.addEventListener('abort', () => {
      const timer = setTimeout(() => dispatchEvent(new Event('stayed')))
      // A router that changes the URL meanwhile aborts it too, although the page is left.
      onNext(() => clearTimeout(timer))
    }),
  )
}
