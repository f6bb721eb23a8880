// What Monaco's JSON service knows, in a worker of this one editor: the symbols of a text, and what its schema explains.
import type { editor, IDisposable, Uri } from 'monaco-editor/editor'
import {
  CompletionAdapter,
  DocumentSymbolAdapter,
  HoverAdapter,
} from 'monaco-editor/languages/features/common/lspLanguageFeatures'
import { LANGUAGES, type Monaco } from './language.ts'

interface LspPosition {
  readonly line: number
  readonly character: number
}
/** The part of the JSON service that is used here. */
interface JsonService {
  doComplete(uri: string, position: LspPosition): Promise<unknown>
  doHover(uri: string, position: LspPosition): Promise<unknown>
  findDocumentSymbols(uri: string): Promise<unknown>
}

/** Says nothing, about the texts of other editors. */
const silent = async () => undefined
const SILENT: JsonService = {
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
): IDisposable {
  let raw: Worker | undefined
  let worker: editor.MonacoWebWorker<JsonService> | undefined
  const start = () => {
    raw = new Worker(new URL('./json.worker.js', import.meta.url), { type: 'module' })
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
    dispose() {
      for (const provider of provided) provider.dispose()
      worker?.dispose()
      // The wrapper ends its worker only once it has been asked something.
      raw?.terminate()
    },
  }
}
