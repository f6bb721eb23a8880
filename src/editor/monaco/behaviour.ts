// What Monaco does differently here: a way out for the keyboard, a described textbox.
import type { editor, IDisposable } from 'monaco-editor/editor'
import type { EditorState } from '../editorState.ts'
import { withTexts } from '../messages.ts'
import { OWN_ESCAPE } from '../tools/partProps.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'

/** Ends all of them. */
export const ending =
  (...begun: readonly ((() => void) | IDisposable)[]) =>
  (): void => {
    for (const one of begun) {
      if (typeof one === 'function') one()
      else one.dispose()
    }
  }

const findTextbox = (shown: editor.ICodeEditor) =>
  shown.getDomNode()?.querySelector('[role=textbox], textarea')

/** After Escape the Tab key leaves the editor, until something is typed or the editor is left. */
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
    if (browserEvent.key === 'Escape') set(true)
    else if (!isModifier.has(browserEvent.key)) set(false)
  })
  const blur = shown.onDidBlurEditorWidget(() => set(false))
  return ending(keys, blur)
}

export type TextboxDescription = Readonly<Record<`aria-${string}`, string | boolean>>

/** Monaco names its textbox; what describes it has to be put on by hand. */
export function describeTextbox(shown: editor.ICodeEditor, description: TextboxDescription): void {
  const textbox = findTextbox(shown)
  for (const [name, value] of Object.entries(description)) textbox?.setAttribute(name, String(value))
}
