// One renewal, once for all tabs, read from top to bottom: fetch or adopt tokens, hold them, say what failed.
import { AuthError, loginRequired } from '../../errors.ts'
import { isSameIdentity } from '../../protocol/identity.ts'
import { identityChanged, invalidGrant, notAuthenticated } from '../../sessionErrors.ts'
import type { Context } from '../context.ts'
import type { SendEvent } from '../sessionEvent.ts'
import type { Credentials, Granted } from '../../protocol/credentials.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { TokenRefresh } from './tokenRefresh.ts'

export interface RenewalOptions {
  otherTabs: Pick<OtherTabs, 'renewOnce'>
  refresh: Pick<TokenRefresh, 'failed'>
  /** Aborted when the session ends, with the error to throw then. */
  signal: AbortSignal
  send: SendEvent
}

type RenewalContext = Pick<Context, 'tokens' | 'timeline' | 'tokenEndpoint' | 'page' | 'tabRecords'>

/**
 * Resolves with whether this tab put new tokens into its store; not when another tab's were adopted meanwhile.
 *
 * @throws AuthError
 */
export async function renewTokens(
  context: RenewalContext,
  { otherTabs, refresh, signal, send }: RenewalOptions,
): Promise<boolean> {
  const { tokens, timeline } = context
  const { current } = tokens
  if (!current) throw notAuthenticated()
  const { claims } = current
  let isHeld = false
  let from: string | undefined
  let refused: AuthError | undefined

  const fetchOrRefuse = async (first: 'refresh' | 'frame') => {
    from = tokens.current?.accessToken
    const fetched = await fetchTokens(context, signal, current, first)
    // A step-up in a window brought newer ones meanwhile: they are stronger, and what became of those before says nothing.
    if (!signal.aborted && tokens.current?.accessToken !== from) return undefined
    if (!(fetched instanceof AuthError)) return fetched
    refused = fetched
    throw refused
  }
  const hold = (granted: Granted) => {
    // Never another user by a renewal: the token held stays until it expires.
    if (!isSameIdentity(claims, granted.claims)) throw identityChanged()
    signal.throwIfAborted()
    if (from !== undefined && tokens.current?.accessToken !== from) return
    tokens.put(granted)
    isHeld = true
  }
  try {
    await otherTabs.renewOnce(fetchOrRefuse, hold)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    // The other tabs were asked meanwhile: tokens of a sign-in since then were not refused.
    if (error !== refused || tokens.current?.accessToken === from) {
      timeline.record('renew token', 'failed', error)
      if (error === refused) void send({ type: 'refused', cause: error })
      if (!signal.aborted) {
        refresh.failed()
        // Nothing renews the first user's session any more, and the token held has had its time.
        if (error.code === 'identity-changed' && tokens.isExpired())
          void send({ type: 'replaced', cause: error })
      }
      throw error
    }
  }
  // Another user's tokens came from another tab.
  signal.throwIfAborted()
  return isHeld
}

/**
 * Gets new tokens with the refresh token, or with the server's own session, each way once. An error that is returned says why
 * the session has expired.
 *
 * @param first `frame` where another tab may have used the refresh token: a server that has seen it may end everything
 *   when it comes again, so it comes last
 * @throws AuthError when the server cannot be reached, or the session or the page ended meanwhile
 */
async function fetchTokens(
  context: RenewalContext,
  session: AbortSignal,
  current: Credentials,
  first: 'refresh' | 'frame',
): Promise<Granted | AuthError> {
  const { tokenEndpoint, page } = context
  let refused = invalidGrant()
  const isRefreshFirst = first === 'refresh' && !tokenEndpoint.mayBeSpent(current.sentAtMs)

  for (const way of isRefreshFirst ? [tryRefresh, tryFrame] : [tryFrame, tryRefresh]) {
    const fetched = await way(context, current)
    if (fetched && !(fetched instanceof AuthError)) return fetched
    refused = fetched ?? refused
    if (session.aborted || page().aborted) throw refused
  }
  return refused
}

async function tryRefresh(
  { tokenEndpoint }: RenewalContext,
  current: Credentials,
): Promise<Granted | AuthError> {
  if (current.refreshToken === undefined) return loginRequired()
  try {
    return await tokenEndpoint.refresh(current, current.refreshToken)
  } catch (error) {
    // Whatever the server refuses it for: no repeat brings another token, and its own session is the last way to one.
    const isRefused =
      error instanceof AuthError &&
      (error.code === 'invalid-grant' || (!error.retryable && error.status! >= 400))
    if (isRefused) return error
    throw error
  }
}

/** `undefined` where the server has no session, or the frame cannot say. */
async function tryFrame(
  context: RenewalContext,
  { refreshToken }: Credentials,
): Promise<Granted | undefined> {
  const { tokenEndpoint, page, tokens, tabRecords } = context
  try {
    // The page's lifetime: without a page no frame can be opened, and that says nothing about the session.
    return await tokenEndpoint.askFrame(page(), true)
  } catch (error) {
    if (!(error instanceof AuthError)) return undefined
    // One frame may get the error page of a server that is being restarted: while the token lives, the next one decides. Nobody
    // knows whether a token lives that came without its life.
    const isLastFrame =
      refreshToken !== undefined ||
      ((tokens.remainingMs() ?? 0) <= 0 && tabRecords.read().silentSignIn?.offUntilMs)
    // A server out of reach has not ended the session, nor has an app that cannot read its claims; whatever else it said, it has.
    const mayPass = error.code === 'iframe-timeout' ? !isLastFrame : error.retryable
    if (mayPass || error.code === 'invalid-claims') throw error
    return undefined
  }
}
