// The textarea as a surface: there at once, and for ever where the full editor cannot be had.
import { LARGE_LENGTH } from './constants.ts'
import { createHistory, type Edit, findEdit, makeEdit, moveOffset } from './edits.ts'
import type { EditorState, Surface } from './editorState.ts'
import { countBreaks } from './lineEnds.ts'

const PREVIEW_LENGTH = 50_000

/** A large text is only begun in the textarea: the rest would freeze it and comes with the full editor. */
export const beginningOf = (text: string): string =>
  text.length > LARGE_LENGTH ? text.slice(0, PREVIEW_LENGTH) : text

/** Shows the text in the textarea; gives the way to stop listening to it. */
export function showInArea(area: HTMLTextAreaElement, state: EditorState): () => void {
  let text = state.viewText()
  // The textarea may go and come back, hidden by React; its steps are good for as long as its text is.
  const previous = state.surface()
  const known = previous?.read() === text ? previous.history : undefined
  const history = known ?? createHistory()
  let isComposing = false
  let isPreview = false

  const put = () => {
    const isWaiting = state.inputs().full !== false && state.view().full !== 'failed'
    const shown = isWaiting ? beginningOf(text) : text
    isPreview = shown !== text
    if (area.value !== shown) area.value = shown
  }
  const record = (edit: Edit, isTyping: boolean) => {
    const line = countBreaks(text.slice(0, edit.offset))
    text = makeEdit(text, edit)
    history.add(edit, isTyping)
    state.lineEnds.change(line, countBreaks(edit.removed), countBreaks(edit.inserted), history.done.length)
  }
  const travel = (edit: Edit | undefined, selected?: Edit['selected']) => {
    if (!edit || area.readOnly || area.disabled) return
    text = makeEdit(text, edit)
    state.lineEnds.restore(history.done.length)
    put()
    area.setSelectionRange(...(selected ?? [edit.offset, edit.offset + edit.inserted.length]))
    state.changed()
  }

  const surface: Surface = {
    history,
    isComposing: () => isComposing,
    isPreview: () => isPreview,
    refresh: put,
    read: () => text,
    length: () => text.length,
    edit(edit) {
      const { selectionStart, selectionEnd } = area
      record({ ...edit, selected: [selectionStart, selectionEnd] }, false)
      put()
      area.setSelectionRange(moveOffset(selectionStart, edit), moveOffset(selectionEnd, edit))
      state.changed()
    },
    selection: () => ({ start: area.selectionStart, end: area.selectionEnd }),
    select: (start, end) => area.setSelectionRange(start, end),
    area,
    focus: () => area.focus(),
    undo() {
      const selected = history.done.at(-1)?.selected
      travel(history.undo(), selected)
    },
    redo: () => travel(history.redo()),
    canUndo: history.canUndo,
    canRedo: history.canRedo,
    stamp: () => history.done.length,
  }

  const listening = new AbortController()
  const { signal } = listening
  const takeInput = () => {
    if (isPreview || signal.aborted) return
    const edit = findEdit(text, area.value)
    if (!edit) return
    record(edit, edit.removed === '' && edit.inserted.length < 3)
    state.changed()
  }
  const hear = (event: Event) => {
    // What was dragged is put in elsewhere in the same moment: both are one step.
    if ((event as InputEvent).inputType === 'deleteByDrag') setTimeout(takeInput)
    else takeInput()
  }
  area.addEventListener('input', hear, { signal })
  area.addEventListener('compositionstart', () => (isComposing = true), { signal })
  area.addEventListener('compositionend', () => (isComposing = false), { signal })
  area.addEventListener(
    'beforeinput',
    (event) => {
      if (!event.inputType.startsWith('history')) return
      event.preventDefault()
      if (event.inputType === 'historyUndo') surface.undo()
      else surface.redo()
    },
    { signal },
  )
  state.attach(surface, 'plain', known && 'the same')
  if (state.version() === 0) {
    // What was typed before the script came is kept: it is the text now.
    if (state.typed !== undefined) area.value = state.typed
    if (area.value !== area.defaultValue) takeInput()
  }
  put()
  return () => listening.abort()
}
