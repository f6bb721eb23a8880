// Loads the tools right after the first paint: the check, the toolbar, the page integration and the full editor's loader.
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { EditorState } from './editorState.ts'
import { createLaterFile } from './laterFile.ts'
import type { Actions, ActionsSource } from './tools/actions.ts'
import type { TOOL_PARTS } from './tools/parts.ts'

type ToolParts = typeof TOOL_PARTS

// On the server React 18 warns about `useLayoutEffect`.
export const useBrowserLayout: typeof useEffect =
  typeof document === 'undefined' ? useEffect : useLayoutEffect

/** The tools with the elements they work on. */
type LoadedTools = ToolParts & {
  readonly elements: { readonly root: HTMLDivElement; readonly area: HTMLTextAreaElement }
}

/** A hidden page never paints, and a busy one is never idle. */
const NO_PAINT_AFTER_MS = 200

/** Resolves after the next paint, once the browser is idle: the first keystroke is not delayed. */
const afterPaint = () =>
  new Promise<void>((resolve) => {
    const later = globalThis.requestIdleCallback ?? setTimeout
    requestAnimationFrame(() => later(() => resolve()))
    setTimeout(resolve, NO_PAINT_AFTER_MS)
  })

export const findArea = (root: RefObject<HTMLDivElement | null>): HTMLTextAreaElement =>
  root.current!.querySelector('.lkje-area')!

const toolParts = createLaterFile(() => import('./tools/parts.ts'))

function createToolsLoader(state: EditorState, onParts: (parts: ToolParts) => void) {
  let actions: Promise<Actions> | undefined
  const load = async () => {
    const { TOOL_PARTS } = await toolParts.load()
    onParts(TOOL_PARTS)
    return TOOL_PARTS.createActions(state)
  }
  const ready = () =>
    (actions ??= load().catch((error: unknown) => {
      actions = undefined
      throw error
    }))
  return {
    ready,
    start() {
      let isGone = false
      const begin = async () => {
        const arrived = toolParts.arrived()
        if (arrived) onParts(arrived.TOOL_PARTS)
        else await afterPaint()
        if (isGone) return
        const started = await ready().catch(() => {})
        if (isGone) return
        if (started) started.start()
        else state.show({ full: 'failed' })
      }
      void begin()
      return () => {
        isGone = true
        actions?.then((started) => started.stop()).catch(() => {})
      }
    },
  }
}

/** Loads the tools; a greater `attempt` retries. */
export function useTools(
  state: EditorState,
  root: RefObject<HTMLDivElement | null>,
  attempt: number,
): readonly [LoadedTools | undefined, ActionsSource] {
  const [tools, setTools] = useState<LoadedTools>()
  const [loader] = useState(() =>
    createToolsLoader(state, (parts) =>
      setTools({ ...parts, elements: { root: root.current!, area: findArea(root) } }),
    ),
  )
  useBrowserLayout(() => loader.start(), [loader, attempt])
  return [tools, loader]
}
