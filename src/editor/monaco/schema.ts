// What Monaco's JSON service knows, in a worker of this one editor: the symbols of a text, and what its schema says.
import type { editor, Uri } from 'monaco-editor/editor'
import {
  CompletionAdapter,
  DocumentSymbolAdapter,
  HoverAdapter,
} from 'monaco-editor/languages/features/common/lspLanguageFeatures'
import type { RawFault } from '../types.ts'
import { LANGUAGES } from './language.ts'
import type { Monaco } from './monacoModule.ts'

interface LspPosition {
  readonly line: number
  readonly character: number
}
interface LspDiagnostic {
  readonly range: { readonly start: LspPosition; readonly end: LspPosition }
  readonly message: string
  /** 1 is an error; the rest is not. */
  readonly severity?: number
  readonly code?: number | string
}

/** The part of the JSON service that is used here. */
interface JsonService {
  doValidation(uri: string): Promise<readonly LspDiagnostic[]>
  doComplete(uri: string, position: LspPosition): Promise<unknown>
  doHover(uri: string, position: LspPosition): Promise<unknown>
  findDocumentSymbols(uri: string): Promise<unknown>
}

export interface SchemaService {
  check(): Promise<readonly RawFault[]>
  dispose(): void
}

/** The service's code for what our own check finds as well, with a sentence that can be translated. */
const DUPLICATE_KEY = 0x208

/** Says nothing, about the texts of other editors. */
const silent = async () => undefined
const SILENT: JsonService = {
  doValidation: async () => [],
  doComplete: silent,
  doHover: silent,
  findDocumentSymbols: silent,
}

/**
 * Lends the model its symbols and, where there is one, its schema; nothing is fetched, whatever the schema refers to. The
 * worker starts with the first question.
 */
export function createSchemaService(
  monaco: Monaco,
  model: editor.ITextModel,
  schema: object | boolean | undefined,
): SchemaService {
  let raw: Worker | undefined
  let worker: editor.MonacoWebWorker<JsonService> | undefined
  const start = () => {
    raw = new Worker(new URL('./json.worker.js', import.meta.url), { type: 'module' })
    raw.postMessage('ignore')
    raw.postMessage({
      languageId: 'json',
      enableSchemaRequest: false,
      languageSettings: {
        validate: true,
        schemaValidation: 'error',
        schemaRequest: 'ignore',
        schemas:
          schema === undefined ? [] : [{ uri: 'inmemory://latchkey/schema.json', fileMatch: ['*'], schema }],
      },
    })
    return monaco.editor.createWebWorker<JsonService>({ worker: raw, keepIdleModels: true })
  }
  const ask = async (uri: Uri): Promise<JsonService> => {
    if (uri.toString() !== model.uri.toString()) return SILENT
    worker ??= start()
    return worker.withSyncedResources([uri])
  }
  const { languages } = monaco
  const provided = [languages.registerDocumentSymbolProvider(LANGUAGES, new DocumentSymbolAdapter(ask))]
  if (schema !== undefined) {
    provided.push(
      languages.registerCompletionItemProvider(LANGUAGES, new CompletionAdapter(ask, [' ', ':', '"'])),
      languages.registerHoverProvider(LANGUAGES, new HoverAdapter(ask)),
    )
  }
  return {
    async check() {
      const found = await (await ask(model.uri)).doValidation(model.uri.toString())
      if (model.isDisposed()) return []
      const offsetOf = ({ line, character }: LspPosition) =>
        model.getOffsetAt({ lineNumber: line + 1, column: character + 1 })
      const own = found.filter(({ code }) => code !== DUPLICATE_KEY)
      return own.map(({ range, message, severity }) => {
        const offset = offsetOf(range.start)
        const length = offsetOf(range.end) - offset
        return { code: 'schema', offset, length, detail: message, isWarning: severity !== 1 }
      })
    },
    dispose() {
      for (const provider of provided) provider.dispose()
      worker?.dispose()
      // The wrapper ends its worker only once it has been asked something.
      raw?.terminate()
    },
  }
}
