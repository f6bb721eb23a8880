// The app's own calls with the session's token (contract §2 "fetch"): an ofetch instance that loads when it is first used.
import type { $Fetch, FetchOptions, FetchRequest } from 'ofetch'
import { AuthError } from '../errors.ts'
import type { Platform } from './platform.ts'

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

  // Loaded with the first call: an app that has its own way to fetch does not pay for this one.
  const load = async () => (await import('ofetch')).createFetch({ fetch: send, defaults: { retry: false } })
  return lazily(load)
}

// ofetch wraps what its fetch throws; our own errors are handed on as they are.
function lazily(load: () => Promise<$Fetch>): $Fetch {
  const unwrap = (error: unknown): never => {
    throw error instanceof Error && error.cause instanceof AuthError ? error.cause : error
  }
  let loading: Promise<$Fetch> | undefined
  const loaded = () => (loading ??= load())
  const call = async (request: FetchRequest, options?: FetchOptions) =>
    (await loaded())(request, options as never).catch(unwrap)
  return Object.assign(call, {
    raw: async (request: FetchRequest, options?: FetchOptions) =>
      (await loaded()).raw(request, options as never).catch(unwrap),
    native: async (...request: Parameters<$Fetch['native']>) => (await loaded()).native(...request),
    create: (...defaults: Parameters<$Fetch['create']>) =>
      lazily(async () => (await loaded()).create(...defaults)),
  }) as $Fetch
}
