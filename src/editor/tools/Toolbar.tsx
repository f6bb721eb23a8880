// The actions as buttons: one stop for the Tab key, arrows move between them.
import type { EditorView } from '../editorState.ts'
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { withTexts } from '../messages.ts'
import { type EditorTool, listTools, TOOL_NAMES } from '../toolNames.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'
import type { PartProps } from './partProps.ts'
import { PlainFind } from './PlainFind.tsx'

const SHORTCUTS: Partial<Record<EditorTool, string>> = {
  format: 'Shift+Alt+F',
  compact: 'Shift+Alt+C',
  sortKeys: 'Shift+Alt+S',
  repair: 'Shift+Alt+R',
  undo: 'Control+Z',
  redo: 'Control+Y',
  find: 'Control+F',
}

/** What these tools show and hide. */
const TOGGLES = {
  wrap: 'isWrapped',
  compare: 'isComparing',
  fullScreen: 'isFullScreen',
} as const
const isToggle = (tool: EditorTool): tool is keyof typeof TOGGLES => tool in TOGGLES

/** How many of the buttons fit into the first line. */
function useFitting(row: RefObject<HTMLDivElement | null>, count: number): number {
  const [fitting, setFitting] = useState(count)
  useLayoutEffect(() => {
    const read = () => {
      const buttons = [...row.current!.children] as HTMLElement[]
      setFitting(buttons.filter((button) => button.offsetTop === buttons[0]!.offsetTop).length)
    }
    read()
    const observer = new ResizeObserver(read)
    observer.observe(row.current!)
    return () => observer.disconnect()
  }, [row, count])
  return fitting
}

/** Whether the buttons behind "More" are shown. A click outside `tools`, and a key that is let go there, hide them. */
function useMore() {
  const tools = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return undefined
    const page = tools.current!.ownerDocument
    const listening = new AbortController()
    const watch = (event: Event) => {
      if (!event.composedPath().includes(tools.current!)) setOpen(false)
    }
    // Not when the pointer goes down or the focus moves: what lies below would move away from under the click.
    for (const type of ['click', 'keyup'])
      page.addEventListener(type, watch, { capture: true, signal: listening.signal })
    return () => listening.abort()
  }, [isOpen])
  return { tools, isOpen, setOpen }
}

/** The tools that can do nothing now. */
const findIdle = (view: EditorView, canEdit: boolean): Record<EditorTool, boolean> => ({
  format: !canEdit || view.isEmpty,
  compact: !canEdit || view.isEmpty,
  sortKeys: !canEdit || view.isEmpty,
  repair: !canEdit || view.isEmpty || view.verdict === 'valid',
  undo: !canEdit || !view.canUndo,
  redo: !canEdit || !view.canRedo,
  find: view.isEmpty,
  wrap: view.size === 'huge',
  compare: view.surface !== 'full',
  copy: view.isEmpty,
  download: view.isEmpty,
  open: !canEdit,
  fullScreen: !('popover' in HTMLElement.prototype),
})

export function Toolbar(props: PartProps): ReactElement {
  const { state, toolbar, original, actions, boxId, messages, canEdit } = props
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  const say = withTexts({ ...TOOL_NAMES, ...TOOL_MESSAGES }, messages)
  const picker = useRef<HTMLInputElement>(null)
  const { tools, isOpen, setOpen } = useMore()
  const row = useRef<HTMLDivElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const [current, setCurrent] = useState<EditorTool | 'more'>('format')
  const isFull = view.surface === 'full'

  const listed = listTools(toolbar, original !== undefined)
  const fitting = useFitting(row, listed.length)
  const isBehind = (index: number) => !isOpen && index >= fitting
  const hasMore = isOpen || fitting < listed.length
  const shown: (EditorTool | 'more')[] = [
    ...listed.filter((_, index) => !isBehind(index)).map(([tool]) => tool),
    ...(hasMore ? (['more'] as const) : []),
  ]
  const stop = shown.includes(current) ? current : shown[0]
  const isOff = findIdle(view, canEdit)

  const shutWithFocus = () => {
    // The button that has the focus may go out of sight.
    setCurrent('more')
    more.current!.focus()
    setOpen(false)
  }
  const press = (tool: EditorTool, isByPointer: boolean) => {
    setCurrent(tool)
    if (isOff[tool]) return
    // Undo and redo are pressed until it is enough. Who presses by keyboard hears the tool's new state, and goes on from there.
    if (isOpen && isByPointer && tool !== 'undo' && tool !== 'redo') shutWithFocus()
    if (tool === 'undo') state.surface()?.undo()
    else if (tool === 'redo') state.surface()?.redo()
    else if (isToggle(tool)) state.show({ [TOGGLES[tool]]: !view[TOGGLES[tool]] })
    else if (tool === 'open') picker.current?.click()
    else {
      void actions.ready().then((ready): unknown => {
        if (tool === 'copy' || tool === 'download' || tool === 'find') return ready[tool]()
        return ready.run(tool)
      })
    }
  }
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    // One that has ended the full screen is used up.
    if (event.key === 'Escape' && isOpen && !event.defaultPrevented) {
      // A dialog around the editor stays open.
      event.preventDefault()
      return shutWithFocus()
    }
    const at = shown.indexOf(stop!)
    const last = shown.length - 1
    const to = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key]
    const next = to === undefined ? undefined : shown[to]
    if (!next) return
    event.preventDefault()
    setCurrent(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-tool=${next}]`)?.focus()
  }

  return (
    <>
      <div
        ref={tools}
        className="lkje-tools"
        role="toolbar"
        aria-label={say.toolbar}
        aria-controls={boxId}
        onKeyDown={move}
      >
        <div ref={row} className="lkje-row" data-open={isOpen}>
          {listed.map(([tool, startsGroup], index) => (
            <button
              key={tool}
              type="button"
              data-tool={tool}
              data-group={startsGroup}
              data-behind={isBehind(index)}
              tabIndex={tool === stop ? 0 : -1}
              aria-disabled={isOff[tool]}
              aria-pressed={isToggle(tool) ? view[TOGGLES[tool]] : undefined}
              aria-keyshortcuts={SHORTCUTS[tool]}
              title={SHORTCUTS[tool]?.replace('Control', 'Ctrl')}
              onClick={({ detail }) => press(tool, detail > 0)}
            >
              {say[tool]}
            </button>
          ))}
        </div>
        <button
          ref={more}
          type="button"
          className="lkje-more"
          data-tool="more"
          data-idle={!hasMore}
          tabIndex={stop === 'more' ? 0 : -1}
          aria-expanded={isOpen}
          onClick={() => {
            setCurrent('more')
            setOpen(!isOpen)
          }}
        >
          {say.more}
        </button>
      </div>
      <FilePicker input={picker} label={say.open} actions={actions} />
      {view.isFinding && !isFull && <PlainFind {...props} />}
    </>
  )
}

interface FilePickerProps {
  /** A member of its own: React 18 gives a function component no `ref`. */
  input: RefObject<HTMLInputElement | null>
  label: string
  actions: PartProps['actions']
}

function FilePicker({ input, label, actions }: FilePickerProps): ReactElement {
  return (
    <input
      ref={input}
      type="file"
      accept=".json,.jsonc,.jsonl,.ndjson,.geojson,.webmanifest,.txt,application/json,text/plain"
      hidden
      tabIndex={-1}
      aria-label={label}
      onChange={(event) => {
        const file = event.target.files?.[0]
        event.target.value = ''
        if (file) void actions.ready().then((ready) => ready.open(file))
      }}
    />
  )
}
