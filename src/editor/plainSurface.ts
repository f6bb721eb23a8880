// The textarea as a surface: there at once, and for ever where the full editor cannot be had. Undo is the browser's own.
import { LARGE_LENGTH } from './constants.ts'
import { type Edit, findEdit, makeEdit, moveOffset } from './edits.ts'
import type { EditorState, Surface } from './editorState.ts'
import { countBreaks } from './lineEnds.ts'

const PREVIEW_LENGTH = 50_000

/** A large text is only begun in the textarea: the rest would freeze it and comes with the full editor. */
export const beginningOf = (text: string): string =>
  text.length > LARGE_LENGTH ? text.slice(0, PREVIEW_LENGTH) : text

/** Shows the text in the textarea; gives the way to stop listening to it. */
export function showInArea(area: HTMLTextAreaElement, state: EditorState): () => void {
  const page = area.ownerDocument
  let text = state.viewText()
  let isComposing = false
  let isPreview = false
  let hasSteps = false

  const put = () => {
    const isWaiting = state.inputs().full !== false && state.view().full !== 'failed'
    const shown = isWaiting ? beginningOf(text) : text
    isPreview = shown !== text
    if (area.value !== shown) area.value = shown
  }
  /* oxlint-disable typescript/no-deprecated -- nothing else that a program writes can be undone in a textarea */
  /** Runs a command of the browser in the textarea: only those can be undone. The focus comes back to where it was. */
  const command = (name: 'insertText' | 'delete' | 'undo' | 'redo', value?: string) => {
    const focused = page.activeElement as HTMLElement | null
    if (!area.closest('.lkje')?.contains(focused) || typeof page.execCommand !== 'function') return false
    area.focus({ preventScroll: true })
    const isDone = page.execCommand(name, false, value)
    if (focused !== area) focused?.focus({ preventScroll: true })
    return isDone
  }
  /* oxlint-enable typescript/no-deprecated */
  const record = (edit: Edit) => {
    const line = countBreaks(text.slice(0, edit.offset))
    text = makeEdit(text, edit)
    hasSteps = true
    state.lineEnds.change(line, countBreaks(edit.removed), countBreaks(edit.inserted))
  }

  const surface: Surface = {
    isComposing: () => isComposing,
    isPreview: () => isPreview,
    refresh: put,
    read: () => text,
    length: () => text.length,
    edit(edit) {
      const { selectionStart, selectionEnd } = area
      const { offset, removed, inserted } = edit
      record(edit)
      if (!isPreview && text.length <= LARGE_LENGTH) {
        area.setSelectionRange(offset, offset + removed.length)
        command(inserted === '' ? 'delete' : 'insertText', inserted)
      }
      put()
      area.setSelectionRange(moveOffset(selectionStart, edit), moveOffset(selectionEnd, edit))
      state.changed()
    },
    selection: () => ({ start: area.selectionStart, end: area.selectionEnd }),
    select: (start, end) => area.setSelectionRange(start, end),
    area,
    focus: () => area.focus(),
    undo: () => void command('undo'),
    redo: () => void command('redo'),
    canUndo: () => hasSteps,
    canRedo: () => hasSteps,
  }

  const listening = new AbortController()
  const { signal } = listening
  const takeInput = () => {
    const edit = isPreview || signal.aborted ? undefined : findEdit(text, area.value)
    if (!edit) return
    record(edit)
    state.changed()
  }
  area.addEventListener('input', takeInput, { signal })
  area.addEventListener('compositionstart', () => (isComposing = true), { signal })
  area.addEventListener('compositionend', () => (isComposing = false), { signal })
  state.attach(surface, 'plain')
  if (state.version() === 0) {
    // What was typed before the script came is kept: it is the text now.
    if (state.typed !== undefined) area.value = state.typed
    if (area.value !== area.defaultValue) takeInput()
  }
  put()
  return () => listening.abort()
}
