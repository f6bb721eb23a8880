// Which look fits the page: what its colours say, watched while the editor is there.

type PageTheme = 'light' | 'dark' | 'high-contrast'

/** The brightness (0 to 255) of the first opaque background from `element` outwards; nothing when all see through. */
function findBrightness(element: Element | null): number | undefined {
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor
    const numbers = color.match(/-?[\d.]+/g)?.map(Number)
    if (!numbers || numbers.length < 3) continue
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers
    if (alpha <= 0.5) continue
    // The newer notations say the lightness first: 0 to 1 in oklab and oklch, 0 to 100 in lab and lch.
    if (color.startsWith('ok')) return red * 255
    if (color.startsWith('l')) return red * 2.55
    return (0.299 * red + 0.587 * green + 0.114 * blue) * (color.startsWith('color') ? 255 : 1)
  }
  return undefined
}

/** The theme of what surrounds `element`. */
export function readPageTheme(element: Element): PageTheme {
  if (matchMedia('(forced-colors: active)').matches) return 'high-contrast'
  const brightness = findBrightness(element.parentElement)
  if (brightness !== undefined) return brightness < 128 ? 'dark' : 'light'
  const scheme = getComputedStyle(element.parentElement ?? element).colorScheme
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches
  if (scheme.includes('dark')) return scheme.includes('light') && !prefersDark ? 'light' : 'dark'
  return 'light'
}

/** Calls `onChange` when the page may look different; gives the way to stop. */
export function watchPageTheme(onChange: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  )
  const observer = new MutationObserver(onChange)
  const options = {
    attributes: true,
    attributeFilter: ['class', 'style', 'data-theme', 'data-color-scheme', 'data-mode'],
  }
  observer.observe(document.documentElement, options)
  observer.observe(document.body, options)
  for (const query of queries) query.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    for (const query of queries) query.removeEventListener('change', onChange)
  }
}
