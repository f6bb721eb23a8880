// The shape of `auth.fetch`, as ofetch has it: in words of our own, because ofetch's types ask every app for undici's (contract §2 "fetch").

interface Bodies {
  blob: Blob
  text: string
  arrayBuffer: ArrayBuffer
  stream: ReadableStream<Uint8Array>
}

/** How the body of an answer is read. Default 'json'. */
export type AppFetchKind = keyof Bodies | 'json'

/** What an answer's body becomes. */
export type AppFetchData<Kind extends AppFetchKind, Json> = Kind extends keyof Bodies ? Bodies[Kind] : Json

/** An answer with its body read. */
export interface AppFetchResponse<Data> extends Response {
  _data?: Data
}

/** What a hook of one call is told. */
export interface AppFetchContext {
  request: RequestInfo
  options: AppFetchInit & { headers: Headers }
  response?: AppFetchResponse<unknown>
  error?: Error
}

type Hook<Context> =
  | ((context: Context) => void | Promise<void>)
  | ((context: Context) => void | Promise<void>)[]

/** Options of one call: those of `fetch`, and those of ofetch. */
export interface AppFetchInit<Kind extends AppFetchKind = AppFetchKind> extends Omit<RequestInit, 'body'> {
  baseURL?: string
  /** An object is sent as JSON. */
  body?: RequestInit['body'] | object
  query?: Record<string, unknown>
  responseType?: Kind
  parseResponse?: (responseText: string) => unknown
  /** Answer an error status instead of throwing. */
  ignoreResponseError?: boolean
  duplex?: 'half' | undefined
  /** Milliseconds. */
  timeout?: number
  /** How often to repeat. Default false: that is for TanStack Query to do. */
  retry?: number | false
  /** Milliseconds. */
  retryDelay?: number | ((context: AppFetchContext) => number)
  retryStatusCodes?: number[]
  onRequest?: Hook<AppFetchContext>
  onRequestError?: Hook<AppFetchContext & { error: Error }>
  onResponse?: Hook<AppFetchContext & { response: AppFetchResponse<unknown> }>
  onResponseError?: Hook<AppFetchContext & { response: AppFetchResponse<unknown> }>
}

/**
 * The app's own calls with the bearer token; rejects with ofetch's `FetchError` for a status from 400 on.
 *
 * @example
 * const invoices = await auth.fetch<readonly Invoice[]>('/api/invoices', { query: { year: 2026 } })
 */
export interface AppFetch {
  <Json = unknown, Kind extends AppFetchKind = 'json'>(
    request: RequestInfo,
    options?: AppFetchInit<Kind>,
  ): Promise<AppFetchData<Kind, Json>>
  /** The same, with the whole answer. */
  raw<Json = unknown, Kind extends AppFetchKind = 'json'>(
    request: RequestInfo,
    options?: AppFetchInit<Kind>,
  ): Promise<AppFetchResponse<AppFetchData<Kind, Json>>>
  /** The platform's own `fetch` with the bearer token, for those who read answers themselves. */
  readonly native: typeof fetch
  /** Another one with these options as its defaults. */
  create(defaults: AppFetchInit): AppFetch
}
