// One text and its state, whatever shows it: the textarea, the full editor, or nothing while hidden.
import { CHECK_DEBOUNCE_MS, HUGE_LENGTH, LARGE_LENGTH } from './limits.ts'
import { type Edit, findEdit } from './edits.ts'
import { toView, usualEnd } from './lineEnds.ts'
import type { JsonEditorProps, MonacoParts } from './props.ts'
import type { JsonFault } from './types.ts'

/** The field that shows the text, with `\n` line endings only. */
export interface Surface {
  read(): string
  length(): number
  /** Makes one edit as one undo step; `after` is the resulting text, if known. */
  edit(edit: Edit, after?: string): void
  /** The first selection; a surface may have several. */
  selection(): { start: number; end: number }
  hasSeveralSelections?(): boolean
  /** Selects, without the focus; the full editor also scrolls there. */
  select(start: number, end: number): void
  /** The textarea, if this is one: scrolling it to a place needs a tool. */
  readonly area?: HTMLTextAreaElement
  /** An input method is composing: the text must not be replaced now. */
  isComposing?(): boolean
  /** Only the beginning is shown: the whole text would freeze the textarea. */
  isPreview?(): boolean
  /** Shows the whole text, or only its beginning while the full editor is expected. */
  refresh?(): void
  /** Opens the surface's own search. */
  find?(): void
  focus(): void
  undo(): void
  redo(): void
  canUndo(): boolean
  canRedo(): boolean
}

/** The latest props, for code that runs between renders. */
export interface EditorInputs extends Omit<JsonEditorProps, 'schema'> {
  readonly schema?: object | boolean | undefined
  readonly canEdit?: boolean
}

/** The state that is shown around the text. */
export interface EditorView {
  readonly surface: 'plain' | 'full'
  /** The loading state of the full editor. */
  readonly full: 'waiting' | 'loading' | 'ready' | 'failed'
  /** What the page's CSP would have to allow for it; `undefined` if it failed for another reason. */
  readonly refusal?: string | undefined
  readonly result: 'unknown' | 'empty' | 'valid' | 'invalid' | 'too-large'
  readonly isChecking: boolean
  /** The schema check of this text timed out: Monaco's JSON service does not run either. */
  readonly isGivenUp?: boolean
  readonly faults: readonly JsonFault[]
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly isEmpty: boolean
  readonly size: 'small' | 'large' | 'huge'
  /** The label of long work in progress. */
  readonly progress?: string | undefined
  /** The last event, for the status line. */
  readonly note: string
  readonly isWrapped: boolean
  readonly isComparing: boolean
  /** The user asked for the search, which comes with the full editor. */
  readonly isFinding: boolean
  /** By its own prop or by a fieldset around it. */
  readonly isDisabled: boolean
  /** The height of the full editor's text, in pixels. */
  readonly contentHeight: number
  /** The theme of the page, once detected. */
  readonly pageTheme?: 'light' | 'dark' | 'high-contrast' | undefined
  /** The size of the textarea's letters, which follows the page. */
  readonly fontSize?: string
  /** The user forces colours on a light background: a black editor would not fit the page. */
  readonly isForcedLight?: boolean
}

export type EditorState = ReturnType<typeof createEditorState>

/** How many announced texts are remembered, to tell a late echo from a new value. */
const MAX_ECHOES = 50

const sizeOf = (length: number) => (length > HUGE_LENGTH ? 'huge' : length > LARGE_LENGTH ? 'large' : 'small')

const startView = (initial: string): EditorView => ({
  surface: 'plain',
  full: 'waiting',
  result: 'unknown',
  isChecking: false,
  faults: [],
  canUndo: false,
  // As the textarea reports it: another value would render the editor twice before it is shown.
  canRedo: true,
  isEmpty: initial === '',
  size: sizeOf(initial.length),
  note: '',
  isWrapped: false,
  isComparing: false,
  isFinding: false,
  isDisabled: false,
  contentHeight: 72,
})

/** The view and its subscribers. */
function createViewStore(first: EditorView) {
  const listeners = new Set<() => void>()
  let view = first
  return {
    view: () => view,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show(change: Partial<EditorView>): void {
      const keys = Object.keys(change) as (keyof EditorView)[]
      if (keys.every((key) => view[key] === change[key])) return
      view = { ...view, ...change }
      for (const listener of listeners) listener()
    },
  }
}

interface SyncPorts {
  inputs(): EditorInputs
  text(): string
  /** Applies the parent's value. */
  replace(text: string): void
  check(): void
}

/** Sends changes to the parent, receives its values, and runs the check when typing pauses. */
function createParentSync({ inputs, text, replace, check }: SyncPorts) {
  /** Texts announced to the parent that it has not passed back, oldest first: an echo may be late. */
  let echoes: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAnnounced = true
  /** The parent's newest value, if it came during typing: applied at the next pause. */
  let waiting: string | undefined
  const announce = () => {
    if (isAnnounced) return
    isAnnounced = true
    const now = text()
    const { value, onChange } = inputs()
    if (value !== undefined) echoes.push(now)
    if (echoes.length > (now.length > LARGE_LENGTH ? 2 : MAX_ECHOES)) echoes.shift()
    onChange?.(now)
  }
  const pause = () => {
    timer = undefined
    announce()
    if (waiting !== undefined) {
      echoes = []
      replace(waiting)
      waiting = undefined
    }
    check()
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(pause, CHECK_DEBOUNCE_MS)
  }
  return {
    wait,
    /** The user has changed the text to this length. */
    change(length: number) {
      isAnnounced = false
      if (length <= LARGE_LENGTH) announce()
    },
    /** Receives the parent's `value`. */
    receive(value: string) {
      const known = echoes.lastIndexOf(value)
      echoes.splice(0, known + 1)
      waiting = undefined
      if (known >= 0 || (isAnnounced && value === text())) return
      if (echoes.length > 1 || !isAnnounced) {
        waiting = value
        wait()
        return
      }
      echoes = []
      replace(value)
    },
    /** Announces pending changes and checks at once. */
    flush() {
      if (timer === undefined) return
      clearTimeout(timer)
      pause()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      announce()
    },
  }
}

export function createEditorState(initial: string) {
  let lineEnd = usualEnd(initial)
  const { view, show, subscribe } = createViewStore(startView(initial))
  let inputs: EditorInputs = {}
  let surface: Surface | undefined
  let cachedView: string | undefined = toView(initial)
  let cachedText: string | undefined = initial
  let version = 0
  let check: (() => void) | undefined
  const listeners = new Set<(length: number) => void>()
  let isWriting = false
  let monaco: MonacoParts | undefined
  let later: ReturnType<typeof setTimeout> | undefined
  const sync = createParentSync({
    inputs: () => inputs,
    text: () => state.text(),
    replace: (text) => state.replace(text, false),
    check: () => check?.(),
  })

  const finishChange = (isOwn: boolean, newView?: string, newText?: string) => {
    cachedView = newView
    cachedText = newText
    version++
    const length = newView?.length ?? surface?.length() ?? 0
    show({
      canUndo: surface?.canUndo() ?? false,
      canRedo: surface?.canRedo() ?? false,
      isEmpty: length === 0,
      size: sizeOf(length),
      note: '',
    })
    for (const listener of listeners) listener(length)
    if (isOwn) sync.change(length)
    sync.wait()
  }

  const state = {
    /** The text's line ending; a surface has `\n` instead. */
    lineEnd: () => lineEnd,
    /** Checks the same text by new rules. */
    recheck: () => check?.(),
    subscribe,
    view,
    show,
    configure(next: EditorInputs) {
      inputs = next
    },
    inputs: () => inputs,
    surface: () => surface,
    attach(next: Surface | undefined, kind: EditorView['surface']) {
      if (!next && surface) cachedView = surface.read()
      surface = next
      show({ surface: kind, canUndo: next?.canUndo() ?? false, canRedo: next?.canRedo() ?? false })
    },
    /** The text with `\n` line endings. */
    viewText: (): string => (cachedView ??= surface?.read() ?? ''),
    /** The text, byte for byte; the first edit unifies mixed line endings. */
    text: (): string =>
      (cachedText ??= lineEnd === '\n' ? state.viewText() : state.viewText().replaceAll('\n', lineEnd)),
    /** Replaces the text as one undo step; the user's changes (`isOwn`) are announced to the parent, its own are not. */
    replace(text: string, isOwn: boolean): void {
      clearTimeout(later)
      if (surface?.isComposing?.()) {
        // Replacing the text while an input method composes would lose letters.
        later = setTimeout(state.replace, CHECK_DEBOUNCE_MS, text, isOwn)
        return
      }
      const next = toView(text)
      const edit = findEdit(state.viewText(), next)
      if (!edit && text === state.text()) return
      isWriting = true
      if (edit) surface?.edit(edit, next)
      isWriting = false
      lineEnd = usualEnd(text)
      // Cached: a large text need not be read from the surface again.
      finishChange(isOwn, next, text)
    },
    /** A surface calls this after the user has changed its text. */
    changed() {
      if (!isWriting) finishChange(true)
    },
    receive: sync.receive,
    flush: sync.flush,
    stop() {
      clearTimeout(later)
      sync.stop()
    },
    /** Increases with every change. */
    version: () => version,
    /** Monaco and its editor, while mounted. */
    monaco: () => monaco,
    setMonaco(parts: MonacoParts | undefined) {
      monaco = parts
    },
    /** The field's text before hydration, which resets it to the initial text. */
    typed: undefined as string | undefined,
    /** Sets the function that checks the text. */
    onCheck(next: (() => void) | undefined) {
      check = next
    },
    /** Calls `listener` with the text's length synchronously on every change; returns a function that stops it. */
    onText(listener: (length: number) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return state
}
