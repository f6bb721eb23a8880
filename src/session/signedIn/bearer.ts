// Hands out the access token, fresh, and calls the server with it.
import { AuthError } from '../../base/errors.ts'
import { notAuthenticated } from '../../base/sessionErrors.ts'
import { startLimit } from '../../base/within.ts'
import type { Context } from '../context.ts'
import type { Request } from '../http/call.ts'
import type { TokenRefresh } from './tokenRefresh.ts'

export type Bearer = ReturnType<typeof createBearer>

/** A call waits for a pause of the server (Retry-After) up to this length. */
const LONGEST_PAUSE_MS = 30_000
/** If a token this new is refused like the one before, the token is not the reason. */
const NEW_MS = 30_000

export function createBearer(
  context: Pick<Context, 'settings' | 'platform' | 'tokens' | 'caches' | 'timeline' | 'server' | 'call'>,
  parts: {
    refresh: Pick<TokenRefresh, 'ensureFresh'>
    stillCounts(): boolean
    /** Start-up has ended. @throws AuthError `not-initialised` */
    assertOver(): void
  },
) {
  const { settings, platform, tokens, caches, timeline, server, call } = context
  const { refresh, stillCounts, assertOver } = parts
  const { signal } = caches
  /** The token that replaced a refused one. */
  let replacement: string | undefined

  /** Renews, after a short pause if the server asks for one; all waiting calls share that renewal. */
  async function renew(isWanted: () => boolean, isForced?: boolean) {
    const session = signal()
    const untilMs = platform.monotonicNow() + LONGEST_PAUSE_MS
    while (!session.aborted && isWanted()) {
      try {
        return await refresh.ensureFresh(isForced, true)
      } catch (error) {
        if (caches.untilBack?.()) return
        const { retryable, retryAfterMs: pauseMs } = error as AuthError
        if (!retryable || !pauseMs || platform.monotonicNow() + pauseMs > untilMs || !isWanted()) throw error
        // Waiting callers see no other trace of the renewal.
        timeline.record('pause', 'started', error as AuthError)
        const pause = startLimit(platform, Math.ceil(pauseMs), session)
        await pause.over
        pause.end()
      }
    }
  }

  async function getAccessToken(isForced?: boolean): Promise<string> {
    assertOver()
    stillCounts()
    const session = signal()
    try {
      // A token that is still valid beats waiting.
      if (isForced || !tokens.isExpired()) await refresh.ensureFresh(isForced)
      // The token may have expired in flight, during sleep.
      await renew(tokens.isExpired)
      if (tokens.isExpired()) await refresh.ensureFresh()
    } catch (error) {
      // The token is still valid: use it.
      if (!caches.untilBack?.() && (isForced || !tokens.current || tokens.isExpired())) throw error
    }
    stillCounts()
    // A call of the user before must not get the next user's token.
    session.throwIfAborted()
    if (tokens.current) return tokens.current.accessToken
    const wait = caches.untilBack?.()
    if (!wait) throw notAuthenticated()
    await wait(session)
    return getAccessToken()
  }
  async function renewRefused(
    token: string,
    isNewEnough = token === replacement,
  ): Promise<string | undefined> {
    const isCurrent = () => tokens.current?.accessToken === token
    if (isCurrent()) {
      if (isNewEnough && tokens.ageMs() < NEW_MS) {
        timeline.record('renew token', 'skipped', '401')
        return undefined
      }
      await renew(isCurrent, true)
      replacement = tokens.current?.accessToken
    }
    return getAccessToken()
  }
  async function withToken<Result>(
    work: (token: string) => Promise<Result>,
    isUserInfo?: boolean,
  ): Promise<Result> {
    const session = signal()
    const send = async (token: string) => {
      session.throwIfAborted()
      const answer = await work(token)
      session.throwIfAborted()
      return answer
    }
    const token = await getAccessToken()
    try {
      return await send(token)
    } catch (error) {
      // A call blocked after a 401 (retryable) was not sent, so it says nothing about this token.
      if (!(error instanceof AuthError && !error.retryable)) throw error
      if (error.status !== 401 && !(isUserInfo && error.status === 403)) throw error
      const fresh = await renewRefused(token, isUserInfo).catch(() => undefined)
      if (fresh === undefined || fresh === token) throw error
      return send(fresh)
    }
  }
  return {
    /** @throws AuthError `not-initialised`, `not-authenticated`, and those of a renewal */
    getAccessToken,
    /** A token newer than a refused one; `undefined` if a new one would be refused too. */
    renewRefused,
    signal,
    /** A call with the bearer token: renewed first when due, renewed and repeated once on 401. */
    async call(request: Omit<Request, 'token'>) {
      assertOver()
      // Without an authHost the call rejects itself; do not renew a token for it.
      if (settings.server.authHost === undefined) return call(request)
      return withToken((token) => call({ ...request, token }))
    },
    /** The user info of the signed-in user. @throws AuthError `not-supported` where the server has none */
    async readUserInfo(abort?: AbortSignal) {
      const session = signal()
      const on = await server.get()
      session.throwIfAborted()
      const userInfo = await on.readUserInfo(tokens, withToken, abort)
      session.throwIfAborted()
      return userInfo
    },
  }
}
