// Sends what the library asks of the authorization server, and keeps what it answers free of secrets (spec §7, §8).
import { createFetch, type $Fetch, type FetchOptions, type FetchRequest } from 'ofetch'
import { CALL_TIMEOUT_MS, DEFAULT_RETRY_AFTER_MS, LARGEST_RETRY_AFTER_MS } from '../constants.ts'
import { AuthError, network, offline, timedOut, unexpectedStatus } from '../errors.ts'
import { redact } from '../protocol/secret.ts'
import type { Platform } from './platform.ts'

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
  signal?: AbortSignal | undefined
}

/** Sends requests; rejects with AuthError. */
export type Call = (request: Request) => Promise<unknown>

type CallPlatform = Pick<Platform, 'fetch' | 'isOnline' | 'monotonicNow' | 'now' | 'setTimer'>

/** The library's own calls: bearer only to authHost, no cookies, no redirects, one time limit over the whole answer. */
export function createCall(authHost: string, platform: CallPlatform): Call {
  const $fetch = createFetch({ fetch: (input, init) => platform.fetch(input, init) })
  // Path to the instant before which the server wants no further request (429).
  const blockedUntil = new Map<string, number>()

  return async ({ method, path, body, token, expectedStatus = 200, signal }) => {
    const endpoint = path.replace(/\?.*/, '')
    const what = `${method} ${endpoint}`
    const waitMs = (blockedUntil.get(endpoint) ?? 0) - platform.monotonicNow()
    if (waitMs > 0) throw unexpectedStatus(what, { status: 429, body: undefined, retryAfterMs: waitMs })
    if (!platform.isOnline()) throw offline()

    const limit = startLimit(platform, signal)
    try {
      const response = await $fetch.raw(authHost + path, {
        method,
        headers: {
          accept: 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        credentials: 'omit',
        redirect: 'error',
        cache: 'no-store',
        retry: false,
        ignoreResponseError: true,
        parseResponse: jsonOrRaw,
        signal: limit.signal,
      })
      if (response.status === expectedStatus) return response._data
      const retryAfterMs = readRetryAfter(response, platform.now())
      if (retryAfterMs) blockedUntil.set(endpoint, platform.monotonicNow() + retryAfterMs)
      throw unexpectedStatus(what, { status: response.status, body: redact(response._data), retryAfterMs })
    } catch (error) {
      throw error instanceof AuthError
        ? error
        : limit.isOver()
          ? timedOut(what)
          : lowerError(error, what, signal)
    } finally {
      limit.end()
    }
  }
}

/** How `createAppFetch` gets a token and decides who may see it. */
export interface AppFetchOptions {
  platform: Pick<Platform, 'fetch' | 'address'>
  /** Origins that are sent the bearer token. */
  origins: readonly string[]
  getAccessToken(): Promise<string>
  /** A token newer than the refused one; rejects when there is none. */
  renewRefused(token: string): Promise<string>
}

/** The app's own calls (contract §2 "fetch"): bearer to allowed origins only, one renewal and one repeat on 401. */
export function createAppFetch({ platform, origins, getAccessToken, renewRefused }: AppFetchOptions): $Fetch {
  const send: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
    const url = new URL(input instanceof Request ? input.url : input, platform.address())
    if (headers.has('authorization') || !origins.includes(url.origin)) return platform.fetch(input, init)

    const sendWith = (token: string) => {
      headers.set('authorization', `Bearer ${token}`)
      // A redirect could carry the token elsewhere: it is an error unless the app asked for it.
      return platform.fetch(input instanceof Request ? input.clone() : input, {
        redirect: 'error',
        ...init,
        headers,
      })
    }
    const token = await getAccessToken()
    const response = await sendWith(token)
    const isRepeatable = !(init.body instanceof ReadableStream)
    if (response.status !== 401 || !isRepeatable) return response
    const fresh = await renewRefused(token).catch(() => undefined)
    return fresh === undefined ? response : sendWith(fresh)
  }

  return withPlainErrors(createFetch({ fetch: send, defaults: { retry: false } }))
}

// ofetch wraps what its fetch throws; our own errors are handed on as they are.
function withPlainErrors($fetch: $Fetch): $Fetch {
  const unwrap = (error: unknown): never => {
    throw error instanceof Error && error.cause instanceof AuthError ? error.cause : error
  }
  const plain = (request: FetchRequest, options?: FetchOptions) =>
    $fetch(request, options as never).catch(unwrap)
  return Object.assign(plain, {
    raw: (request: FetchRequest, options?: FetchOptions) =>
      $fetch.raw(request, options as never).catch(unwrap),
    native: $fetch.native,
    create: (...defaults: Parameters<$Fetch['create']>) => withPlainErrors($fetch.create(...defaults)),
  }) as $Fetch
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

// ofetch's error holds the request with its token; only the platform's own error below it goes on.
function lowerError(error: unknown, what: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason
  return network(what, error instanceof Error ? error.cause : undefined)
}

function readRetryAfter(response: Response, nowMs: number): number | undefined {
  const value = response.headers.get('retry-after')
  if (value === null && response.status !== 429) return undefined
  const waitMs =
    value === null ? NaN : Number.isNaN(Number(value)) ? Date.parse(value) - nowMs : Number(value) * 1000
  if (!Number.isFinite(waitMs) || waitMs < 0) return DEFAULT_RETRY_AFTER_MS
  return Math.min(waitMs, LARGEST_RETRY_AFTER_MS)
}
