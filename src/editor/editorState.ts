// One text and everything known about it, whatever shows it: the textarea, the full editor, or nothing while hidden.
import { CHECK_DEBOUNCE_MS, HUGE_LENGTH, LARGE_LENGTH } from './limits.ts'
import { type Edit, findEdit } from './edits.ts'
import { toView, usualEnd } from './lineEnds.ts'
import type { JsonEditorProps, MonacoParts } from './props.ts'
import type { JsonFault } from './types.ts'

/** What shows the text and lets people change it. It holds the text with `\n` line ends only. */
export interface Surface {
  read(): string
  length(): number
  /** Makes one edit that undo takes back in one step; `after` is the whole text then, where that is known. */
  edit(edit: Edit, after?: string): void
  /** The first one; a surface may have several. */
  selection(): { start: number; end: number }
  hasSeveralSelections?(): boolean
  /** Selects; the full editor scrolls there as well, the focus follows only when asked. */
  select(start: number, end: number): void
  /** What shows the text when it is a textarea: scrolling there needs a tool. */
  readonly area?: HTMLTextAreaElement
  /** An input method is composing in it: the text must not be moved elsewhere now. */
  isComposing?(): boolean
  /** Only the beginning is shown, because all of it would freeze the textarea. */
  isPreview?(): boolean
  /** Shows all of the text, or only its beginning, as the full editor comes or not. */
  refresh?(): void
  /** Opens a search of its own. */
  find?(): void
  focus(): void
  undo(): void
  redo(): void
  canUndo(): boolean
  canRedo(): boolean
}

/** The props of the component, for what happens between two renderings; the newest count. */
export interface EditorInputs extends Omit<JsonEditorProps, 'schema'> {
  readonly schema?: object | boolean | undefined
  readonly canEdit?: boolean
}

/** What people see beside the text. */
export interface EditorView {
  readonly surface: 'plain' | 'full'
  /** How the full editor is doing. */
  readonly full: 'waiting' | 'loading' | 'ready' | 'failed'
  /** Says what the page's policy would have to allow for it; nothing when it failed for another reason. */
  readonly refusal?: string | undefined
  readonly verdict: 'unknown' | 'empty' | 'valid' | 'invalid' | 'too-large'
  readonly isChecking: boolean
  /** The schema took too long with this text: Monaco's JSON service is not asked about it either. */
  readonly isGivenUp?: boolean
  readonly faults: readonly JsonFault[]
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly isEmpty: boolean
  readonly size: 'small' | 'large' | 'huge'
  /** Long work that is going on, as it is said. */
  readonly progress?: string | undefined
  /** The last thing that happened, for the status line. */
  readonly note: string
  readonly isWrapped: boolean
  readonly isComparing: boolean
  /** Somebody has asked for the search, which comes with the full editor. */
  readonly isFinding: boolean
  /** By its own property or by a fieldset around it. */
  readonly isDisabled: boolean
  /** How high the full editor's text is, in pixels. */
  readonly contentHeight: number
  /** What the page around looks like, once that has been read. */
  readonly pageTheme?: 'light' | 'dark' | 'high-contrast' | undefined
}

export type EditorState = ReturnType<typeof createEditorState>

/** How many announced texts are remembered to know a late echo from a new value. */
const MOST_ECHOES = 50

const sizeOf = (length: number) => (length > HUGE_LENGTH ? 'huge' : length > LARGE_LENGTH ? 'large' : 'small')

const startView = (initial: string): EditorView => ({
  surface: 'plain',
  full: 'waiting',
  verdict: 'unknown',
  isChecking: false,
  faults: [],
  canUndo: false,
  // A textarea cannot say: the browser has its steps.
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

/** What people see beside the text, and who is told when that changes. */
function createShown(first: EditorView) {
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

interface TalkedAbout {
  inputs(): EditorInputs
  text(): string
  /** Puts the parent's value in place. */
  replace(text: string): void
  check(): void
}

/** Tells the parent what was typed, takes its values, and has the text checked when people pause. */
function createTalk({ inputs, text, replace, check }: TalkedAbout) {
  /** What the parent was told and has not answered, oldest first: it may come back late. */
  let echoes: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAnnounced = true
  /** The parent's newest value, if it came while people typed on: it counts when they pause. */
  let waiting: string | undefined
  const announce = () => {
    if (isAnnounced) return
    isAnnounced = true
    const now = text()
    const { value, onChange } = inputs()
    if (value !== undefined) echoes.push(now)
    if (echoes.length > (now.length > LARGE_LENGTH ? 2 : MOST_ECHOES)) echoes.shift()
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
    /** A person has changed the text, which is so long now. */
    change(length: number) {
      isAnnounced = false
      if (length <= LARGE_LENGTH) announce()
    },
    /** The parent's `value`. */
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
    /** Announces what is waiting to be announced and checks at once. */
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
  const { view, show, subscribe } = createShown(startView(initial))
  let inputs: EditorInputs = {}
  let surface: Surface | undefined
  let held: string | undefined = toView(initial)
  let heldText: string | undefined = initial
  let version = 0
  let check: (() => void) | undefined
  const listeners = new Set<(length: number) => void>()
  let isWriting = false
  let monaco: MonacoParts | undefined
  let later: ReturnType<typeof setTimeout> | undefined
  const talk = createTalk({
    inputs: () => inputs,
    text: () => state.text(),
    replace: (text) => state.replace(text, false),
    check: () => check?.(),
  })

  const settle = (isOwn: boolean, newView?: string, newText?: string) => {
    held = newView
    heldText = newText
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
    if (isOwn) talk.change(length)
    talk.wait()
  }

  const state = {
    /** The line end of the text: what a surface holds as `\n`. */
    lineEnd: () => lineEnd,
    /** Checks again although the text is the same: its rules are others. */
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
      if (!next && surface) held = surface.read()
      surface = next
      show({ surface: kind, canUndo: next?.canUndo() ?? false, canRedo: next?.canRedo() ?? false })
    },
    /** The text with `\n` line ends. */
    viewText: (): string => (held ??= surface?.read() ?? ''),
    /** The text, byte for byte; line ends that differ are one with the first edit. */
    text: (): string =>
      (heldText ??= lineEnd === '\n' ? state.viewText() : state.viewText().replaceAll('\n', lineEnd)),
    /** Puts another text in place as one step; people's own changes are announced, a parent's are not. */
    replace(text: string, isOwn: boolean): void {
      clearTimeout(later)
      if (surface?.isComposing?.()) {
        // An input method is in the middle of a word: put in now, the text would lose letters.
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
      // Known as it is: a large one need not be read out of the surface again.
      settle(isOwn, next, text)
    },
    /** A surface says that a person changed the text. */
    changed() {
      if (!isWriting) settle(true)
    },
    receive: talk.receive,
    flush: talk.flush,
    stop() {
      clearTimeout(later)
      talk.stop()
    },
    /** Grows with every change. */
    version: () => version,
    /** Monaco and its editor, while they are there. */
    monaco: () => monaco,
    lend(parts: MonacoParts | undefined) {
      monaco = parts
    },
    /** What stood in the field of the server's page before React took it over, which puts the first text back there. */
    typed: undefined as string | undefined,
    /** Runs when the text is to be checked. */
    onCheck(next: (() => void) | undefined) {
      check = next
    },
    /** Runs with every change, at once, with how long the text is then; gives the way to stop. */
    onText(listener: (length: number) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return state
}
