// Brings the tools in right after the first paint: the check, the toolbar, the page around, and the full editor's loader.
import { useEffect, useState } from 'react'
import type { EditorState } from './editorState.ts'
import type { Actions, ActionsSource } from './tools/actions.ts'
import type { TOOL_PARTS } from './tools/parts.ts'

type ToolParts = typeof TOOL_PARTS

/** The tools, now or as soon as they are there. */
export interface LaterTools extends ActionsSource {
  readonly parts: ToolParts | undefined
}

interface ToolsLoader extends ActionsSource {
  start(): () => void
}

const RETRY_AFTER_MS = 500
/** A page that nobody sees paints nothing. */
const NO_PAINT_AFTER_MS = 200

/** After the next picture, so that the first keystroke waits for nothing. */
const painted = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, NO_PAINT_AFTER_MS)
  })

function createToolsLoader(state: EditorState, onParts: (parts: ToolParts) => void): ToolsLoader {
  let actions: Promise<Actions> | undefined
  const load = () => import('./tools/parts.ts')
  const ready = () =>
    (actions ??= load()
      .catch(() => new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS)).then(load))
      .then(
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
      void painted().then(() => {
        if (isGone) return
        ready().then(
          (started) => {
            if (!isGone) started.start()
          },
          () => state.show({ full: 'failed' }),
        )
      })
      return () => {
        isGone = true
        actions?.then((started) => started.stop()).catch(() => {})
      }
    },
  }
}

/** Loads the tools; a greater `attempt` tries again. */
export function useTools(state: EditorState, attempt: number): LaterTools {
  const [parts, setParts] = useState<ToolParts>()
  const [loader] = useState(() => createToolsLoader(state, setParts))
  useEffect(() => loader.start(), [loader, attempt])
  const { ready } = loader
  const [tools, setTools] = useState<LaterTools>({ parts, ready })
  if (tools.parts !== parts) setTools({ parts, ready })
  return tools
}
