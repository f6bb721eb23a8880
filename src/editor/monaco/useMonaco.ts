// Keeps Monaco's wavy lines, symbols and schema in step with the editor's state; its JSON service runs in a worker of this one editor.
import type { editor, IDisposable, Uri } from 'monaco-editor/editor'
import {
  CompletionAdapter,
  DocumentSymbolAdapter,
  HoverAdapter,
} from 'monaco-editor/languages/features/common/lspLanguageFeatures'
import { useEffect } from 'react'
import type { EditorState, EditorView } from '../editorState.ts'
import { startWorker } from '../startWorker.ts'
import { writeSchema } from '../tools/checking.ts'
import type { FullDocument } from './fullDocument.ts'
import type { Monaco } from './language.ts'

/** The part of the JSON service that is used here. */
type JsonService = Record<'doComplete' | 'doHover' | 'findDocumentSymbols', () => Promise<unknown>>

/**
 * Lends the model its symbols and, where there is one, its schema; nothing is fetched, whatever the schema refers to. The
 * worker starts with the first question.
 */
function createSchemaService(
  monaco: Monaco,
  model: editor.ITextModel,
  schema: object | boolean | undefined,
): IDisposable {
  let raw: Worker | undefined
  let worker: editor.MonacoWebWorker<JsonService> | undefined
  const start = () => {
    raw = startWorker(() => new Worker(new URL('./json.worker.js', import.meta.url), { type: 'module' }))
    raw.postMessage('ignore')
    raw.postMessage({
      languageId: 'json',
      enableSchemaRequest: false,
      languageSettings: {
        validate: false,
        schemaRequest: 'ignore',
        schemas:
          schema === undefined ? [] : [{ uri: 'inmemory://latchkey/schema.json', fileMatch: ['*'], schema }],
      },
    })
    return monaco.editor.createWebWorker<JsonService>({ worker: raw, keepIdleModels: true })
  }
  const ask = async (uri: Uri): Promise<JsonService> => {
    worker ??= start()
    return worker.withSyncedResources([uri])
  }
  const { languages } = monaco
  // Of all the texts on the page this one.
  const here = { pattern: model.uri.fsPath }
  const provided = [languages.registerDocumentSymbolProvider(here, new DocumentSymbolAdapter(ask))]
  if (schema !== undefined) {
    provided.push(
      languages.registerCompletionItemProvider(here, new CompletionAdapter(ask, [' ', ':', '"'])),
      languages.registerHoverProvider(here, new HoverAdapter(ask)),
    )
  }
  return {
    dispose() {
      for (const provider of provided) provider.dispose()
      worker?.dispose()
      // The wrapper ends its worker only once it has been asked something.
      raw?.terminate()
    },
  }
}

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
  const written = writeSchema(schema)
  useEffect(() => {
    if (!document) return undefined
    const parsed = written ? (JSON.parse(written, withoutNetwork) as object | boolean) : undefined
    const service = createSchemaService(document.monaco, document.model, parsed)
    return () => service.dispose()
  }, [document, written])
}
