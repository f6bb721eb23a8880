// Where the user stays though the page was to be left.

/** Where the browser has a Navigation API: an event `stayed` of the window when the page is not left after all. */
export function tellOfStay(): void {
  const { navigation } = globalThis as { navigation?: EventTarget }
  const onNext = (listen: (event: { signal: AbortSignal }) => void) =>
    navigation?.addEventListener('navigate', listen as never, { once: true })
  onNext(({ signal }) =>
    signal.addEventListener('abort', () => {
      const timer = setTimeout(() => dispatchEvent(new Event('stayed')))
      // A router that changes the URL meanwhile aborts it, too, and the page is left all the same.
      onNext(() => clearTimeout(timer))
    }),
  )
}
