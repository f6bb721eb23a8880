// One renewal, once for all tabs, read from top to bottom: fetch or adopt tokens, hold them, say what failed.
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
  send: SendEvent
}

type RenewalContext = Pick<
  Context,
  'tokens' | 'timeline' | 'tokenEndpoint' | 'page' | 'tabRecords' | 'server'
>

interface Failure {
  readonly error: AuthError
  readonly verdict: Verdict
}

/** Resolves with whether this tab has new tokens; not when it adopted another tab's meanwhile. @throws AuthError */
export async function renewTokens(
  context: RenewalContext,
  { otherTabs, refresh, signal, send }: RenewalOptions,
): Promise<boolean> {
  const { tokens, timeline, page } = context
  const { current } = tokens
  if (!current) throw notAuthenticated()
  const { claims } = current
  let isHeld = false
  let from: string | undefined
  let failure: Failure | undefined

  const fetchOrFail = async (first: 'refresh' | 'frame') => {
    from = tokens.current?.accessToken
    const usedToken = current.refreshToken
    const fetched = await fetchTokens(context, signal, current, first)
    const isFailure = 'verdict' in fetched
    // A step-up or a claims challenge brought newer ones meanwhile: they are stronger, and what became of those before says nothing.
    if (!signal.aborted && tokens.current?.accessToken !== from) {
      if (isFailure || usedToken === undefined || tokens.current?.refreshToken !== usedToken) return undefined
      // A silent check brought no refresh token: the one beside it is used up, and the new one takes its place.
      from = tokens.current.accessToken
      return { ...tokens.copy()!, refreshToken: fetched.refreshToken, sentAtMs: undefined }
    }
    if (!isFailure) return fetched
    // Without a page no frame could be opened.
    if (!signal.aborted && !page().aborted) failure = fetched
    throw fetched.error
  }
  const hold = (granted: Granted) => {
    // Never another user by a renewal.
    assertSame(claims, granted)
    signal.throwIfAborted()
    if (from !== undefined && tokens.current?.accessToken !== from) return
    tokens.put(granted)
    isHeld = true
  }
  try {
    await otherTabs.renewOnce(fetchOrFail, hold)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    // The other tabs were asked meanwhile: tokens of a sign-in since then were not refused.
    if (error !== failure?.error || tokens.current?.accessToken === from) {
      timeline.record('renew token', 'failed', error)
      const end = () => void send({ type: 'refused', cause: error })
      if (failure?.verdict === 'end') end()
      if (!signal.aborted) refresh.failed(failure?.verdict === 'end with the token' ? end : undefined)
      throw error
    }
  }
  // Another user's tokens came from another tab.
  signal.throwIfAborted()
  return isHeld
}

/** @throws AuthError `identity-changed` */
function assertSame(claims: Claims, granted: Granted): void {
  if (!isSameIdentity(claims, granted.claims)) throw identityChanged()
}

/**
 * Gets new tokens by the refresh token or the hidden frame, each once. `first` is `frame` if another tab may have used the refresh token:
 * some servers end everything when it comes again.
 */
async function fetchTokens(
  { tokenEndpoint, page, tokens, tabRecords, server }: RenewalContext,
  session: AbortSignal,
  current: Credentials,
  first: 'refresh' | 'frame',
): Promise<Granted | Failure> {
  const { refreshToken, sentAtMs } = current
  const ways = {
    refresh: async () => refreshToken && tokenEndpoint.refresh(current, refreshToken),
    // The page's lifetime: without a page no frame can be opened, and that says nothing about the session.
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
    // A refresh token that may be used up is not shown to a server at which another user has signed in.
    if (frame === 'another user' && refreshToken && way === 'frame' && !isRefreshFirst) refresh = 'unreadable'
    // Only a refusal says that the refresh token brings nothing. A server out of reach is asked for nothing more.
    if (frame === 'away' || !['none', 'refused'].includes(refresh)) break
  }
  const verdict = judgeRenewal(refresh, frame, {
    // A token without a lifetime may already have expired.
    isTokenOver: (tokens.remainingMs() ?? 0) <= 0,
    doFramesWork: tokenEndpoint.doFramesWork(),
    wasUnreadable: !isRefreshFirst || sentAtMs !== undefined,
  })
  // It is believed once: the browser may withhold the provider's cookies by now.
  if (verdict === 'end' && frame === 'nobody') tokenEndpoint.forgetFrames()
  const isFrameDecisive = frame === 'away' || frame === 'another user'
  return {
    error: (isFrameDecisive ? undefined : errors.refresh) ?? errors.frame ?? loginRequired(),
    verdict,
  }
}
