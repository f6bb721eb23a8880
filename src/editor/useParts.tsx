// Brings the later parts in: the tools (toolbar, check, actions) right after the first paint, then the full editor.
import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react'
import type { EditorState } from './editorState.ts'
import { allowsInlineStyles, loadPart, whenIdle } from './loading.ts'
import type { FullEditorProps } from './monaco/FullEditor.tsx'
import type { Actions, ActionsSource } from './tools/actions.ts'
import type { TOOL_PARTS } from './tools/parts.ts'

type ToolParts = typeof TOOL_PARTS

/** The tools, now or as soon as they are there. */
export interface LaterTools {
  readonly parts: ToolParts | undefined
  ready(): Promise<Actions>
}

interface ToolsLoader extends ActionsSource {
  start(): () => void
}

function createToolsLoader(state: EditorState, onParts: (parts: ToolParts) => void): ToolsLoader {
  let actions: Promise<Actions> | undefined
  const ready = () =>
    (actions ??= loadPart(() => import('./tools/parts.ts')).then(
      ({ TOOL_PARTS: parts }) => {
        onParts(parts)
        return parts.createActions(state)
      },
      (error: unknown) => {
        actions = undefined
        throw error
      },
    ))
  return {
    ready,
    start() {
      let isGone = false
      ready().then(
        (started) => {
          if (!isGone) started.start()
        },
        () => state.show({ verdict: 'unknown', isChecking: false }),
      )
      return () => {
        isGone = true
        actions?.then((started) => started.stop()).catch(() => {})
      }
    },
  }
}

export function useTools(state: EditorState): LaterTools {
  const [parts, setParts] = useState<ToolParts>()
  const [loader] = useState(() => createToolsLoader(state, setParts))
  useEffect(() => loader.start(), [loader])
  const { ready } = loader
  const [tools, setTools] = useState<LaterTools>({ parts, ready })
  if (tools.parts !== parts) setTools({ parts, ready })
  return tools
}

export interface FullEditorLoad {
  readonly Full: ComponentType<FullEditorProps> | undefined
  readonly attempt: number
  readonly contentHeight: number
  setContentHeight(height: number): void
  fail(): void
  retry(): void
}

export function useFullEditor(
  state: EditorState,
  isWanted: boolean,
  area: HTMLTextAreaElement | null,
): FullEditorLoad {
  const [Full, setFull] = useState<ComponentType<FullEditorProps>>()
  const [attempt, setAttempt] = useState(0)
  const [contentHeight, setContentHeight] = useState(72)
  useEffect(() => {
    if (!isWanted || !area) return undefined
    let isGone = false
    const load = async () => {
      await whenIdle()
      if (isGone) return
      if (!allowsInlineStyles()) throw new Error('inline styles are not allowed')
      if (state.view().full !== 'ready') state.show({ full: 'loading' })
      const part = await loadPart(() => import('./monaco/FullEditor.tsx'))
      if (!isGone) setFull(() => part.FullEditor)
    }
    load().catch(() => {
      if (!isGone) state.show({ full: 'failed' })
    })
    return () => {
      isGone = true
    }
  }, [state, isWanted, area, attempt])
  return {
    Full: isWanted ? Full : undefined,
    attempt,
    contentHeight,
    setContentHeight,
    fail: () => {
      state.attach(undefined, 'plain')
      setFull(undefined)
      state.show({ full: 'failed' })
    },
    retry: () => {
      state.show({ full: 'loading' })
      setAttempt((count) => count + 1)
    },
  }
}

/** Whatever breaks in the full editor: the textarea takes over again. */
export class FullBoundary extends Component<
  { onError: () => void; children: ReactNode },
  { hasFailed: boolean }
> {
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
