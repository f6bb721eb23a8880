// What Monaco does differently here: a way out for the keyboard, pastes that keep their line ends, a described textbox.
import type { editor, IDisposable } from 'monaco-editor/editor'
import { LARGE_LENGTH } from '../constants.ts'
import type { EditorState } from '../editorState.ts'
import { toView } from '../lineEnds.ts'
import { withTexts } from '../messages.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'
import type { FullDocument } from './fullDocument.ts'
import type { Monaco } from './language.ts'

/** Ends all of them. */
export const ending =
  (...begun: readonly ((() => void) | IDisposable)[]) =>
  (): void => {
    for (const one of begun) {
      if (typeof one === 'function') one()
      else one.dispose()
    }
  }

/** What an editor here does by keyboard, the one that is shown and the one that compares. */
export function takeKeys(shown: editor.ICodeEditor, monaco: Monaco, state: EditorState): () => void {
  const tell = (leaves: boolean) =>
    state.show({ note: leaves ? withTexts(TOOL_MESSAGES, state.inputs().messages).tabMoves : '' })
  return ending(takeUndo(shown, monaco, state), leaveByTab(shown, tell))
}

/** After Escape the Tab key leaves the editor, until something is typed or the editor is left. */
function leaveByTab(shown: editor.ICodeEditor, onChange: (leaves: boolean) => void): () => void {
  let leaves = false
  const set = (next: boolean) => {
    if (leaves === next) return
    leaves = next
    shown.updateOptions({ tabFocusMode: next })
    onChange(next)
  }
  const isModifier = new Set(['Shift', 'Control', 'Alt', 'Meta', 'Tab'])
  const keys = shown.onKeyDown(({ browserEvent: { key } }) => {
    if (key === 'Escape') set(true)
    else if (!isModifier.has(key)) set(false)
  })
  return ending(
    keys,
    shown.onDidBlurEditorWidget(() => set(false)),
  )
}

/** Undo and redo by the keyboard go where the toolbar's go: beyond the model that is shown now. */
function takeUndo(shown: editor.ICodeEditor, { KeyMod, KeyCode }: Monaco, state: EditorState): () => void {
  const undo = KeyMod.CtrlCmd | KeyCode.KeyZ
  const redos = [undo | KeyMod.Shift, KeyMod.CtrlCmd | KeyCode.KeyY]
  const keys = shown.onKeyDown((event) => {
    const isUndo = event.equals(undo)
    if (!isUndo && !redos.some((redo) => event.equals(redo))) return
    event.preventDefault()
    event.stopPropagation()
    if (!state.inputs().canEdit) return
    if (isUndo) state.surface()?.undo()
    else state.surface()?.redo()
  })
  return ending(keys)
}

/** A paste over everything brings its own line ends, and a large one goes straight into the model. */
export function takePaste(document: FullDocument, box: HTMLElement, state: EditorState): () => void {
  const paste = (event: ClipboardEvent) => {
    const target = event.target as Element | null
    const shown = document.editor()
    const model = shown?.getModel()
    // The find widget has text fields of its own.
    if (
      !shown ||
      !model ||
      !shown.hasTextFocus() ||
      target?.closest('.find-widget') ||
      !state.inputs().canEdit
    )
      return
    const pasted = event.clipboardData?.getData('text/plain') ?? ''
    const selections = shown.getSelections() ?? []
    const [selection] = selections
    if (!selection || selections.length > 1) return
    const start = model.getOffsetAt(selection.getStartPosition())
    const end = model.getOffsetAt(selection.getEndPosition())
    const isWhole = start === 0 && end === model.getValueLength()
    const isLarge = pasted.length > LARGE_LENGTH
    if (!isLarge && !(isWhole && (pasted.includes('\r') || pasted.startsWith('\ufeff')))) return
    event.preventDefault()
    event.stopPropagation()
    const surface = state.surface()!
    const after = surface.length() - end
    if (isWhole) state.replace(pasted, true)
    else {
      const removed = model.getValueInRange(selection)
      surface.edit({ offset: start, removed, inserted: toView(pasted) })
    }
    const caret = surface.length() - after
    surface.select(caret, caret)
    // Nobody is in the middle of a word then: the check need not wait for a pause, only for the picture.
    if (isLarge) requestAnimationFrame(() => setTimeout(state.flush))
  }
  box.addEventListener('paste', paste, { capture: true })
  return () => box.removeEventListener('paste', paste, { capture: true })
}

export interface TextboxDescription {
  readonly describedBy: string
  readonly isInvalid: boolean
  readonly isDisabled: boolean
  readonly isReadOnly: boolean
}

/** Monaco names its textbox; what describes it has to be put on by hand. */
export function describeTextbox(shown: editor.ICodeEditor, description: TextboxDescription): void {
  const textbox = shown.getDomNode()?.querySelector('[role=textbox], textarea')
  if (!textbox) return
  textbox.setAttribute('aria-describedby', description.describedBy)
  textbox.setAttribute('aria-invalid', String(description.isInvalid))
  textbox.setAttribute('aria-disabled', String(description.isDisabled))
  textbox.setAttribute('aria-readonly', String(description.isReadOnly))
}
