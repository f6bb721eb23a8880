// What Monaco does differently here: a way out for the keyboard, pastes that keep their line ends, a described textbox.
import type { editor, IDisposable } from 'monaco-editor/editor'
import { LARGE_LENGTH } from '../constants.ts'
import type { EditorState } from '../editorState.ts'
import { toView } from '../lineEnds.ts'
import { withTexts } from '../messages.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'
import type { FullDocument } from './fullDocument.ts'

/** Ends all of them. */
export const ending =
  (...begun: readonly ((() => void) | IDisposable)[]) =>
  (): void => {
    for (const one of begun) {
      if (typeof one === 'function') one()
      else one.dispose()
    }
  }

/** After Escape the Tab key leaves the editor, until something is typed or the editor is left. */
export function leaveByTab(shown: editor.ICodeEditor, state: EditorState): () => void {
  let leaves = false
  const set = (next: boolean) => {
    if (leaves === next) return
    leaves = next
    shown.updateOptions({ tabFocusMode: next })
    state.show({ note: next ? withTexts(TOOL_MESSAGES, state.inputs().messages).tabMoves : '' })
  }
  const isModifier = new Set(['Shift', 'Control', 'Alt', 'Meta', 'Tab'])
  const keys = shown.onKeyDown(({ browserEvent }) => {
    // A dialog around the editor stays open for this one; the next is the dialog's.
    if (browserEvent.key === 'Escape' && !leaves) browserEvent.preventDefault()
    if (browserEvent.key === 'Escape') set(true)
    else if (!isModifier.has(browserEvent.key)) set(false)
  })
  return ending(
    keys,
    shown.onDidBlurEditorWidget(() => set(false)),
  )
}

/** A paste over everything brings its own line ends, and a large one goes straight into the model. */
export function takePaste(
  { editor: find, model }: FullDocument,
  box: HTMLElement,
  state: EditorState,
): () => void {
  const paste = (event: ClipboardEvent) => {
    const selections = find()?.getSelections() ?? []
    const [selection] = selections
    const surface = state.surface()
    // The find widget has text fields of its own.
    const isOfText = find()?.hasTextFocus() && !(event.target as Element).closest('.find-widget')
    if (!surface || !selection || !isOfText || selections.length > 1 || !state.inputs().canEdit) return
    const pasted = event.clipboardData?.getData('text/plain') ?? ''
    const { start, end } = surface.selection()
    const isWhole = start === 0 && end === surface.length()
    const isLarge = pasted.length > LARGE_LENGTH
    if (!isLarge && !(isWhole && (pasted.includes('\r') || pasted.startsWith('\ufeff')))) return
    event.preventDefault()
    event.stopPropagation()
    const after = surface.length() - end
    if (isWhole) state.replace(pasted, true)
    else surface.edit({ offset: start, removed: model.getValueInRange(selection), inserted: toView(pasted) })
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
