// Fetches the full editor when the browser is idle, shows it, and hands the text back when it breaks.
import {
  Component,
  type ComponentType,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useState,
} from 'react'
import type { FullEditorProps } from '../monaco/FullEditor.tsx'
import { createLaterFile } from '../laterFile.ts'
import { withTexts } from '../messages.ts'
import { findMissingPermission, loadPart, whenIdle } from './loading.ts'
import type { PartProps } from './partProps.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

const MISSING =
  '[latchkey] The full editor cannot be loaded: install monaco-editor and @monaco-editor/react; after a deployment keep the old files.'

const fullEditor = createLaterFile(() => loadPart(() => import('../monaco/FullEditor.tsx')))

export function FullLoader(props: PartProps): ReactElement | null {
  const { state, attempt } = props
  const [Full, setFull] = useState<ComponentType<FullEditorProps>>()
  useEffect(() => {
    let isGone = false
    const load = async () => {
      // A second one costs little: it waits for the first picture, not until the page is calm.
      await whenIdle(fullEditor.arrived() ? 1 : undefined)
      if (isGone) return
      const lacks = findMissingPermission()
      if (lacks) {
        const { forbidden } = withTexts(TOOL_MESSAGES, state.inputs().messages)
        state.show({ full: 'failed', refusal: forbidden(lacks) })
        return
      }
      if (state.view().full !== 'ready') state.show({ full: 'loading' })
      const { FullEditor } = await fullEditor.load()
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
  }, [state, attempt])
  const showHeight = useCallback((contentHeight: number) => state.show({ contentHeight }), [state])
  if (!Full) return null
  const giveBack = () => {
    state.attach(undefined, 'plain')
    setFull(undefined)
    state.show({ full: 'failed' })
  }
  return (
    <FullBoundary key={attempt} onError={giveBack}>
      <Full {...props} onContentHeight={showHeight} />
    </FullBoundary>
  )
}

/** Whatever breaks in the full editor: the textarea takes over again. */
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
