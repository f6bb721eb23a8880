// The shape of `auth.fetch`, as ofetch has it: in words of our own, because ofetch's types ask every app for undici's.

interface Bodies {
  blob: Blob
  text: string
  arrayBuffer: ArrayBuffer
  stream: ReadableStream<Uint8Array>
}

/** How the body of an answer is read. */
export type AppFetchKind = keyof Bodies | 'json'

/** What an answer's body becomes. */
export type AppFetchData<Kind extends AppFetchKind, Json> = Kind extends keyof Bodies ? Bodies[Kind] : Json

/** An answer with its body read. */
export interface AppFetchResponse<Data> extends Response {
  /** The body, read as `responseType` says; the stream itself is used up. */
  _data?: Data
}

/** What a hook of one call is told. */
export interface AppFetchContext {
  /** What was asked for, with `baseURL` and `query` in it once it is on its way. */
  request: RequestInfo
  /** Options of this call; what `onRequest` changes here is what is sent. The bearer token is not in them. */
  options: AppFetchInit & { headers: Headers }
  /** The answer, once there is one. */
  response?: AppFetchResponse<unknown>
  /** Why no answer came, when none did. */
  error?: Error
}

type Hook<Context> =
  | ((context: Context) => void | Promise<void>)
  | ((context: Context) => void | Promise<void>)[]

/** Options of one call: those of `fetch`, and those of ofetch. */
export interface AppFetchInit<Kind extends AppFetchKind = AppFetchKind> extends Omit<RequestInit, 'body'> {
  /** Put in front of the address that is asked for. */
  baseURL?: string
  /** An object is sent as JSON. */
  body?: RequestInit['body'] | object
  /** Added to the address as its query; members that are `undefined` are left out. */
  query?: Record<string, unknown>
  /** How the body of the answer is read. Default: as its content type says, 'json' without one. */
  responseType?: Kind
  /** Reads the text of the answer, in place of the reading as JSON. */
  parseResponse?: (responseText: string) => unknown
  /** Answer an error status instead of throwing. */
  ignoreResponseError?: boolean
  /** 'half' for a body that is a stream; set by itself. */
  duplex?: 'half' | undefined
  /** Milliseconds. */
  timeout?: number
  /** How often to repeat. Default false: that is for TanStack Query to do. */
  retry?: number | false
  /** Milliseconds. */
  retryDelay?: number | ((context: AppFetchContext) => number)
  /** Statuses that are repeated when `retry` is a number. Default 408, 409, 425, 429, 500, 502, 503, 504. */
  retryStatusCodes?: number[]
  /** Called before the request is sent. */
  onRequest?: Hook<AppFetchContext>
  /** Called when no answer came: no network, refused by the browser, given up. */
  onRequestError?: Hook<AppFetchContext & { error: Error }>
  /** Called with every answer, its body read. */
  onResponse?: Hook<AppFetchContext & { response: AppFetchResponse<unknown> }>
  /** Called with an answer of status 400 to 599, before the call rejects. */
  onResponseError?: Hook<AppFetchContext & { response: AppFetchResponse<unknown> }>
}

/**
 * The app's own calls with the bearer token; rejects with `AuthError` `forbidden` for 403, and with ofetch's `FetchError` for
 * every other status from 400 on. No error holds an `authorization` header.
 *
 * @example
 * const invoices = await auth.fetch<readonly Invoice[]>('/api/invoices', { query: { year: 2026 } })
 */
export interface AppFetch {
  /**
   * Sends a request and answers with the body that was read; rejects with `FetchError`, or with `AuthError`
   * when there is no token, or not the right to do it.
   */
  <Json = unknown, Kind extends AppFetchKind = 'json'>(
    request: RequestInfo,
    options?: AppFetchInit<Kind>,
  ): Promise<AppFetchData<Kind, Json>>
  /** The same, with the whole answer. */
  raw<Json = unknown, Kind extends AppFetchKind = 'json'>(
    request: RequestInfo,
    options?: AppFetchInit<Kind>,
  ): Promise<AppFetchResponse<AppFetchData<Kind, Json>>>
  /** The platform's own `fetch` with the bearer token, for those who read answers themselves: 403 is an answer too. */
  readonly native: typeof fetch
  /** Another one with these options as its defaults. */
  create(defaults: AppFetchInit): AppFetch
}
