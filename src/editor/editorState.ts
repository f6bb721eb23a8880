// One text and everything known about it, whatever shows it: the textarea, the full editor, or nothing while hidden.
import { CHECK_DEBOUNCE_MS, HUGE_LENGTH, LARGE_LENGTH } from './constants.ts'
import { type Edit, findEdit } from './edits.ts'
import type { EditorView } from './editorView.ts'
import { createLineEnds, type LineEnds, toView } from './lineEnds.ts'
import type { Place } from './places.ts'
import type { JsonEditorProps } from './props.ts'

/** What shows the text and lets people change it. It holds the text with `\n` line ends only. */
export interface Surface {
  read(): string
  length(): number
  /** Makes one edit that undo takes back in one step; `after` is the whole text then, from whoever sees to its line ends. */
  edit(edit: Edit, after?: string): void
  selection(): { start: number; end: number }
  /** The line and column of an offset, where that is known without reading the text. */
  placeOf?(offset: number): Place
  /** Selects and scrolls there; the focus follows only when asked. */
  select(start: number, end: number): void
  focus(): void
  undo(): void
  redo(): void
  canUndo(): boolean
  canRedo(): boolean
  /** Names the state of the text; undo comes back to the same name. */
  stamp(): number
}

/** The props of the component, for what happens between two renderings; the newest count. */
export interface EditorInputs extends JsonEditorProps {
  readonly canEdit?: boolean
}

/** What only a later part can do; it lends it to those that are there before. */
export interface LaterAbilities {
  find(): void
  /** Scrolls the textarea to an offset of its text. */
  reveal(area: HTMLTextAreaElement, text: string, offset: number): void
}

export interface EditorState {
  readonly lineEnds: LineEnds
  subscribe(listener: () => void): () => void
  view(): EditorView
  show(change: Partial<EditorView>): void
  configure(inputs: EditorInputs): void
  inputs(): EditorInputs
  surface(): Surface | undefined
  /** `names`: what states of the last surface are called in this one; none when it knows nothing of them. */
  attach(
    surface: Surface | undefined,
    kind: EditorView['surface'],
    names?: 'the same' | readonly (readonly [number, number])[],
  ): void
  /** The text, byte for byte. */
  text(): string
  /** The text with `\n` line ends. */
  viewText(): string
  /** Puts another text in place as one step; people's own changes are announced, a parent's are not. */
  replace(text: string, isOwn: boolean): void
  /** A surface says that a person changed the text. */
  changed(isOwn?: boolean): void
  /** The parent's `value`. */
  receive(value: string): void
  /** Announces what is waiting to be announced and checks at once. */
  flush(): void
  /** Grows with every change. */
  version(): number
  /** Runs when the text is to be checked. */
  onCheck(check: (() => void) | undefined): void
  /** Runs with every change, at once. */
  onText(listener: (() => void) | undefined): void
  stop(): void
  /** What later parts lend, while they are there. */
  abilities(): Partial<LaterAbilities>
  /** Lends something; the answer takes it back. */
  lend(abilities: Partial<LaterAbilities>): () => void
  /** Checks again although the text is the same: its rules are others. */
  recheck(): void
}

/** How many announced texts are remembered to know a late echo from a new value. */
const MOST_ECHOES = 50

/** A change of so many characters at once is no typing. */
const STALE_LENGTH = 20

const sizeOf = (length: number) => (length > HUGE_LENGTH ? 'huge' : length > LARGE_LENGTH ? 'large' : 'small')

export function createEditorState(initial: string): EditorState {
  const listeners = new Set<() => void>()
  const lineEnds = createLineEnds(initial)
  let view: EditorView = {
    surface: 'plain',
    full: 'waiting',
    refusal: undefined,
    verdict: 'unknown',
    isChecking: false,
    faults: [],
    canUndo: false,
    canRedo: false,
    isEmpty: initial === '',
    size: sizeOf(initial.length),
    progress: undefined,
    note: '',
    proposed: undefined,
    isWrapped: false,
    isComparing: false,
    isFullScreen: false,
    isFinding: false,
    isDisabled: false,
    contentHeight: 72,
    pageTheme: undefined,
  }
  let inputs: EditorInputs = {}
  let surface: Surface | undefined
  let held: string | undefined = toView(initial)
  let heldText: string | undefined = initial
  let version = 0
  let check: (() => void) | undefined
  let onText = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const abilities: Partial<LaterAbilities> = {}
  let lastLength = initial.length
  let isAnnounced = true
  let isWriting = false
  /** What the parent was told and has not answered, oldest first. */
  let echoes: string[] = []
  /** A parent's value that came while people typed on: it counts when they pause. */
  let waiting: string | undefined

  const announce = () => {
    if (isAnnounced) return
    isAnnounced = true
    const text = state.text()
    if (inputs.value !== undefined) echoes.push(text)
    if (echoes.length > (text.length > LARGE_LENGTH ? 2 : MOST_ECHOES)) echoes.shift()
    inputs.onChange?.(text)
  }
  const pause = () => {
    timer = undefined
    announce()
    if (waiting !== undefined) {
      const value = waiting
      waiting = undefined
      echoes = []
      state.replace(value, false)
    }
    check?.()
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(pause, CHECK_DEBOUNCE_MS)
  }
  const settle = (isOwn: boolean, newView?: string, newText?: string) => {
    held = newView
    heldText = newText
    version++
    const length = newView?.length ?? surface?.length() ?? 0
    view.proposed?.decide(false)
    // After a paste or an action the old verdict is about another text; one key more hardly changes it, unless a schema judges.
    const isJudged = inputs.schema !== undefined && view.verdict === 'valid'
    if (isJudged || Math.abs(length - lastLength) > STALE_LENGTH)
      state.show({ verdict: 'unknown', isChecking: true })
    lastLength = length
    state.show({
      canUndo: surface?.canUndo() ?? false,
      canRedo: surface?.canRedo() ?? false,
      isEmpty: length === 0,
      size: sizeOf(length),
      note: '',
    })
    onText()
    if (isOwn) {
      isAnnounced = false
      if (length <= LARGE_LENGTH) announce()
    }
    wait()
  }

  const state: EditorState = {
    lineEnds,
    abilities: () => abilities,
    lend(lent) {
      Object.assign(abilities, lent)
      return () => {
        for (const name of Object.keys(lent)) delete abilities[name as keyof LaterAbilities]
      }
    },
    recheck: () => check?.(),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    view: () => view,
    show(change) {
      const keys = Object.keys(change) as (keyof EditorView)[]
      if (keys.every((key) => view[key] === change[key])) return
      view = { ...view, ...change }
      for (const listener of listeners) listener()
    },
    configure(next) {
      inputs = next
    },
    inputs: () => inputs,
    surface: () => surface,
    attach(next, kind, names) {
      if (!next && surface) held = surface.read()
      if (next && names !== 'the same') lineEnds.rebase(next.stamp(), names)
      surface = next
      state.show({ surface: kind, canUndo: next?.canUndo() ?? false, canRedo: next?.canRedo() ?? false })
    },
    viewText: () => (held ??= surface?.read() ?? ''),
    text: () => (heldText ??= lineEnds.toText(state.viewText())),
    replace(text, isOwn) {
      const next = toView(text)
      const edit = findEdit(state.viewText(), next)
      if (!edit && text === state.text()) return
      isWriting = true
      if (edit) surface?.edit(edit, next)
      isWriting = false
      // After the edit, which has counted the lines as if they were typed.
      lineEnds.reset(text, surface?.stamp() ?? 0, next)
      // Known as it is: a large one need not be read out of the surface again.
      settle(isOwn, next, text)
    },
    changed(isOwn = true) {
      if (!isWriting) settle(isOwn)
    },
    receive(value) {
      const known = echoes.lastIndexOf(value)
      if (known >= 0) {
        echoes.splice(0, known + 1)
        return
      }
      if (isAnnounced && value === state.text()) return
      if (echoes.length > 1 || !isAnnounced) {
        waiting = value
        wait()
        return
      }
      echoes = []
      state.replace(value, false)
    },
    flush() {
      if (timer === undefined) return
      clearTimeout(timer)
      pause()
    },
    version: () => version,
    onCheck(next) {
      check = next
    },
    onText(next) {
      onText = next ?? (() => {})
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      announce()
    },
  }
  return state
}
