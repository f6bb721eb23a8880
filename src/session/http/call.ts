// latchkey's own REST calls below authHost.
import { callRefused, tokenRefused } from '../../base/errors.ts'
import { recordOf, textsOf } from '../../base/json.ts'
import { TOKEN_PATH } from '../../protocol/endpoints.ts'
import { notSupported } from '../../base/sessionErrors.ts'
import type { Send } from './send.ts'

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query below authHost. */
  path: string
  body?: unknown
  token?: string | undefined
  /** The one status that is success. Default 200. */
  expectedStatus?: number | undefined
  /** The version that the write replaces, sent as If-Match. */
  ifMatch?: string | undefined
  isTagged?: boolean | undefined
  signal?: AbortSignal | undefined
}

export type Call = (request: Request) => Promise<unknown>

/** Sends the bearer to authHost only. Without an authHost every call fails with `not-supported`, before any request. */
export function createCall(authHost: string | undefined, send: Send): Call {
  return async ({ method, path, body, token, ifMatch, ...request }) => {
    const what = `${method} ${path.replace(/\?.*/, '')}`
    if (authHost === undefined) throw notSupported(what)
    return send({
      ...request,
      what,
      method,
      url: authHost + path,
      headers: {
        accept: 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      // For reads only: `no-store` also bypasses the preflight cache, and the response to a write is not cached anyway.
      cache: method === 'GET' ? 'no-store' : 'default',
      secrets: sentSecrets(token, body),
      refused: (refusal) =>
        path === TOKEN_PATH ? tokenRefused(what, refusal, callRefused) : callRefused(what, refusal),
    })
  }
}

const SECRET_MEMBERS = ['code', 'code_verifier', 'refresh_token', 'assertion', 'requestCode']

/** The secrets in a request. They are removed from its error. */
function sentSecrets(token: string | undefined, body: unknown): string[] {
  const members = recordOf(body)
  return textsOf([token, ...SECRET_MEMBERS.map((name) => members[name])])
}
