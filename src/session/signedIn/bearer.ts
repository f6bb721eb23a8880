// Hands out the access token, fresh, and calls the server with it.
import { AuthError, notInitialised } from '../../errors.ts'
import { notAuthenticated } from '../../sessionErrors.ts'
import type { Call, Request } from '../http/call.ts'
import type { Store } from '../store.ts'
import type { TokenRefresh } from './tokenRefresh.ts'
import type { TokenStore } from './tokenStore.ts'

export interface Bearer {
  /** @throws AuthError `not-initialised`, `not-authenticated`, and those of a renewal */
  getAccessToken(): Promise<string>
  /** A token newer than a refused one. */
  renewRefused(token: string): Promise<string>
  /** Throws once the session that is held now has ended: what began for one user is neither sent nor answered as another. */
  watchSession(): () => void
  /** A call with the bearer token: renewed first when due, renewed and repeated once on 401. */
  call(request: Omit<Request, 'token'>): Promise<unknown>
  /** The same with work that sends the token itself. */
  withToken<Result>(work: (token: string) => Promise<Result>): Promise<Result>
}

export function createBearer(options: {
  store: Pick<Store, 'state'>
  tokens: TokenStore
  refresh: Pick<TokenRefresh, 'ensureFresh'>
  call: Call
  /** Aborted when the session held now ends. */
  signal(): AbortSignal
}): Bearer {
  const { store, tokens, refresh } = options

  async function getAccessToken() {
    if (store.state.status === 'initializing') throw notInitialised()
    if (!tokens.holding) throw notAuthenticated()
    const assertSameSession = watchSession()
    try {
      await refresh.ensureFresh()
      // The response may have been on its way while the machine slept.
      if (tokens.isExpired()) await refresh.ensureFresh()
    } catch (error) {
      // The token still lives: better used than refused.
      if (!tokens.holding || tokens.isExpired()) throw error
    }
    // The next user's token is nothing for who asked as the one before.
    assertSameSession()
    if (!tokens.holding) throw notAuthenticated()
    return tokens.holding.accessToken
  }
  async function renewRefused(token: string) {
    if (tokens.holding?.accessToken === token) await refresh.ensureFresh(true)
    return getAccessToken()
  }
  function watchSession() {
    const signal = options.signal()
    return () => {
      if (signal.aborted) throw notAuthenticated()
    }
  }
  async function withToken<Result>(work: (token: string) => Promise<Result>): Promise<Result> {
    const assertSameSession = watchSession()
    const send = async (token: string) => {
      assertSameSession()
      const answer = await work(token)
      assertSameSession()
      return answer
    }
    const token = await getAccessToken()
    try {
      return await send(token)
    } catch (error) {
      if (!(error instanceof AuthError && error.status === 401)) throw error
      const fresh = await renewRefused(token).catch(() => undefined)
      if (fresh === undefined || fresh === token) throw error
      return send(fresh)
    }
  }
  return {
    getAccessToken,
    renewRefused,
    watchSession,
    call: (request) => withToken((token) => options.call({ ...request, token })),
    withToken,
  }
}
