// The app's own calls with the session's token: an ofetch instance; loads beside start-up.
import { createFetch, type $Fetch, FetchError, type FetchOptions, type FetchRequest } from 'ofetch'
import { LARGEST_REFUSAL_BYTES } from '../../base/constants.ts'
import { AuthError } from '../../base/errors.ts'
import { readBody } from '../../base/json.ts'
import type { Settings } from '../../protocol/config.ts'
import type { OpenedServer } from '../../protocol/servers/profile.ts'
import { assertNoChallenge, forbidden, type StepUps } from './challenge.ts'
import type { AppFetch } from './fetchTypes.ts'
import type { Platform } from '../platform/platform.ts'
import type { Timeline } from '../timeline.ts'

export interface AppFetchOptions {
  settings: Pick<Settings, 'server' | 'apiOrigins'>
  platform: Pick<Platform, 'fetch' | 'address' | 'baseAddress' | 'now'>
  timeline: Pick<Timeline, 'record'>
  stepUps: StepUps
  /** Sends tokens that are bound to a key. */
  server?: Pick<OpenedServer, 'known'> | undefined
  bearer: {
    getAccessToken(): Promise<string>
    /** A token newer than the refused one; `undefined`, or an error, when there is none. */
    renewRefused(token: string): Promise<string | undefined>
    /** Aborted, with the error to throw, when the user's data is cleared. */
    signal(): AbortSignal
  }
  /** Gets a token with the claims that the error asks for, without asking the user; `undefined` if that is impossible. */
  meetClaims?(error: unknown): Promise<string | undefined>
}

export function createAppFetch(options: AppFetchOptions): AppFetch {
  const { settings, platform, timeline, server, stepUps, bearer } = options
  /** Whether an origin is sent the bearer token. */
  const isAllowed = (origin: string) =>
    [settings.server.authHost, new URL(platform.address()).origin, ...settings.apiOrigins].includes(origin)
  /** The token of each response. It is removed from the error. */
  const sentWith = new WeakMap<Response, string>()
  // Origins already reported, and the page's own, whose responses are readable in full.
  const explained = new Set([new URL(platform.address()).origin])
  /** Without the CORS header, a request for a stronger sign-in looks like any other 401. */
  const explainRefusal = ({ status, headers }: Response, { origin }: URL) => {
    if (status !== 401 || headers.has('www-authenticate') || explained.has(origin)) return
    explained.add(origin)
    timeline.record('call', 'failed', `401 of ${origin}: its CORS must expose WWW-Authenticate`)
  }
  const send: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
    const url = new URL(input instanceof Request ? input.url : input, ownBase(platform))
    // Send the URL that was checked, not the text, which `fetch` could resolve in another way.
    const target = () => (input instanceof Request ? input.clone() : url.href)
    const isMeant = /^https?:$/.test(url.protocol) && isAllowed(url.origin)
    if (headers.has('authorization') || !isMeant) return platform.fetch(target(), init)
    const abort = init.signal ?? (input instanceof Request ? input.signal : undefined)
    return unlessAborted(sendAsUser(), abort)

    async function sendAsUser() {
      const session = bearer.signal()
      const sendWith = async (token: string) => {
        session.throwIfAborted()
        abort?.throwIfAborted()
        headers.set('authorization', `Bearer ${token}`)
        // A redirect could send the token elsewhere: it is an error unless the app has set `redirect`.
        const response = await (server?.known()?.binding?.fetch ?? platform.fetch)(target(), {
          redirect: 'error',
          ...init,
          headers,
        })
        sentWith.set(response, token)
        // If the user has changed, neither the response nor a step-up may reach the next user.
        await assertNoChallenge(response, stepUps, platform.now()).finally(() => session.throwIfAborted())
        return response
      }
      let token = await bearer.getAccessToken()
      const isRepeatable = !(init.body instanceof ReadableStream)
      const response = await sendWith(token).catch(async (error: unknown) => {
        const better = isRepeatable ? await options.meetClaims?.(error) : undefined
        if (better === undefined) throw error
        token = better
        return sendWith(token)
      })
      if (response.status !== 401 || !isRepeatable) return response
      const fresh = await bearer.renewRefused(token).catch(() => undefined)
      if (fresh === undefined) return response
      const last = await sendWith(fresh)
      explainRefusal(last, url)
      return last
    }
  }

  return withPlainErrors(createFetch({ fetch: send, defaults: { retry: false } }), async (error) => {
    if (!(error instanceof FetchError)) return error
    if (error.cause instanceof AuthError) return error.cause
    const { response } = error
    const data: unknown = error.data
    if (response?.status !== 403) return withoutAuthorization(error)
    const refusal = {
      text: await textOf(data),
      secrets: [sentWith.get(response) ?? ''],
      challenge: response.headers.get('www-authenticate'),
    }
    return forbidden(nameOf(error, ownBase(platform)), refusal, stepUps.load)
  })
}

/** Rejects as soon as the call is aborted: what it waits for (a renewal, the user) is for other calls too. */
async function unlessAborted<Result>(
  work: Promise<Result>,
  abort: AbortSignal | null | undefined,
): Promise<Result> {
  const over = new AbortController()
  const { signal } = over
  const aborted = new Promise<never>((_resolve, reject) => {
    const refuse = () => reject(abort?.reason as Error)
    if (abort?.aborted) refuse()
    abort?.addEventListener('abort', refuse, { signal })
  })
  return Promise.race([work, aborted]).finally(() => over.abort())
}

/** A `<base>` of another origin does not count: injected HTML could send the app's calls there. */
function ownBase({ address, baseAddress }: Pick<Platform, 'address' | 'baseAddress'>): string {
  return new URL(baseAddress()).origin === new URL(address()).origin ? baseAddress() : address()
}

/** Method and path; without the query, where secrets may be. */
function nameOf({ request, options }: FetchError, base: string): string {
  const { url, method } = request instanceof Request ? request : { url: String(request), method: 'GET' }
  return `${options?.method ?? method} ${new URL(url, base).pathname}`
}

/** The text of a body, however it was read; '' for a stream. */
async function textOf(data: unknown): Promise<string> {
  if (typeof data === 'string') return data
  if (data instanceof ReadableStream) {
    data.cancel().catch(() => {})
    return ''
  }
  try {
    if (!(data instanceof Blob || data instanceof ArrayBuffer)) return JSON.stringify(data) ?? ''
    return (await readBody(new Response(data), LARGEST_REFUSAL_BYTES)).text
  } catch {
    // `parseResponse` may have returned something that is no JSON.
    return ''
  }
}

/** Removes the bearer token from an error, because apps log and cache errors. */
function withoutAuthorization(error: FetchError): FetchError {
  const { options } = error
  if (!options) return error
  const headers = new Headers(options.headers)
  headers.delete('authorization')
  options.headers = headers
  return error
}

type Given = [request: FetchRequest, options?: FetchOptions]

/** ofetch puts the request into its errors: move the authorization header of a `Request` to the options, where it can be removed. */
function apart(request: FetchRequest, options?: FetchOptions): [FetchRequest, never] {
  if (!(request instanceof Request && request.headers.has('authorization')))
    return [request, options as never]
  const bare = request.clone()
  bare.headers.delete('authorization')
  return [bare, { ...options, headers: options?.headers ?? request.headers } as never]
}

// ofetch wraps every error that its `fetch` throws; an AuthError is unwrapped.
function withPlainErrors($fetch: $Fetch, plain: (error: unknown) => Promise<unknown>): AppFetch {
  const unwrap = async (error: unknown): Promise<never> => {
    throw await plain(error)
  }
  const call = async (...given: Given): Promise<unknown> => $fetch(...apart(...given)).catch(unwrap)
  return Object.assign(call, {
    raw: async (...given: Given) => $fetch.raw(...apart(...given)).catch(unwrap),
    native: $fetch.native,
    create: (...defaults: Parameters<$Fetch['create']>) => withPlainErrors($fetch.create(...defaults), plain),
  }) as AppFetch
}
