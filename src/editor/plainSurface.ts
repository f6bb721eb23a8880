// The textarea as a surface: there at once, and for ever where the full editor cannot be had.
import { LARGE_LENGTH } from './constants.ts'
import { createHistory, type Edit, type EditHistory, findEdit, makeEdit, moveOffset } from './edits.ts'
import type { EditorState, Surface } from './editorState.ts'
import { countBreaks } from './lineEnds.ts'

export interface PlainSurface extends Surface {
  readonly history: EditHistory
  /** It goes on with the steps of the one before. */
  readonly goesOn: boolean
  /** An input method is composing: the text must not be moved elsewhere now. */
  isComposing(): boolean
  /** Only the beginning is shown, because all of it would freeze the textarea. */
  isPreview(): boolean
  /** Shows all of the text, or only its beginning, as the full editor comes or not. */
  refresh(): void
  /** Stops listening. */
  leave(): void
}

/** How much of a large text is shown while the full editor loads. */
export const PREVIEW_LENGTH = 50_000

export function createPlainSurface(
  area: HTMLTextAreaElement,
  state: EditorState,
  previous: PlainSurface | undefined,
): PlainSurface {
  let text = state.viewText()
  // The textarea may go and come back, hidden by React; its steps are good for as long as its text is.
  const goesOn = previous !== undefined && previous === state.surface() && previous.read() === text
  const history = goesOn ? previous.history : createHistory()
  let isComposing = false
  let isPreview = false

  const put = () => {
    // A large text is only looked at here while the full editor is on its way.
    isPreview = text.length > LARGE_LENGTH && state.inputs().full !== false && state.view().full !== 'failed'
    const shown = isPreview ? text.slice(0, PREVIEW_LENGTH) : text
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

  const surface: PlainSurface = {
    history,
    goesOn,
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
    leave: () => listening.abort(),
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
  // What was typed before the script came is kept: it is the text now.
  if (state.version() === 0 && area.value !== area.defaultValue) takeInput()
  put()
  return surface
}
