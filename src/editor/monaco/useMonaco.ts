// Keeps Monaco's wavy lines and its schema in step with the editor's state.
import type { editor, IDisposable, languages } from 'monaco-editor/editor'
import { useEffect, useMemo } from 'react'
import type { EditorState, EditorView } from '../editorState.ts'
import { LARGE_LENGTH } from '../constants.ts'
import { findFixes } from '../mends.ts'
import { withTexts } from '../messages.ts'
import { viewOffset } from '../places.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'
import { ending } from './behaviour.ts'
import type { FullDocument } from './fullDocument.ts'
import { LANGUAGES, type Monaco } from './language.ts'
import { createSchemaService } from './schema.ts'

const OWNER = 'latchkey'

/** Draws the faults where they are. */
export function useMarkers(document: FullDocument | undefined, state: EditorState, view: EditorView): void {
  const { faults, surface } = view
  useEffect(() => {
    if (!document || surface !== 'full') return
    const { monaco } = document
    const model = document.model()
    const markers = faults
      .filter((fault) => fault.code !== 'empty' && fault.code !== 'too-large')
      .map((fault) => {
        const start = viewOffset(fault, state.lineEnds.ends())
        // A fault up to the end of the text would paint all of it: its first line is enough.
        const end = model.getPositionAt(start + fault.length)
        const isLong = end.lineNumber > fault.line
        return {
          message: fault.message,
          severity: fault.severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
          startLineNumber: fault.line,
          startColumn: fault.column,
          endLineNumber: fault.line,
          endColumn: isLong ? model.getLineMaxColumn(fault.line) : Math.max(end.column, fault.column + 1),
        }
      })
    monaco.editor.setModelMarkers(model, OWNER, markers)
  }, [document, state, faults, surface])
}

const MOST_NAMED = 30

/** The quick fix of a fault, where the fault is: Monaco's own light bulb and its own keys. */
function offerFixes(monaco: Monaco, shown: editor.ITextModel, state: EditorState): IDisposable {
  const provider: languages.CodeActionProvider = {
    provideCodeActions(model, range, { markers }) {
      // The fix is found by reading the whole text, here in the page.
      if (model !== shown || markers.length === 0 || model.getValueLength() > LARGE_LENGTH) return null
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

/** One reference that leads elsewhere would keep the service from checking anything at all. */
const withoutNetwork = (key: string, value: unknown) =>
  key === '$ref' && typeof value === 'string' && !value.startsWith('#') ? undefined : value

/** Lends the text its symbols, its quick fixes, and its schema where there is one. */
export function useLanguage(
  document: FullDocument | undefined,
  state: EditorState,
  model: editor.ITextModel | undefined,
  schema: object | boolean | undefined,
): void {
  // An object written into the JSX is new with every render; only what it says counts.
  const written = useMemo(() => (schema === undefined ? undefined : JSON.stringify(schema)), [schema])
  useEffect(() => {
    if (!document || !model) return undefined
    const parsed =
      written === undefined ? undefined : (JSON.parse(written, withoutNetwork) as object | boolean)
    const service = createSchemaService(document.monaco, model, parsed)
    const fixes = offerFixes(document.monaco, model, state)
    return ending(fixes, service)
  }, [document, model, state, written])
}
