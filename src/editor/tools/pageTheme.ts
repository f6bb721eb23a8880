// What the page around the editor looks like: light, dark or of high contrast, and when that changes.

type PageTheme = 'light' | 'dark' | 'high-contrast'

/** What the browser says to a media query; no where there is no such question, as in a test's DOM. */
export const matches = (query: string): boolean =>
  typeof matchMedia === 'function' && matchMedia(query).matches

/** The brightness (0 to 255) of the first opaque background from `element` outwards; nothing when all see through. */
function findBrightness(element: Element | null | undefined): number | undefined {
  if (!element) return undefined
  const color = getComputedStyle(element).backgroundColor
  const [red = 0, green = 0, blue, alpha = 1] = color.match(/-?[\d.]+/g)?.map(Number) ?? []
  if (blue === undefined || alpha <= 0.5)
    return findBrightness(element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host)
  // The newer notations say the lightness first: 0 to 1 in oklab and oklch, 0 to 100 in lab and lch.
  if (color.startsWith('ok')) return red * 255
  if (color.startsWith('l')) return red * 2.55
  return (0.299 * red + 0.587 * green + 0.114 * blue) * (color.startsWith('color') ? 255 : 1)
}

/** The theme of what surrounds `element`. */
export function readPageTheme(element: Element): PageTheme {
  if (matches('(forced-colors: active)')) return 'high-contrast'
  const brightness = findBrightness(element.parentElement)
  if (brightness !== undefined) return brightness < 128 ? 'dark' : 'light'
  const scheme = getComputedStyle(element.parentElement ?? element).colorScheme ?? ''
  if (!scheme.includes('dark')) return 'light'
  return scheme.includes('light') && !matches('(prefers-color-scheme: dark)') ? 'light' : 'dark'
}

/**
 * Calls `onChange` now, and when the page may look different. Whatever a page does to switch, its text gets another colour: an element
 * that nobody sees inherits it, with a transition of its own whose end comes when the colours are there. Gives the way to stop.
 */
export function watchPageTheme(root: HTMLElement, onChange: () => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const probe = Object.assign(root.ownerDocument.createElement('i'), {
    className: 'lkje-probe',
    ariaHidden: 'true',
  })
  // Pages that spare their users motion switch off every transition that does not insist.
  probe.style.setProperty('transition', 'color 1ms', 'important')
  root.append(probe)
  probe.addEventListener('transitionend', onChange, { signal })
  // A ground that fades for longer than the text.
  root.ownerDocument.addEventListener(
    'transitionend',
    ({ propertyName, target }) => {
      if (propertyName.startsWith('background') && (target as Node).contains(root)) onChange()
    },
    { signal },
  )
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)'])
    globalThis.matchMedia?.(query).addEventListener?.('change', onChange, { signal })
  // Without a colour before it, the first switch would be no transition.
  getComputedStyle(probe).getPropertyValue('color')
  onChange()
  return () => {
    listening.abort()
    probe.remove()
  }
}
