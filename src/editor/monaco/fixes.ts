// The quick fix of a fault, where the fault is: Monaco's own light bulb and its own keys.
import type { editor, IDisposable, languages } from 'monaco-editor/editor'
import type { EditorState } from '../editorState.ts'
import { findFixes } from '../mends.ts'
import { withTexts } from '../messages.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'
import { LANGUAGES } from './language.ts'
import type { Monaco } from './monacoModule.ts'

const MOST_NAMED = 30

export function offerFixes(monaco: Monaco, shown: editor.ITextModel, state: EditorState): IDisposable {
  const provider: languages.CodeActionProvider = {
    provideCodeActions(model, range, { markers }) {
      if (model !== shown || markers.length === 0) return null
      const { fix: say } = withTexts(TOOL_MESSAGES, state.inputs().messages)
      const text = model.getValue()
      const start = model.getOffsetAt({ lineNumber: range.startLineNumber, column: range.startColumn })
      const end = model.getOffsetAt({ lineNumber: range.endLineNumber, column: range.endColumn })
      const actions = findFixes(text, start, end).map(([offset, length, inserted]): languages.CodeAction => {
        const edited = monaco.Range.fromPositions(
          model.getPositionAt(offset),
          model.getPositionAt(offset + length),
        )
        const textEdit = { range: edited, text: inserted }
        return {
          title: say(text.slice(offset, offset + length).slice(0, MOST_NAMED), inserted.slice(0, MOST_NAMED)),
          kind: 'quickfix',
          isPreferred: true,
          diagnostics: [...markers],
          edit: { edits: [{ resource: model.uri, versionId: model.getVersionId(), textEdit }] },
        }
      })
      return { actions, dispose() {} }
    },
  }
  return monaco.languages.registerCodeActionProvider(LANGUAGES, provider)
}
