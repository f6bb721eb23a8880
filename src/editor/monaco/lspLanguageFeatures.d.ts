// Monaco's own translators between a language service and an editor; Monaco ships them without types.
declare module 'monaco-editor/languages/features/common/lspLanguageFeatures' {
  import type { languages, Uri } from 'monaco-editor/editor'

  type Ask<Service> = (uri: Uri) => Promise<Service>

  export const CompletionAdapter: new <Service>(
    ask: Ask<Service>,
    triggerCharacters: readonly string[],
  ) => languages.CompletionItemProvider
  export const HoverAdapter: new <Service>(ask: Ask<Service>) => languages.HoverProvider
  export const DocumentSymbolAdapter: new <Service>(ask: Ask<Service>) => languages.DocumentSymbolProvider
}
