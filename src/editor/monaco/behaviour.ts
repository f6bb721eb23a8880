// Adapts Monaco's accessibility: the keyboard can leave it, and its textbox has a description.
import type { editor, IDisposable } from 'monaco-editor/editor'
import type { EditorState } from '../editorState.ts'
import { withTexts } from '../messages.ts'
import { OWN_ESCAPE } from '../tools/partProps.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'

/** Returns a function that ends or disposes all of them. */
export const ending =
  (...begun: readonly ((() => void) | IDisposable)[]) =>
  (): void =>
    begun.forEach((one) => (typeof one === 'function' ? one() : one.dispose()))

const findTextbox = (shown: editor.ICodeEditor) =>
  shown.getDomNode()?.querySelector('[role=textbox], textarea')

/** After Escape, Tab leaves the editor until a key is typed or the editor loses the focus. */
export function leaveByTab(shown: editor.ICodeEditor, state: EditorState): () => void {
  let leaves = false
  const set = (next: boolean) => {
    if (leaves === next) return
    leaves = next
    shown.updateOptions({ tabFocusMode: next })
    findTextbox(shown)?.setAttribute(OWN_ESCAPE, String(!next))
    state.show({ note: next ? withTexts(TOOL_MESSAGES, state.inputs().messages).tabMoves : '' })
  }
  const isModifier = new Set(['Shift', 'Control', 'Alt', 'Meta', 'Tab'])
  const keys = shown.onKeyDown(({ browserEvent }) => {
    if (!isModifier.has(browserEvent.key)) set(browserEvent.key === 'Escape')
  })
  const blur = shown.onDidBlurEditorWidget(() => set(false))
  return ending(keys, blur)
}

export type TextboxDescription = Readonly<Record<`aria-${string}`, string | boolean>>

/** Sets the textbox's description by hand: Monaco only sets its name. */
export function describeTextbox(shown: editor.ICodeEditor, description: TextboxDescription): void {
  const textbox = findTextbox(shown)
  for (const [name, value] of Object.entries(description)) textbox?.setAttribute(name, String(value))
}
