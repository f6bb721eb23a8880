// The app's own calls with the session's token: an ofetch instance; loads beside start-up.
import { createFetch, type $Fetch, type FetchOptions, type FetchRequest } from 'ofetch'
import type { OpenedServer } from '../../protocol/servers/profile.ts'
import type { AppFetch } from './fetchTypes.ts'
import type { Platform } from '../platform/platform.ts'
import type { Timeline } from '../timeline.ts'

/** How `createAppFetch` gets a token and decides who may see it. */
export interface AppFetchOptions {
  platform: Pick<Platform, 'fetch' | 'address' | 'baseAddress'>
  timeline: Pick<Timeline, 'record'>
  /** Has a way of its own to send tokens that are bound to a key. */
  server?: Pick<OpenedServer, 'known'> | undefined
  /** Whether an origin is sent the bearer token. */
  isAllowed(origin: string): boolean
  /** Whether an error is one of ours, to be handed on as it is. */
  isOurs(error: unknown): boolean
  /** @throws AuthError when a response asks for a stronger sign-in */
  check(response: Response): Promise<void>
  getAccessToken(): Promise<string>
  /** A token newer than the refused one; rejects when there is none. */
  renewRefused(token: string): Promise<string>
  /** Throws once the session that is held now has ended. */
  watchSession(): () => void
}

/** The app's own calls: bearer to allowed origins only, one renewal and one repeat on 401. */
export function createAppFetch(options: AppFetchOptions): AppFetch {
  const { platform, timeline, server, check, isAllowed, isOurs, getAccessToken, renewRefused, watchSession } =
    options
  // What a page of the same origin cannot read was not sent.
  const explained = new Set([new URL(platform.address()).origin])
  /** A challenge that a page may not read looks like none: a stronger sign-in may be all that is wanted. */
  const explainRefusal = ({ status, headers }: Response, { origin }: URL) => {
    if (status !== 401 || headers.has('www-authenticate') || explained.has(origin)) return
    explained.add(origin)
    timeline.record('call', 'failed', `401 of ${origin}: its CORS must expose WWW-Authenticate`)
  }
  const send: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
    const url = new URL(input instanceof Request ? input.url : input, ownBase(platform))
    // The address that was judged is the one that is sent, whatever else the page could make of the text.
    const target = () => (input instanceof Request ? input.clone() : url.href)
    const isMeant = /^https?:$/.test(url.protocol) && isAllowed(url.origin)
    if (headers.has('authorization') || !isMeant) return platform.fetch(target(), init)

    const assertSameSession = watchSession()
    const sendWith = async (token: string) => {
      assertSameSession()
      headers.set('authorization', `Bearer ${token}`)
      // A redirect could carry the token elsewhere: it is an error unless the app asked for it.
      const response = await (server?.known()?.binding?.fetch ?? platform.fetch)(target(), {
        redirect: 'error',
        ...init,
        headers,
      })
      await check(response)
      return response
    }
    const token = await getAccessToken()
    const response = await sendWith(token)
    const isRepeatable = !(init.body instanceof ReadableStream)
    if (response.status !== 401 || !isRepeatable) return response
    const fresh = await renewRefused(token).catch(() => undefined)
    if (fresh === undefined) return response
    const last = await sendWith(fresh)
    explainRefusal(last, url)
    return last
  }

  return withPlainErrors(createFetch({ fetch: send, defaults: { retry: false } }), isOurs)
}

/** A `<base>` of another origin does not count: injected HTML could send the app's calls there. */
function ownBase({ address, baseAddress }: Pick<Platform, 'address' | 'baseAddress'>): string {
  return new URL(baseAddress()).origin === new URL(address()).origin ? baseAddress() : address()
}

// ofetch wraps what its fetch throws; our own errors are handed on as they are.
function withPlainErrors($fetch: $Fetch, isOurs: (error: unknown) => boolean): AppFetch {
  const unwrap = (error: unknown): never => {
    throw error instanceof Error && isOurs(error.cause) ? error.cause : error
  }
  const call = (request: FetchRequest, options?: FetchOptions) =>
    $fetch(request, options as never).catch(unwrap)
  return Object.assign(call, {
    raw: (request: FetchRequest, options?: FetchOptions) =>
      $fetch.raw(request, options as never).catch(unwrap),
    native: $fetch.native,
    create: (...defaults: Parameters<$Fetch['create']>) =>
      withPlainErrors($fetch.create(...defaults), isOurs),
  }) as AppFetch
}
