// The types of `auth.fetch`. Not those of ofetch, because they need the types of undici in every app.

interface Bodies {
  blob: Blob
  text: string
  arrayBuffer: ArrayBuffer
  stream: NonNullable<Response['body']>
}

/** How the body of a response is read. */
export type AppFetchKind = keyof Bodies | 'json'

/** The type of a response's body. */
export type AppFetchData<Kind extends AppFetchKind, Json> = Kind extends keyof Bodies ? Bodies[Kind] : Json

/** A response with its body read. */
export interface AppFetchResponse<Data> extends Response {
  /** The body, read as `responseType` says; the stream itself is used up. */
  _data?: Data
}

/** What a hook of one call gets. */
export interface AppFetchContext {
  /** The request, with `baseURL` and `query` once it is sent. */
  request: RequestInfo
  /** Options of this call, without the bearer token. `onRequest` may change them. */
  options: AppFetchInit & { headers: Headers }
  /** The response, once there is one. */
  response?: AppFetchResponse<unknown>
  /** Why no response came. */
  error?: Error
}

type Hook<Context> =
  | ((context: Context) => void | Promise<void>)
  | ((context: Context) => void | Promise<void>)[]

/** Options of one call: those of `fetch`, and those of ofetch. */
export interface AppFetchInit<Kind extends AppFetchKind = AppFetchKind> extends Omit<RequestInit, 'body'> {
  /** Put in front of the URL. */
  baseURL?: string
  /** An object is sent as JSON. */
  body?: RequestInit['body'] | object
  /** Added to the URL as its query; members that are `undefined` are left out. */
  query?: Record<string, unknown>
  /** How the body of the response is read. Default: as its content type says, 'json' without one. */
  responseType?: Kind
  /** Parses the text of the response, instead of JSON. */
  parseResponse?: (responseText: string) => unknown
  /** Return a response with an error status instead of throwing. */
  ignoreResponseError?: boolean
  /** 'half' for a body that is a stream; set automatically. */
  duplex?: 'half' | undefined
  /** Milliseconds. */
  timeout?: number
  /** How often to repeat. Default false, because TanStack Query repeats. */
  retry?: number | false
  /** Milliseconds. */
  retryDelay?: number | ((context: AppFetchContext) => number)
  /** Statuses that are repeated when `retry` is a number. Default 408, 409, 425, 429, 500, 502, 503, 504. */
  retryStatusCodes?: number[]
  /** Called before the request is sent. */
  onRequest?: Hook<AppFetchContext>
  /** Called when no response came: no network, refused by the browser, aborted. */
  onRequestError?: Hook<AppFetchContext & { error: Error }>
  /** Called with every response, its body read. */
  onResponse?: Hook<AppFetchContext & { response: AppFetchResponse<unknown> }>
  /** Called with a response of status 400 to 599, before the call rejects. */
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
   * Sends a request and resolves with the body; rejects with `FetchError`, or with `AuthError` when signed out or the
   * user is not allowed to do it.
   */
  <Json = unknown, Kind extends AppFetchKind = 'json'>(
    request: RequestInfo,
    options?: AppFetchInit<Kind>,
  ): Promise<AppFetchData<Kind, Json>>
  /** The same, with the whole response. */
  raw<Json = unknown, Kind extends AppFetchKind = 'json'>(
    request: RequestInfo,
    options?: AppFetchInit<Kind>,
  ): Promise<AppFetchResponse<AppFetchData<Kind, Json>>>
  /** The browser's `fetch` with the bearer token. It resolves with every status, 403 too. */
  readonly native: typeof fetch
  /** Returns an instance with these options as its defaults. */
  create(defaults: AppFetchInit): AppFetch
}
