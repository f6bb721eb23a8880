// Loads Monaco when the browser is idle or the user focuses the editor, and returns to the textarea if it breaks.
import {
  Component,
  type ComponentType,
  type ReactElement,
  type ReactNode,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { createLaterFile } from '../laterFile.ts'
import { withTexts } from '../messages.ts'
import type { PartProps } from './partProps.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'
import { useSurroundings } from './useSurroundings.ts'

const MISSING =
  '[latchkey] The full editor cannot be loaded: install monaco-editor (0.56 or newer) and @monaco-editor/react; after a deployment keep the old files.'

// Server builds replace `typeof window` and so drop four megabytes that no server runs.
const fullEditor = createLaterFile(() =>
  typeof window === 'undefined' ? new Promise<never>(() => {}) : import('../monaco/FullEditor.tsx'),
)

/** Resolves when the browser is idle: the first keystroke goes first. */
const whenIdle = (timeout = 300) =>
  new Promise<void>((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout })
    else setTimeout(resolve, 1)
  })

/** Resolves when no animation, such as that of an opening dialog, moves `root`, or after a second: Monaco measures only once. */
function whenAtRest(root: HTMLElement): Promise<unknown> {
  const moves = document
    .getAnimations()
    .filter(({ effect }) => (effect as KeyframeEffect).target?.contains(root))
  const limit = new Promise((resolve) => setTimeout(resolve, 1_000))
  return Promise.race([limit, Promise.allSettled(moves.map(({ finished }) => finished))])
}

/**
 * What the page's CSP would have to allow for the full editor; `undefined` if nothing is missing. Monaco needs style attributes
 * to lay out lines and style elements for colours; it writes HTML and starts workers without trusted types.
 */
function findMissingPermission(): string | undefined {
  const probe = document.createElement('div')
  try {
    probe.innerHTML = '<i style="top:1px"></i>'
  } catch {
    return "no require-trusted-types-for 'script'"
  }
  const style = document.createElement('style')
  // A CSP lets an empty style element pass.
  style.textContent = 'lkje-probe{top:0}'
  document.head.append(style)
  const allowsElements = style.sheet !== null
  style.remove()
  const allowsAttributes = (probe.firstElementChild as HTMLElement | null)?.style.top === '1px'
  return allowsElements && allowsAttributes ? undefined : "style-src 'unsafe-inline'"
}

/** Does the browser ask to save data? */
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/** Should the full editor load now? If the text is read-only or the user saves data, only after a focus or click. */
function useWanted({ state, root, full, readOnly }: PartProps): boolean {
  const { isComparing, isFinding } = useSyncExternalStore(state.subscribe, state.view, state.view)
  const [isTouched, setTouched] = useState(false)
  const waits = full === 'focus' || (full === undefined && (readOnly === true || savesData()))
  useEffect(() => {
    const touch = () => setTouched(true)
    if (root.contains(root.ownerDocument.activeElement)) touch()
    const listening = new AbortController()
    for (const kind of ['focusin', 'pointerdown'])
      root.addEventListener(kind, touch, { signal: listening.signal })
    return () => listening.abort()
  }, [root])
  return !waits || isTouched || isComparing || isFinding
}

/** Why the full editor cannot be shown here; `undefined` if it can. */
function findReason({ state, root }: Pick<PartProps, 'state' | 'root'>): string | undefined {
  // A simulated DOM draws nothing, whatever a test has polyfilled.
  if (!('caretPositionFromPoint' in document || 'caretRangeFromPoint' in document)) return ''
  const { forbidden, elsewhere } = withTexts(TOOL_MESSAGES, state.inputs().messages)
  if (root.getRootNode() !== document) return elsewhere
  const lacks = findMissingPermission()
  return lacks && forbidden(lacks)
}

export function Overlays(props: PartProps): ReactElement | null {
  const { state, full = true } = props
  useSurroundings(props, useSyncExternalStore(state.subscribe, state.view, state.view))
  return full ? <FullLoader {...props} /> : null
}

function FullLoader(props: PartProps): ReactElement | null {
  const { state, root, attempt } = props
  const [Full, setFull] = useState<ComponentType<PartProps>>()
  const isWanted = useWanted(props)
  useEffect(() => {
    if (!isWanted) return undefined
    let isGone = false
    const load = async () => {
      // Once loaded, mounting is cheap: it waits for the first paint only.
      await whenIdle(fullEditor.arrived() ? 1 : undefined)
      if (isGone) return
      const refusal = findReason({ state, root })
      if (refusal !== undefined) return state.show({ full: 'failed', refusal })
      if (state.view().full !== 'ready') state.show({ full: 'loading' })
      const { FullEditor } = await fullEditor.load()
      await whenAtRest(root)
      if (!isGone) setFull(() => FullEditor)
    }
    load().catch((error: unknown) => {
      if (isGone) return
      console.info(MISSING, error)
      state.show({ full: 'failed' })
    })
    return () => {
      isGone = true
    }
  }, [state, root, attempt, isWanted])
  if (!Full) return null
  const returnToTextarea = () => {
    state.attach(undefined, 'plain')
    setFull(undefined)
    state.show({ full: 'failed' })
  }
  return (
    <FullBoundary key={attempt} onError={returnToTextarea}>
      <Full {...props} />
    </FullBoundary>
  )
}

/** If the full editor breaks, the textarea takes over again. */
class FullBoundary extends Component<{ onError: () => void; children: ReactNode }, { hasFailed: boolean }> {
  override state: { hasFailed: boolean } = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidCatch(): void {
    this.props.onError()
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children
  }
}
