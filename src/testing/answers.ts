// Shared by the fake servers: reading a request, and responding.

/** Members as options: each may be absent. */
export type OptionsOf<Members> = { -readonly [Name in keyof Members]?: Members[Name] | undefined }

/** A response before it becomes a `Response`. */
export interface FakeAnswer {
  /** HTTP status. */
  readonly status: number
  /** The body, sent as JSON. */
  readonly body: unknown
  /** Headers beside those of JSON. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Responds to a request, or leaves it to the fake server by returning nothing. */
export type Respond = (request: Request) => Response | undefined | Promise<Response | undefined>

export function respond({ status, body, headers }: FakeAnswer): Response {
  const init = { status, headers: { 'cache-control': 'no-store', ...headers } }
  return status === 204 ? new Response(null, init) : Response.json(body, init)
}

/** Without its signal, which may belong to another realm: a response from memory needs no abort. */
export function requestOf(input: RequestInfo | URL, init: RequestInit | undefined): Request {
  const { signal: _signal, ...rest } = init ?? {}
  return new Request(input, rest)
}

/** An address as seen from the server's own, which may have a path; `undefined` elsewhere. */
export function below(authHost: string, address: string): URL | undefined {
  const url = new URL(address)
  if (!address.startsWith(`${authHost}/`)) return undefined
  return new URL(address.slice(authHost.length), url.origin)
}
