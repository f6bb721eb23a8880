// Keeps Monaco's markers, symbols and schema in sync with the editor's state; the JSON service runs in one worker per editor.
import type { editor, IDisposable, Uri } from 'monaco-editor/editor'
import {
  CompletionAdapter,
  DocumentSymbolAdapter,
  HoverAdapter,
} from 'monaco-editor/languages/features/common/lspLanguageFeatures'
import { useEffect } from 'react'
import type { EditorState, EditorView } from '../editorState.ts'
import { startWorker } from '../startWorker.ts'
import { serializeSchema } from '../tools/checking.ts'
import type { FullDocument } from './fullDocument.ts'
import { LANGUAGE, type Monaco } from './language.ts'

/** The methods of the JSON service that are used here. */
type JsonService = Record<'doComplete' | 'doHover' | 'findDocumentSymbols', () => Promise<unknown>>

/** Provides the model's symbols and, with a schema, its completion and hover. The worker starts at the first request. */
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
  // Only this text of the page.
  const here = { pattern: model.uri.fsPath }
  // Monaco lists all symbols at once, in the page: only those of a short text.
  const short = { ...here, language: LANGUAGE }
  const provided = [languages.registerDocumentSymbolProvider(short, new DocumentSymbolAdapter(ask))]
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
      // The wrapper terminates its worker only after a first request.
      raw?.terminate()
    },
  }
}

/** Underlines the faults. */
export function useMarkers(document: FullDocument | undefined, state: EditorState, view: EditorView): void {
  const { faults, surface } = view
  useEffect(() => {
    if (!document || surface !== 'full') return
    const { monaco, model } = document
    const markers = faults
      .filter((fault) => fault.code !== 'empty' && fault.code !== 'too-large')
      .map((fault): editor.IMarkerData => {
        const start = model.getOffsetAt({ lineNumber: fault.line, column: fault.column })
        // A fault over several lines is underlined in its first line only.
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
    monaco.editor.setModelMarkers(model, 'latchkey', markers)
  }, [document, state, faults, surface])
}

/** Removes external references: a single one would stop the service from checking anything. */
const withoutNetwork = (key: string, value: unknown) =>
  key === '$ref' && typeof value === 'string' && !value.startsWith('#') ? undefined : value

/** Provides the text's symbols, and the schema's completion and hover. */
export function useLanguage(document: FullDocument | undefined, schema: object | boolean | undefined): void {
  const written = serializeSchema(schema)
  useEffect(() => {
    if (!document) return undefined
    const parsed = written ? (JSON.parse(written, withoutNetwork) as object | boolean) : undefined
    const service = createSchemaService(document.monaco, document.model, parsed)
    return () => service.dispose()
  }, [document, written])
}
