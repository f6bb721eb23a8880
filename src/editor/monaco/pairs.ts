// Two models side by side in Monaco's comparison, and an end to it.
import type { editor } from 'monaco-editor/editor'

const shownPairs = new WeakMap<editor.IDiffEditor, editor.IDiffEditorViewModel>()

/**
 * Shows two models in a comparison, or none. What Monaco itself makes for a pair it never lets go: it would go on finding
 * differences for as long as the models live, and throw when they are emptied in the middle of it.
 */
export function showPair(shown: editor.IDiffEditor, pair: editor.IDiffEditorModel | undefined): void {
  const last = shownPairs.get(shown)
  const next = pair && shown.createViewModel(pair)
  shown.setModel(next ?? null)
  if (next) shownPairs.set(shown, next)
  else shownPairs.delete(shown)
  last?.dispose()
}
