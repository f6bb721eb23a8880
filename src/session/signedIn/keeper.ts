// Keeps the signed-in session: takes tokens in, renews them, hands them out, ends it (spec §4 "TokenRefresh", contract §4 "token").
import { AuthError, loginRequired, notInitialised } from '../../errors.ts'
import { identityChanged, invalidGrant, notAuthenticated } from '../../sessionErrors.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import { isSameIdentity, sameId } from '../../protocol/identity.ts'
import type { Hooks } from '../../protocol/eventHooks.ts'
import type { Request } from '../http/call.ts'
import type { Core } from '../context.ts'
import type { Granted } from '../signIn/tokenEndpoint.ts'
import type { SessionMarker } from './sessionMarker.ts'
import type { Ledger } from '../signIn/attempts.ts'
import type { FireHook } from './hookCalls.ts'
import type { TokenRefresh } from './tokenRefresh.ts'
import type { TokenLife } from './tokenLife.ts'
import type { Holding, TokenStore } from './tokenStore.ts'

/** How a page became signed in: by a redirect, by the hidden frame, from another tab. */
export type SignInWay = Parameters<Hooks['afterLogin']>[0]['via']

export interface KeeperOptions extends Pick<
  Core,
  'platform' | 'store' | 'grants' | 'timeline' | 'call' | 'signal' | 'clearCaches'
> {
  ledger: Ledger
  vault: TokenStore
  hint: SessionMarker
  renewal: TokenRefresh
  tokenLife: TokenLife
  fireHook: FireHook
  /** Runs a renewal once for all tabs; `hold` is called with what it brought, or what another tab has brought meanwhile. */
  onceForAllTabs(
    work: (isStale: boolean) => Promise<Granted>,
    hold: (granted: Granted) => void,
  ): Promise<void>
  /** The session began or ended here: what lives as long as it does begins and ends too. */
  onBegin(isNew: boolean): void
  onEnd(): void
  /** Neither the refresh token nor the server's own session is worth anything any more. */
  onExpired(): void
}

export interface Keeper {
  /** Changes whenever a session ends: what began in an older epoch counts no more. */
  readonly epoch: number
  beginEpoch(): void
  /** Takes in the tokens of a sign-in. */
  signedIn(granted: Granted, via: SignInWay): void
  /** Takes over what another tab has. */
  adopt(granted: Granted): void
  renew(): Promise<void>
  /** Ends the session in this tab; the state is the caller's. */
  forget(): void
  /** Ends the session in this tab and says why. */
  end(reason: SignedOutReason, cause?: AuthError): void
  getAccessToken(): Promise<string>
  /** A token newer than a refused one. */
  renewRefused(token: string): Promise<string>
  /** A call with the bearer token: renewed first when due, renewed and repeated once on 401. */
  call(request: Omit<Request, 'token'>): Promise<unknown>
}

export function createKeeper(options: KeeperOptions): Keeper {
  const { store, vault, grants, timeline } = options
  let epoch = 0
  // Answers may come when the page part that used the session is gone: they count, but nothing begins to run.
  const isRunning = () => !options.signal().aborted

  const hold = (granted: Granted, startedIn: number) => {
    if (startedIn !== epoch) throw notAuthenticated()
    vault.put(granted)
  }
  /** Says who is signed in, or that the expiry moved. */
  const announce = (isNew = false) => {
    const { holding } = vault
    if (!holding) return
    options.tokenLife.renewed()
    if (isRunning()) options.renewal.schedule()
    const { state } = store
    const isSameSession =
      state.status === 'authenticated' &&
      isSameIdentity(state.user, holding.claims) &&
      sameId(state.user.sessionId, holding.claims.sessionId)
    if (isSameSession) return store.notify()
    store.change({ type: 'authenticated', session: holding })
    // Also when a renewal brought it: what lives as long as a session does is of this one from now on.
    if (isRunning()) options.onBegin(isNew)
  }
  const begin = (via: SignInWay) => {
    const startedIn = epoch
    options.renewal.allow()
    options.ledger.forgetOld(options.platform.now())
    options.ledger.allowSilentSignIn()
    if (isRunning() && vault.holding) options.hint.join(vault.holding.session)
    announce(via !== 'tab')
    // After this breath, so that components which mount on signing in have set their hook.
    options.platform.setTimer(() => {
      const { state } = store
      if (state.status === 'authenticated' && startedIn === epoch) {
        void options.fireHook('afterLogin', { user: state.user, via })
      }
    }, 0)
  }
  const renewed = () => {
    announce()
    timeline.record('renew token', 'done')
    const { state } = store
    if (state.status === 'authenticated') {
      void options.fireHook('afterRefreshToken', { user: state.user, expiresAtMs: state.expiresAtMs })
    }
  }
  const forget = (isOver = true) => {
    epoch += 1
    options.renewal.stop()
    const session = vault.holding?.session
    vault.clear()
    options.tokenLife.renewed()
    // Where another user's session took its place, the browser has one still.
    if (isOver && session !== undefined) options.hint.forget(session)
    else options.hint.leave()
    options.onEnd()
  }
  const end = (reason: SignedOutReason, cause?: AuthError, isOver?: boolean) => {
    forget(isOver)
    void options.clearCaches()
    store.change({ type: 'absent', reason, cause })
  }

  const isExpired = () => (vault.remainingMs() ?? 1) <= 0
  const isOther = ({ tokens }: Granted) =>
    vault.holding !== undefined && !isSameIdentity(vault.holding.claims, tokens.claims)

  /** With the refresh token; `undefined` when it is worth nothing, and `refused` says why. */
  async function refresh({ refreshToken, verifier }: Holding, refused: (why: AuthError) => void) {
    if (refreshToken === undefined) return refused(loginRequired())
    try {
      return await grants.refresh(refreshToken, verifier)
    } catch (error) {
      if (!isInvalidGrant(error)) throw error
      return refused(invalidGrant(error))
    }
  }
  /** With the server's own session; `undefined` when it has none, or the frame cannot say. */
  async function verify() {
    try {
      return await grants.verify(options.signal(), true)
    } catch (error) {
      // A server out of reach has not ended the session; whatever else it said, it has.
      if (error instanceof AuthError && error.retryable && !error.code.startsWith('iframe')) throw error
      return undefined
    }
  }
  /**
   * Each way once; the session has expired when neither leads on. A refresh token that may have been used by a tab that
   * died comes last: a server that has seen it may end everything when it comes again.
   */
  async function renewTokens(holding: Holding, isStale: boolean): Promise<Granted> {
    const startedIn = epoch
    let cause = invalidGrant()
    const ways = [() => refresh(holding, (why) => void (cause = why)), verify]
    if (isStale) ways.reverse()
    for (const way of ways) {
      const granted = await way()
      if (granted) return granted
      // It is over already; or the page is gone that would ask with a frame, and that says nothing about the session.
      if (startedIn !== epoch || !isRunning()) throw cause
    }
    // While it is known which session.
    options.onExpired()
    end('expired', cause)
    throw cause
  }
  async function renew() {
    const startedIn = epoch
    const { holding } = vault
    if (!holding) throw notAuthenticated()
    const { claims } = holding
    let isHeld = false
    try {
      await options.onceForAllTabs(
        (isStale) => renewTokens(holding, isStale),
        (granted) => {
          // Never another user by a renewal: the token held stays until it expires.
          if (!isSameIdentity(claims, granted.tokens.claims)) throw identityChanged()
          hold(granted, startedIn)
          isHeld = true
        },
      )
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      timeline.record('renew token', 'failed', error)
      if (startedIn === epoch) options.tokenLife.renewalFailed()
      // Nothing renews the first user's session any more, and the token held has had its time.
      if (error.code === 'identity-changed' && startedIn === epoch && isExpired())
        end('expired', error, false)
      throw error
    }
    if (isHeld && startedIn === epoch) renewed()
  }
  async function getAccessToken() {
    if (store.state.status === 'initializing') throw notInitialised()
    if (!vault.holding) throw notAuthenticated()
    try {
      await options.renewal.ensureFresh()
      // Its answer may have been on its way while the machine slept.
      if (isExpired()) await options.renewal.ensureFresh()
    } catch (error) {
      // The token still lives: better used than refused.
      if (!vault.holding || isExpired()) throw error
    }
    if (!vault.holding) throw notAuthenticated()
    return vault.holding.accessToken
  }
  async function renewRefused(token: string) {
    if (vault.holding?.accessToken === token) await options.renewal.ensureFresh(true)
    return getAccessToken()
  }

  return {
    get epoch() {
      return epoch
    },
    beginEpoch() {
      epoch += 1
    },
    signedIn(granted, via) {
      if (isOther(granted)) end('signed-out', identityChanged(), false)
      hold(granted, epoch)
      begin(via)
    },
    adopt(granted) {
      const { state } = store
      if (isOther(granted)) return end('signed-out', identityChanged(), false)
      hold(granted, epoch)
      if (state.status === 'authenticated') renewed()
      else begin('tab')
    },
    renew,
    forget,
    end,
    getAccessToken,
    renewRefused,
    async call(request) {
      const startedIn = epoch
      const send = async (token: string) => {
        // What began for one user is neither sent nor answered as another.
        if (startedIn !== epoch) throw notAuthenticated()
        const answer = await options.call({ ...request, token })
        if (startedIn !== epoch) throw notAuthenticated()
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
    },
  }
}

function isInvalidGrant(error: unknown): boolean {
  const body = error instanceof AuthError ? error.body : undefined
  return typeof body === 'object' && body !== null && 'error' in body && body.error === 'invalid_grant'
}
