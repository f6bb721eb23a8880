// A JSON Schema's check, completion and hover from Monaco's JSON service, in a worker of this one editor.
import type { editor, IMarkdownString, IRange, languages } from 'monaco-editor/editor'
import type { RawFault } from '../types.ts'
import { LANGUAGE, LONG_LANGUAGE } from './language.ts'
import type { Monaco } from './monacoModule.ts'

interface LspPosition {
  readonly line: number
  readonly character: number
}
interface LspRange {
  readonly start: LspPosition
  readonly end: LspPosition
}
interface LspCompletion {
  readonly label: string
  readonly kind?: number
  readonly detail?: string
  readonly documentation?: string | IMarkdownString
  readonly insertText?: string
  readonly insertTextFormat?: number
  readonly filterText?: string
  readonly sortText?: string
  readonly textEdit?: { readonly range: LspRange; readonly newText: string }
}
interface LspDiagnostic {
  readonly range: LspRange
  readonly message: string
  /** 1 is an error; the rest is not. */
  readonly severity?: number
  readonly code?: number | string
}
type LspMarkup = string | { readonly language?: string; readonly value: string }

/** The part of the JSON service that is used here. */
interface JsonService {
  doValidation(uri: string): Promise<readonly LspDiagnostic[]>
  doComplete(uri: string, position: LspPosition): Promise<{ readonly items: readonly LspCompletion[] } | null>
  doHover(
    uri: string,
    position: LspPosition,
  ): Promise<{ readonly contents: LspMarkup | readonly LspMarkup[]; readonly range?: LspRange } | null>
}

export interface SchemaService {
  check(): Promise<readonly RawFault[]>
  dispose(): void
}

/** The service's code for what our own check finds as well, with a sentence that can be translated. */
const DUPLICATE_KEY = 0x208

const services = new WeakMap<editor.ITextModel, () => Promise<JsonService>>()
const LANGUAGES = [LANGUAGE, LONG_LANGUAGE]
const provided = new WeakSet<Monaco>()

const toRange = ({ start, end }: LspRange): IRange => ({
  startLineNumber: start.line + 1,
  startColumn: start.character + 1,
  endLineNumber: end.line + 1,
  endColumn: end.character + 1,
})
const toMarkdown = (text: LspMarkup): IMarkdownString => ({
  value: typeof text === 'string' ? text : text.value,
})
const toLsp = (position: { lineNumber: number; column: number }): LspPosition => ({
  line: position.lineNumber - 1,
  character: position.column - 1,
})

/** The JSON service counts its kinds of suggestions as the protocol does, Monaco as it likes. */
function toKind(monaco: Monaco, kind: number | undefined): languages.CompletionItemKind {
  const { CompletionItemKind } = monaco.languages
  if (kind === 10) return CompletionItemKind.Property
  if (kind === 13) return CompletionItemKind.Enum
  if (kind === 9) return CompletionItemKind.Module
  return CompletionItemKind.Value
}

function provide(monaco: Monaco): void {
  if (provided.has(monaco)) return
  provided.add(monaco)
  monaco.languages.registerCompletionItemProvider(LANGUAGES, {
    triggerCharacters: [' ', ':', '"'],
    async provideCompletionItems(model, position) {
      const service = await services.get(model)?.()
      const list = await service?.doComplete(model.uri.toString(), toLsp(position))
      if (!list || model.isDisposed()) return null
      const word = model.getWordUntilPosition(position)
      const range = {
        ...toRange({ start: toLsp(position), end: toLsp(position) }),
        startColumn: word.startColumn,
      }
      const { InsertAsSnippet } = monaco.languages.CompletionItemInsertTextRule
      return {
        suggestions: list.items.map((item) => ({
          label: item.label,
          kind: toKind(monaco, item.kind),
          insertText: item.textEdit?.newText ?? item.insertText ?? item.label,
          range: item.textEdit ? toRange(item.textEdit.range) : range,
          ...(item.insertTextFormat === 2 && { insertTextRules: InsertAsSnippet }),
          ...(item.detail !== undefined && { detail: item.detail }),
          ...(item.documentation !== undefined && { documentation: item.documentation }),
          ...(item.filterText !== undefined && { filterText: item.filterText }),
          ...(item.sortText !== undefined && { sortText: item.sortText }),
        })),
      }
    },
  })
  monaco.languages.registerHoverProvider(LANGUAGES, {
    async provideHover(model, position) {
      const service = await services.get(model)?.()
      const hover = await service?.doHover(model.uri.toString(), toLsp(position))
      if (!hover) return null
      const contents = Array.isArray(hover.contents)
        ? (hover.contents as LspMarkup[])
        : [hover.contents as LspMarkup]
      return { contents: contents.map(toMarkdown), ...(hover.range && { range: toRange(hover.range) }) }
    },
  })
}

/** Lends the model a schema; nothing is fetched, whatever the schema refers to. */
export function createSchemaService(
  monaco: Monaco,
  model: editor.ITextModel,
  schema: object | boolean,
): SchemaService {
  const raw = new Worker(new URL('./json.worker.js', import.meta.url), { type: 'module' })
  raw.postMessage('ignore')
  raw.postMessage({
    languageId: 'json',
    enableSchemaRequest: false,
    languageSettings: {
      validate: true,
      schemaValidation: 'error',
      schemaRequest: 'ignore',
      schemas: [{ uri: 'inmemory://latchkey/schema.json', fileMatch: ['*'], schema }],
    },
  })
  const worker = monaco.editor.createWebWorker<JsonService>({ worker: raw, keepIdleModels: true })
  const service = () => worker.withSyncedResources([model.uri])
  services.set(model, service)
  provide(monaco)
  return {
    async check() {
      const found = await (await service()).doValidation(model.uri.toString())
      if (model.isDisposed()) return []
      const own = found.filter(({ code }) => code !== DUPLICATE_KEY)
      return own.map(({ range, message, severity }) => {
        const { startLineNumber, startColumn, endLineNumber, endColumn } = toRange(range)
        const offset = model.getOffsetAt({ lineNumber: startLineNumber, column: startColumn })
        const end = model.getOffsetAt({ lineNumber: endLineNumber, column: endColumn })
        return { code: 'schema', offset, length: end - offset, detail: message, isWarning: severity !== 1 }
      })
    },
    dispose() {
      if (services.get(model) === service) services.delete(model)
      worker.dispose()
      // The wrapper ends its worker only once it has been asked something.
      raw.terminate()
    },
  }
}
