// Detects the theme of the page (light, dark, high contrast) and its changes.

export const FORCED_LIGHT = '(forced-colors: active) and (prefers-color-scheme: light)'

/** Does the media query match? False without `matchMedia`, as in a simulated DOM. */
export const matches = (query: string): boolean =>
  typeof matchMedia === 'function' && matchMedia(query).matches

/** The brightness (0 to 255) of the first opaque background from `element` outwards; `undefined` if all are transparent. */
function findBrightness(element: Element | null | undefined): number | undefined {
  if (!element) return undefined
  const color = getComputedStyle(element).backgroundColor
  const [red = 0, green = 0, blue, alpha = 1] = color.match(/-?[\d.]+/g)?.map(Number) ?? []
  if (blue === undefined || alpha <= 0.5)
    return findBrightness(element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host)
  // Newer notations begin with the lightness: 0 to 1 in oklab and oklch, 0 to 100 in lab and lch.
  if (color.startsWith('ok')) return red * 255
  if (color.startsWith('l')) return red * 2.55
  return (0.299 * red + 0.587 * green + 0.114 * blue) * (color.startsWith('color') ? 255 : 1)
}

/** The theme of the page around `element`. */
export function readPageTheme(element: Element): 'light' | 'dark' | 'high-contrast' {
  if (matches('(forced-colors: active)')) return 'high-contrast'
  const brightness = findBrightness(element.parentElement)
  if (brightness !== undefined) return brightness < 128 ? 'dark' : 'light'
  const scheme = getComputedStyle(element.parentElement ?? element).colorScheme ?? ''
  if (!scheme.includes('dark')) return 'light'
  return scheme.includes('light') && !matches('(prefers-color-scheme: dark)') ? 'light' : 'dark'
}

/**
 * Calls `onChange` now and when the page may look different. However a page switches its theme, its text colour changes: an
 * invisible probe inherits the colour with a transition, which ends once the new colours apply. Returns a function that stops it.
 */
export function watchPageTheme(root: HTMLElement, onChange: () => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const probe = Object.assign(root.ownerDocument.createElement('i'), {
    className: 'lkje-probe',
    ariaHidden: 'true',
  })
  // Outranks pages that disable transitions for reduced motion.
  probe.style.setProperty('transition', 'color 1ms', 'important')
  root.append(probe)
  probe.addEventListener('transitionend', onChange, { signal })
  // A background may fade for longer than the text.
  root.ownerDocument.addEventListener(
    'transitionend',
    ({ propertyName, target }) => {
      if (propertyName.startsWith('background') && (target as Node).contains(root)) onChange()
    },
    { signal },
  )
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)'])
    globalThis.matchMedia?.(query).addEventListener?.('change', onChange, { signal })
  // Without a computed colour the first switch would start no transition.
  getComputedStyle(probe).getPropertyValue('color')
  onChange()
  return () => {
    listening.abort()
    probe.remove()
  }
}
