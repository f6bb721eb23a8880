// One renewal for all tabs: gets or adopts tokens, stores them, reports a failure.
import { AuthError, loginRequired } from '../../base/errors.ts'
import type { Claims } from '../../protocol/claims.ts'
import { isSameIdentity } from '../../protocol/identity.ts'
import { identityChanged, notAuthenticated } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import type { SendEvent } from '../sessionEvent.ts'
import type { Credentials, Granted } from '../../protocol/credentials.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import {
  type FrameFailure,
  frameFailure,
  judgeRenewal,
  type RefreshFailure,
  refreshFailure,
  type Verdict,
} from '../../protocol/renewalOutcome.ts'
import type { TokenRefresh } from './tokenRefresh.ts'

export interface RenewalOptions {
  otherTabs: Pick<OtherTabs, 'renewOnce'>
  refresh: Pick<TokenRefresh, 'failed'>
  /** Aborted when the session ends, with the error to throw then. */
  signal: AbortSignal
  /** Whether the session still counts; if not, it ends here. */
  mayRenew(): boolean
  send: SendEvent
}

interface Failure {
  readonly error: AuthError
  readonly verdict: Verdict
}

/** Resolves with whether this tab has new tokens; not when it adopted another tab's meanwhile. @throws AuthError */
export async function renewTokens(
  context: Context,
  { otherTabs, refresh, signal, mayRenew, send }: RenewalOptions,
): Promise<boolean> {
  const { tokens, timeline, page } = context
  const { current } = tokens
  if (!current) throw notAuthenticated()
  const { claims } = current
  let isStored = false
  let from: string | undefined
  let failure: Failure | undefined

  const fetchOrFail = async (first: 'refresh' | 'frame') => {
    // The tab before in the queue may have been refused, or another may have ended the session.
    if (!mayRenew()) throw notAuthenticated()
    signal.throwIfAborted()
    from = tokens.current?.accessToken
    const usedToken = current.refreshToken
    const fetched = await fetchTokens(context, signal, current, first)
    const isFailure = 'verdict' in fetched
    // A step-up or a claims challenge brought stronger tokens meanwhile: they stay, also if this renewal failed.
    if (!signal.aborted && tokens.current?.accessToken !== from) {
      if (isFailure || usedToken === undefined || tokens.current?.refreshToken !== usedToken) return undefined
      // They came without a refresh token, and the current one is spent: the new one replaces it.
      from = tokens.current.accessToken
      return { ...tokens.copy()!, refreshToken: fetched.refreshToken, sentAtMs: undefined }
    }
    if (!isFailure) return fetched
    // Without a page no frame could be opened.
    if (!signal.aborted && !page().aborted) failure = fetched
    throw fetched.error
  }
  const hold = (granted: Granted) => {
    assertSame(claims, granted)
    signal.throwIfAborted()
    if (from !== undefined && tokens.current?.accessToken !== from) return
    tokens.put(granted)
    isStored = true
  }
  const end = (cause: AuthError) => void send({ type: 'refused', cause })
  let isNewest = false
  try {
    // The session ends under the lock: the next tab in the queue asks the server nothing.
    await otherTabs.renewOnce(fetchOrFail, hold, () => {
      // Tokens of a sign-in since then, by another tab, were not refused.
      isNewest = tokens.current?.accessToken === from
      if (isNewest && failure?.verdict === 'end') end(failure.error)
    })
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    if (error !== failure?.error || isNewest) {
      timeline.record('renew token', 'failed', error)
      if (!signal.aborted)
        refresh.failed(failure?.verdict === 'end with the token' ? () => end(error) : undefined)
      throw error
    }
  }
  // Another user's tokens came from another tab.
  signal.throwIfAborted()
  return isStored
}

/** @throws AuthError `identity-changed` */
function assertSame(claims: Claims, granted: Granted): void {
  if (!isSameIdentity(claims, granted.claims)) throw identityChanged()
}

/**
 * Gets new tokens by the refresh token or the hidden frame, each once. `first` is `frame` if another tab may have used the refresh token:
 * some servers revoke all tokens when it comes twice.
 */
async function fetchTokens(
  { tokenEndpoint, page, tokens, tabRecords, server }: Context,
  session: AbortSignal,
  current: Credentials,
  first: 'refresh' | 'frame',
): Promise<Granted | Failure> {
  const { refreshToken, sentAtMs } = current
  const ways = {
    refresh: async () => refreshToken && tokenEndpoint.refresh(current, refreshToken),
    // Without a page no frame can be opened, which says nothing about the session.
    frame: () => tokenEndpoint.askFrame(page(), true),
  }
  const errors: { refresh?: AuthError; frame?: AuthError } = {}
  const isKnownToBeMute = () =>
    (tabRecords.read().silentSignIn?.offUntilMs ?? 0) > 0 ||
    server.known()?.silentCheck?.silence?.isKnown() === true
  let refresh: RefreshFailure = 'none'
  let frame: FrameFailure = 'not asked'
  const isRefreshFirst = first === 'refresh' && !tokenEndpoint.mayBeSpent(sentAtMs)
  for (const way of isRefreshFirst ? (['refresh', 'frame'] as const) : (['frame', 'refresh'] as const)) {
    try {
      const granted = await ways[way]()
      if (!granted) continue
      assertSame(current.claims, granted)
      return granted
    } catch (error) {
      if (!(error instanceof AuthError)) break
      errors[way] = error
      if (way === 'refresh') refresh = refreshFailure(error)
      else frame = frameFailure(error, isKnownToBeMute())
    }
    if (session.aborted || page().aborted) break
    // A refresh token that may be spent is not sent to a server at which another user has signed in.
    if (frame === 'another user' && refreshToken && way === 'frame' && !isRefreshFirst) refresh = 'unreadable'
    // Only after a refusal is the frame tried too. A server out of reach gets no further request.
    if (frame === 'away' || !['none', 'refused'].includes(refresh)) break
  }
  const verdict = judgeRenewal(refresh, frame, {
    // A token without a lifetime may already have expired.
    isTokenOver: (tokens.remainingMs() ?? 0) <= 0,
    doFramesWork: tokenEndpoint.doFramesWork(),
    wasUnreadable: !isRefreshFirst || sentAtMs !== undefined,
  })
  // Trusted once: the browser may have begun to withhold the provider's cookies.
  if (verdict === 'end' && frame === 'nobody') tokenEndpoint.forgetFrames()
  const isFrameDecisive = frame === 'away' || frame === 'another user'
  return {
    error: (isFrameDecisive ? undefined : errors.refresh) ?? errors.frame ?? loginRequired(),
    verdict,
  }
}
