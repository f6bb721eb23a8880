// Detects the theme of the page (light, dark, high contrast), and when it changes or the font size does.

export const FORCED_LIGHT = '(forced-colors: active) and (prefers-color-scheme: light)'

/** The media query, if there are any: a simulated DOM has none, and a reset mock of it returns nothing. */
const findMedia = (query: string): MediaQueryList | undefined => globalThis.matchMedia?.(query)
export const matches = (query: string): boolean => findMedia(query)?.matches ?? false

/** The brightness (0 to 255) and the opacity of a computed colour. */
function readColor(color: string): readonly [number, number] {
  const numbers = color.match(/-?[\d.]+(?:e-\d+)?/g)?.map(Number) ?? [0, 0, 0, 0]
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers
  // Newer notations begin with the lightness: 0 to 1 in oklab and oklch, 0 to 100 in lab and lch.
  if (/^(ok)?l/.test(color)) return [red * (color.startsWith('ok') ? 255 : 2.55), alpha]
  return [(0.299 * red + 0.587 * green + 0.114 * blue) * (color.startsWith('color') ? 255 : 1), alpha]
}

/** The brightness of the first opaque background from `element` outwards; `undefined` if there is none or an image first. */
function findGround(element: Element | null | undefined): number | undefined {
  if (!element) return undefined
  const { backgroundColor, backgroundImage } = getComputedStyle(element)
  const [brightness, alpha] = readColor(backgroundColor)
  if (alpha > 0.5) return brightness
  if (backgroundImage !== 'none') return undefined
  return findGround(element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host)
}

/** The theme of the page around `element`. */
export function readPageTheme(element: HTMLElement): 'light' | 'dark' | 'high-contrast' {
  if (matches('(forced-colors: active)')) return 'high-contrast'
  // The editor itself may have a background of the app, or of a theme of its own, which is not the page's.
  const inner = element.dataset['ownTheme'] === 'true' ? element.parentElement : element
  // Without a known background the text tells, which is light on a dark page.
  const ground = findGround(inner) ?? 255 - readColor(getComputedStyle(element).color)[0]
  return ground < 128 ? 'dark' : 'light'
}

/**
 * Calls `onChange` now and when the page may look different. However a page switches its theme, its text colour changes: an
 * invisible probe inherits colour and font size with a transition, which ends once the new ones apply, and whenever the probe
 * appears (a hidden tab has no transitions). Returns a function that stops it.
 */
export function watchPage(root: HTMLElement, onChange: () => void): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const probe = root.ownerDocument.createElement('i')
  probe.className = 'lkje-probe'
  // Outranks pages that disable transitions for reduced motion.
  probe.style.setProperty('transition', 'color 1ms,font-size 1ms', 'important')
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
    findMedia(query)?.addEventListener?.('change', onChange, { signal })
  onChange()
  return () => {
    listening.abort()
    probe.remove()
  }
}
