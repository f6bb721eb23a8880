// Keeps Monaco's wavy lines and its schema in step with the editor's state.
import type { editor } from 'monaco-editor/editor'
import { useEffect, useMemo } from 'react'
import type { EditorState, EditorView } from '../editorState.ts'
import type { FullDocument } from './fullDocument.ts'
import { createSchemaService } from './schema.ts'

const OWNER = 'latchkey'

/** Draws the faults where they are. */
export function useMarkers(document: FullDocument | undefined, state: EditorState, view: EditorView): void {
  const { faults, surface } = view
  useEffect(() => {
    if (!document || surface !== 'full') return
    const { monaco, model } = document
    const markers = faults
      .filter((fault) => fault.code !== 'empty' && fault.code !== 'too-large')
      .map((fault): editor.IMarkerData => {
        const start = model.getOffsetAt({ lineNumber: fault.line, column: fault.column })
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

/** One reference that leads elsewhere would keep the service from checking anything at all. */
const withoutNetwork = (key: string, value: unknown) =>
  key === '$ref' && typeof value === 'string' && !value.startsWith('#') ? undefined : value

/** Lends the text its symbols, and its schema where there is one. */
export function useLanguage(document: FullDocument | undefined, schema: object | boolean | undefined): void {
  // An object written into the JSX is new with every render; only what it says counts.
  const written = useMemo(() => (schema === undefined ? undefined : JSON.stringify(schema)), [schema])
  useEffect(() => {
    if (!document) return undefined
    const parsed =
      written === undefined ? undefined : (JSON.parse(written, withoutNetwork) as object | boolean)
    const service = createSchemaService(document.monaco, document.model, parsed)
    return () => service.dispose()
  }, [document, written])
}
