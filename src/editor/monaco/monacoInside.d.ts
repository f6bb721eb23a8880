// Types for parts of Monaco that ship without: adapters of language services, and the service that starts its worker.
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

declare module 'monaco-editor/platform/webWorker/browser/webWorkerService' {
  interface WebWorkerService {
    createWorkerClient(of: Worker | { readonly label: string }): unknown
  }
  export const IWebWorkerService: { readonly of: WebWorkerService }
}
declare module 'monaco-editor/editor/standalone/browser/standaloneServices' {
  export const StandaloneServices: { get<Service>(id: { readonly of: Service }): Service }
}
