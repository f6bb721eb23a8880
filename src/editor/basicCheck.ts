// The check where not even the tools could be loaded: what JSON.parse itself says.
import type { EditorState } from './editorState.ts'

/** Checks after each pause from now on, until tools that arrive after all do it better. */
export function checkBasically(area: HTMLTextAreaElement, state: EditorState): void {
  state.onCheck(() => {
    let reason = ''
    try {
      JSON.parse(state.text())
    } catch (error) {
      reason = (error as Error).message
    }
    const isBlank = state.text().trim() === ''
    area.setCustomValidity(isBlank ? '' : reason)
    // What the schema would say is not known here.
    const found = state.inputs().schema === undefined ? 'valid' : 'unknown'
    state.show({ verdict: isBlank ? 'empty' : reason ? 'invalid' : found, note: reason, isChecking: false })
  })
  state.recheck()
}
