// Ties the editor to the page around it: its form, its fieldset, its colours, the whole page if people like.
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { EditorState, EditorView } from '../editorState.ts'
import { adoptStyle } from '../style.ts'
import { listenToGestures } from './gestures.ts'
import type { PartProps } from './partProps.ts'
import { TOOL_CSS } from './toolStyle.ts'
import { useFieldset, useFormField, useStill, useValidity } from './useFormField.ts'

export function useSurroundings(props: PartProps, view: EditorView): void {
  const { state, root, area, actions } = props
  useLayoutEffect(() => {
    adoptStyle(root, TOOL_CSS)
    const read = () => state.show({ pageTheme: readPageTheme(root) })
    read()
    return watchPageTheme(read)
  }, [root, state])
  const { schema, duplicates, jsonc } = props
  // An object written into the JSX is new with every render; only what it says counts.
  const rules = useMemo(() => writeRules(schema, duplicates, jsonc), [schema, duplicates, jsonc])
  const checked = useRef(rules)
  useEffect(() => {
    if (checked.current === rules) return
    checked.current = rules
    state.show({ verdict: 'unknown', isChecking: true })
    state.recheck()
  }, [state, rules])
  useEffect(() => listenToGestures(root, state, actions), [root, state, actions])
  useFormField(area, state, props)
  useFieldset(area, state, props.disabled ?? false)
  useValidity(area, state, view)
  useStill(root)
  useFullScreen(root, state, view.isFullScreen)
}

function writeRules(...rules: readonly unknown[]): unknown {
  try {
    return JSON.stringify(rules)
  } catch {
    return rules[0]
  }
}

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
function readPageTheme(element: Element): PageTheme {
  if (matchMedia('(forced-colors: active)').matches) return 'high-contrast'
  const brightness = findBrightness(element.parentElement)
  if (brightness !== undefined) return brightness < 128 ? 'dark' : 'light'
  const scheme = getComputedStyle(element.parentElement ?? element).colorScheme
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches
  if (scheme.includes('dark')) return scheme.includes('light') && !prefersDark ? 'light' : 'dark'
  return 'light'
}

/** Calls `onChange` when the page may look different; gives the way to stop. */
function watchPageTheme(onChange: () => void): () => void {
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

/**
 * Puts the editor above everything else while `isFullScreen`. Whoever leaves it by keyboard, or is called to a dialog of the
 * page, must see where the focus is: then it ends.
 */
function useFullScreen(root: HTMLElement, state: EditorState, isFullScreen: boolean): void {
  useEffect(() => {
    // A browser of before 2024 knows no such layer.
    if (!isFullScreen || typeof root.showPopover !== 'function') return undefined
    const page = root.ownerDocument
    const held = page.activeElement as HTMLElement | null
    const end = () => state.show({ isFullScreen: false })
    const watch = ({ target }: FocusEvent) => {
      if (!root.contains(target as Node)) end()
    }
    const escape = (event: KeyboardEvent) => {
      // Whatever is open inside closes first: Monaco has prevented the default then.
      const isTaken =
        event.defaultPrevented || (event.target as Element).closest('.lkje-find, .lkje-proposal')
      if (event.key !== 'Escape' || isTaken) return
      // A dialog around the editor stays open.
      event.preventDefault()
      end()
    }
    root.setAttribute('popover', 'manual')
    root.showPopover()
    held?.focus({ preventScroll: true })
    const listening = new AbortController()
    page.addEventListener('focusin', watch, { signal: listening.signal })
    root.addEventListener('keydown', escape, { signal: listening.signal })
    return () => {
      listening.abort()
      const last = page.activeElement as HTMLElement | null
      root.removeAttribute('popover')
      last?.focus({ preventScroll: true })
    }
  }, [root, state, isFullScreen])
}
