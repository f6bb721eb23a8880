// The actions as buttons; less common ones are in two groups.
import type { EditorView } from '../editorState.ts'
import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { withTexts } from '../messages.ts'
import { pickFile } from './files.ts'
import { type EditorTool, TOOL_MESSAGES, TOOL_NAMES } from './toolMessages.ts'
import { OWN_ESCAPE, type PartProps } from './partProps.ts'

const SHORTCUTS: Partial<Record<EditorTool, string>> = {
  format: 'Shift+Alt+F',
  compact: 'Shift+Alt+C',
  sortKeys: 'Shift+Alt+S',
  repair: 'Shift+Alt+R',
  undo: 'Control+Z',
  redo: 'Control+Y',
  find: 'Control+F',
}

const GROUPS = {
  formatting: ['format', 'compact', 'sortKeys', 'repair'],
  more: ['undo', 'redo', 'wrap', 'copy', 'download', 'open'],
} as const satisfies Record<string, readonly EditorTool[]>
type Group = keyof typeof GROUPS
type Stop = EditorTool | Group
const isGroup = (stop: Stop): stop is Group => Object.hasOwn(GROUPS, stop)
const ALL: readonly Stop[] = ['formatting', 'find', 'compare', 'more']

/** The state that these tools toggle. */
const TOGGLES = { wrap: 'isWrapped', compare: 'isComparing' } as const
const isToggle = (tool: Stop): tool is keyof typeof TOGGLES => tool in TOGGLES

/** The tools that are unavailable now. */
function findUnavailable(view: EditorView, { canEdit, full }: PartProps): Record<EditorTool, boolean> {
  const cannotChange = !canEdit || view.isEmpty
  const hasFull = full !== false && view.full !== 'failed'
  return {
    format: cannotChange,
    compact: cannotChange,
    sortKeys: cannotChange,
    repair: cannotChange || view.result === 'valid',
    undo: !canEdit || !view.canUndo,
    redo: !canEdit || !view.canRedo,
    find: view.isEmpty || !hasFull,
    wrap: view.size === 'huge',
    compare: !hasFull,
    copy: view.isEmpty,
    download: view.isEmpty,
    open: !canEdit,
  }
}

/** The open group. Escape, and a click or a released key outside `tools`, close it. */
function useOpenGroup() {
  const tools = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<Group>()
  const close = () => {
    // The focused button disappears.
    tools.current!.querySelector<HTMLElement>('[aria-expanded=true]')?.focus()
    setOpen(undefined)
  }
  useEffect(() => {
    if (!open) return undefined
    const page = tools.current!.ownerDocument
    const listening = new AbortController()
    const watch = (event: Event) => {
      if (!event.composedPath().includes(tools.current!)) setOpen(undefined)
      else if ((event as KeyboardEvent).key === 'Escape') close()
    }
    for (const type of ['click', 'keyup', 'keydown'])
      page.addEventListener(type, watch, { capture: true, signal: listening.signal })
    return () => listening.abort()
  }, [open])
  return { tools, open, setOpen, close }
}

export function Toolbar(props: PartProps): ReactElement {
  const { state, toolbar, original, actions, boxId, root, messages } = props
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  const say = withTexts({ ...TOOL_NAMES, ...TOOL_MESSAGES }, messages)
  const { tools, open, setOpen, close } = useOpenGroup()
  const isOff = findUnavailable(view, props)
  const ownEscape = { [OWN_ESCAPE]: open !== undefined }

  const wanted = Array.isArray(toolbar) ? (toolbar as readonly EditorTool[]) : ALL
  const row = wanted.filter((stop) => stop !== 'compare' || original !== undefined)
  const openFile = (file: File) => void actions.ready().then((ready) => ready.open(file))
  const press = (tool: EditorTool, isByPointer: boolean) => {
    if (isOff[tool]) return
    const isStep = tool === 'undo' || tool === 'redo'
    // Undo and redo are often repeated; after a key press, a screen reader announces the tool's new state.
    if (open && isByPointer && !isStep) close()
    if (isStep) state.surface()?.[tool]()
    else if (isToggle(tool)) state.show({ [TOGGLES[tool]]: !view[TOGGLES[tool]] })
    else if (tool === 'open') pickFile(root.ownerDocument, openFile)
    else
      void actions.ready().then((ready): unknown => {
        if (tool === 'copy' || tool === 'download' || tool === 'find') return ready[tool]()
        return ready.run(tool)
      })
  }
  const showTool = (tool: EditorTool) => (
    <button
      key={tool}
      type="button"
      dir="auto"
      data-tool={tool}
      {...ownEscape}
      aria-disabled={isOff[tool]}
      aria-pressed={isToggle(tool) ? view[TOGGLES[tool]] : undefined}
      aria-keyshortcuts={SHORTCUTS[tool]}
      title={SHORTCUTS[tool]?.replace('Control', 'Ctrl')}
      onClick={({ detail }) => press(tool, detail > 0)}
    >
      {say[tool]}
    </button>
  )
  const showGroup = (group: Group) => (
    <span key={group} className="lkje-group">
      <button
        type="button"
        data-tool={group}
        {...ownEscape}
        aria-expanded={group === open}
        onClick={() => setOpen(group === open ? undefined : group)}
      >
        {group === 'more' ? say.more : say.format}
        {/* Hidden with its space: the accessible name ends with the word. */}
        <span aria-hidden="true"> ▾</span>
      </button>
      {group === open && <span className="lkje-opened">{GROUPS[group].map(showTool)}</span>}
    </span>
  )
  return (
    <div ref={tools} className="lkje-tools" role="group" aria-label={say.toolbar} aria-controls={boxId}>
      {row.map((one) => (isGroup(one) ? showGroup(one) : Object.hasOwn(isOff, one) && showTool(one)))}
    </div>
  )
}
