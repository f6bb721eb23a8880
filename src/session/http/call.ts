// Sends what the library asks of the authorization server, and keeps what it answers free of secrets (spec §7, §8).
import { CALL_TIMEOUT_MS } from '../../constants.ts'
import { AuthError, network, offline, timedOut, unexpectedStatus } from '../../errors.ts'
import { recordOf } from '../../json.ts'
import { readRefusal } from '../../protocol/refusal.ts'
import type { Platform } from '../platform/platform.ts'
import { createRateLimits, type RateLimits } from './rateLimits.ts'

/** One request to the authorization server. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query below authHost. */
  path: string
  body?: unknown
  /** Bearer token. */
  token?: string | undefined
  /** The one status that is success. Default 200. */
  expectedStatus?: number | undefined
  /** Only if what is there is still this version: sent as If-Match. */
  ifMatch?: string | undefined
  /** The answer is a `TaggedAnswer`. */
  isTagged?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** An answer with the version of what is there now. */
export interface TaggedAnswer {
  readonly body: unknown
  /** Its ETag; `undefined` where there is none, or a weak one, which cannot guard a write (RFC 9110 §13.1.1). */
  readonly etag: string | undefined
}

/** Sends requests; rejects with AuthError. */
export type Call = (request: Request) => Promise<unknown>

type CallPlatform = Pick<Platform, 'fetch' | 'isOnline' | 'monotonicNow' | 'now' | 'setTimer'>

/** The library's own calls: bearer only to authHost, no cookies, no redirects, one time limit over the whole answer. */
export function createCall(
  authHost: string,
  platform: CallPlatform,
  limits: RateLimits = createRateLimits(platform),
  /** What the session holds and no error may repeat. */
  heldSecrets: () => readonly string[] = () => [],
): Call {
  return async ({ method, path, body, token, expectedStatus = 200, ifMatch, isTagged, signal }) => {
    const endpoint = path.replace(/\?.*/, '')
    const what = `${method} ${endpoint}`
    const waitMs = limits.waitMs(endpoint)
    if (waitMs > 0) throw unexpectedStatus(what, { status: 429, body: undefined, retryAfterMs: waitMs })
    if (!platform.isOnline()) throw offline()

    const limit = startLimit(platform, signal)
    try {
      const response = await platform.fetch(authHost + path, {
        method,
        headers: {
          accept: 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        credentials: 'omit',
        redirect: 'error',
        // Of a read only: it would make the browser forget the preflight too, and nobody stores the answer to a write.
        cache: method === 'GET' ? 'no-store' : 'default',
        signal: limit.signal,
      })
      const text = await response.text()
      const { status, headers } = response
      if (status === expectedStatus) {
        const found = jsonOrRaw(text)
        return isTagged ? ({ body: found, etag: strongTag(headers) } satisfies TaggedAnswer) : found
      }
      const secrets = [...sentSecrets(token, body), ...heldSecrets()]
      const refusal = readRefusal(
        { status, text, secrets, retryAfter: headers.get('retry-after') },
        platform.now(),
      )
      if (refusal.retryAfterMs) limits.block(endpoint, refusal.retryAfterMs)
      throw unexpectedStatus(what, refusal)
    } catch (error) {
      if (error instanceof AuthError) throw error
      if (signal?.aborted) throw signal.reason
      throw limit.isOver() ? timedOut(what) : network(what, error)
    } finally {
      limit.end()
    }
  }
}

function strongTag(headers: Headers): string | undefined {
  const etag = headers.get('etag') ?? ''
  return /^"[!#-~\u0080-\u00ff]{0,1000}"$/.test(etag) ? etag : undefined
}

const SECRET_MEMBERS = ['code', 'code_verifier', 'refresh_token', 'assertion', 'requestCode']

/** What a request carries that no error may repeat. */
function sentSecrets(token: string | undefined, body: unknown): string[] {
  const members = recordOf(body)
  return [token, ...SECRET_MEMBERS.map((name) => members[name])].filter(
    (value): value is string => typeof value === 'string',
  )
}

/** Parsed when it is JSON, raw otherwise (spec §8), whatever the content type says. */
function jsonOrRaw(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

// One controller for the caller's signal and the time limit, which covers the body too.
function startLimit(platform: Pick<Platform, 'setTimer'>, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  let isOver = false
  const abort = () => controller.abort()
  const cancel = platform.setTimer(() => {
    isOver = true
    abort()
  }, CALL_TIMEOUT_MS)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end() {
      cancel()
      signal?.removeEventListener('abort', abort)
    },
  }
}
