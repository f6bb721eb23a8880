// The textarea as a surface: there at once, and for ever where the full editor cannot be had. Undo of what is typed is the browser's own.
import { LARGE_LENGTH } from './limits.ts'
import { findEdit, makeEdit, moveOffset } from './edits.ts'
import type { EditorState, Surface } from './editorState.ts'

const PREVIEW_LENGTH = 50_000
/** So many texts undo can go back to. */
const MOST_KEPT = 40

/** A large text is only begun in the textarea: the rest would freeze it and comes with the full editor. */
export const beginningOf = (text: string): string =>
  text.length > LARGE_LENGTH ? text.slice(0, PREVIEW_LENGTH) : text

/** Shows the text in the textarea; gives the way to stop listening to it. */
export function showInArea(area: HTMLTextAreaElement, state: EditorState): () => void {
  const page = area.ownerDocument
  let text = state.viewText()
  let isComposing = false
  let isPreview = false

  const put = () => {
    const isWaiting = state.inputs().full !== false && state.view().full !== 'failed'
    const shown = isWaiting ? beginningOf(text) : text
    isPreview = shown !== text
    if (area.value !== shown) area.value = shown
  }
  /** The texts before and after each change by a program: the browser forgets its steps then. */
  let kept = [text]
  let at = 0

  const keep = () => {
    kept = kept.slice(0, at + 1).slice(-MOST_KEPT)
    if (kept.at(-1) !== text) kept.push(text)
    at = kept.length - 1
  }
  const goTo = (next: number) => {
    const edit = findEdit(text, kept[next] ?? text)
    if (!edit || area.readOnly || area.disabled) return
    at = next
    text = makeEdit(text, edit)
    put()
    const end = edit.offset + edit.inserted.length
    area.setSelectionRange(end, end)
    state.changed()
  }
  const travel = (name: 'undo' | 'redo') => {
    const before = text
    const focused = page.activeElement as HTMLElement | null
    if (area.closest('.lkje')!.contains(focused)) {
      area.focus({ preventScroll: true })
      // oxlint-disable-next-line typescript/no-deprecated -- the browser gives its own steps no other name
      page.execCommand?.(name)
      if (focused !== area) focused?.focus({ preventScroll: true })
    }
    if (text !== before) return
    // The browser has no step there.
    if (name === 'redo') goTo(at + 1)
    else goTo(text === kept[at] ? at - 1 : at)
  }

  const surface: Surface = {
    isComposing: () => isComposing,
    isPreview: () => isPreview,
    refresh: put,
    read: () => text,
    length: () => text.length,
    edit(edit) {
      const { selectionStart, selectionEnd } = area
      keep()
      text = makeEdit(text, edit)
      keep()
      put()
      area.setSelectionRange(moveOffset(selectionStart, edit), moveOffset(selectionEnd, edit))
      state.changed()
    },
    selection: () => ({ start: area.selectionStart, end: area.selectionEnd }),
    select: (start, end) => area.setSelectionRange(start, end),
    area,
    focus: () => area.focus(),
    undo: () => travel('undo'),
    redo: () => travel('redo'),
    canUndo: () => text !== kept[0],
    // What the browser could bring back nobody knows.
    canRedo: () => true,
  }

  const listening = new AbortController()
  const { signal } = listening
  const takeInput = () => {
    const edit = isPreview || signal.aborted ? undefined : findEdit(text, area.value)
    if (!edit) return
    text = makeEdit(text, edit)
    state.changed()
  }
  // A test's tools write and then tell of a change alone, for which React listens as well.
  for (const kind of ['input', 'change']) area.addEventListener(kind, takeInput, { signal })
  area.addEventListener(
    'keydown',
    (event) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
      event.preventDefault()
      travel(key === 'y' || event.shiftKey ? 'redo' : 'undo')
    },
    { signal },
  )
  area.addEventListener('compositionstart', () => (isComposing = true), { signal })
  area.addEventListener('compositionend', () => (isComposing = false), { signal })
  state.attach(surface, 'plain')
  // Monaco has not been there: it leaves a mark in the field.
  if (state.version() === 0 && state.view().full === 'waiting') {
    // What was typed before the script came is kept: it is the text now.
    if (state.typed !== undefined) area.value = state.typed
    if (area.value !== area.defaultValue) takeInput()
  }
  put()
  return () => listening.abort()
}
