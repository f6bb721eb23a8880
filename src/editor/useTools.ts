// Brings the tools in right after the first paint: the check, the toolbar, the page around, and the full editor's loader.
import { useEffect, useLayoutEffect, useState } from 'react'
import type { EditorState } from './editorState.ts'
import { createLaterFile } from './laterFile.ts'
import type { Actions, ActionsSource } from './tools/actions.ts'
import type { TOOL_PARTS } from './tools/parts.ts'

type ToolParts = typeof TOOL_PARTS

// The server has no layout; asking for one there only makes React 18 complain.
export const useBrowserLayout: typeof useEffect =
  typeof document === 'undefined' ? useEffect : useLayoutEffect

interface Elements {
  readonly root: HTMLDivElement
  readonly area: HTMLTextAreaElement
}

/** The tools with the elements they work on. */
type LaterTools = ToolParts & { readonly elements: Elements }

interface ToolsLoader extends ActionsSource {
  start(): () => void
}

const RETRY_AFTER_MS = 500
/** A page that nobody sees paints nothing, and a busy one is never idle. */
const NO_PAINT_AFTER_MS = 200

/** After the next picture, when the page has nothing better to do, so that the first keystroke waits for nothing. */
const painted = () =>
  new Promise<void>((resolve) => {
    const later = globalThis.requestIdleCallback ?? setTimeout
    requestAnimationFrame(() => later(() => resolve()))
    setTimeout(resolve, NO_PAINT_AFTER_MS)
  })

/**
 * Holds the elements, which are the same from the first moment to the last. A state would do, but then everything would be
 * rendered a second time before it is seen.
 */
export function createElements() {
  let held: Elements
  return {
    takeRoot(root: HTMLDivElement | null) {
      if (root) held = { root, area: root.querySelector('.lkje-area')! }
    },
    elements: () => held,
  }
}

/** Without tools the text is checked after each pause by what JSON.parse itself says, until they arrive after all. */
function checkBasically(area: HTMLTextAreaElement, state: EditorState): void {
  state.onCheck(() => {
    let reason = ''
    try {
      JSON.parse(state.text())
    } catch (error) {
      reason = (error as Error).message
    }
    const isBlank = state.text().trim() === ''
    area.setCustomValidity(isBlank ? '' : reason)
    // What the schema would say is not known here.
    const found = state.inputs().schema === undefined ? 'valid' : 'unknown'
    state.show({ verdict: isBlank ? 'empty' : reason ? 'invalid' : found, note: reason, isChecking: false })
  })
  state.recheck()
}

const toolParts = createLaterFile(async () => (await import('./tools/parts.ts')).TOOL_PARTS)

function createToolsLoader(
  state: EditorState,
  onParts: (parts: ToolParts) => void,
  elements: () => Elements,
): ToolsLoader {
  let actions: Promise<Actions> | undefined
  const ready = () =>
    (actions ??= toolParts
      .load()
      .catch(() => new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS)).then(toolParts.load))
      .then(
        (loaded) => {
          onParts(loaded)
          return loaded.createActions(state)
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
      const begin = async () => {
        const arrived = toolParts.arrived()
        if (arrived) onParts(arrived)
        else await painted()
        if (isGone) return
        const started = await ready().catch(() => {})
        if (isGone) return
        if (started) started.start()
        else {
          state.show({ full: 'failed' })
          checkBasically(elements().area, state)
        }
      }
      void begin()
      return () => {
        isGone = true
        actions?.then((started) => started.stop()).catch(() => {})
      }
    },
  }
}

/** Loads the tools, which are not there at first; a greater `attempt` tries again. */
export function useTools(
  state: EditorState,
  elements: () => Elements,
  attempt: number,
): readonly [LaterTools | undefined, ActionsSource] {
  const [tools, setTools] = useState<LaterTools>()
  const [loader] = useState(() =>
    createToolsLoader(state, (parts) => setTools({ ...parts, elements: elements() }), elements),
  )
  useBrowserLayout(() => loader.start(), [loader, attempt])
  return [tools, loader]
}
