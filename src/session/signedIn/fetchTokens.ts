// Gets new tokens for the session held: with the refresh token, or with the server's own session, each way once (spec §4 "Renewal").
import { AuthError, loginRequired } from '../../errors.ts'
import { invalidGrant } from '../../sessionErrors.ts'
import type { Granted, TokenEndpoint } from '../signIn/tokenEndpoint.ts'
import type { Holding } from './tokenStore.ts'

export interface FetchTokensOptions {
  tokenEndpoint: TokenEndpoint
  /** The page's lifetime: without a page no frame can be opened, and that says nothing about the session. */
  page(): AbortSignal
  /** The session's lifetime. */
  session: AbortSignal
}

/** What a renewal came to: tokens, or why the session has expired. */
export type Fetched = { granted: Granted } | { refused: AuthError }

/**
 * @param first `verify` where another tab may have used the refresh token: a server that has seen it may end everything
 *   when it comes again, so it comes last
 * @throws AuthError when the server cannot be reached, or the session or the page ended meanwhile
 */
export async function fetchTokens(
  { tokenEndpoint, page, session }: FetchTokensOptions,
  holding: Holding,
  first: 'refresh' | 'verify',
): Promise<Fetched> {
  let refused = invalidGrant()
  const refresh = async () => {
    const outcome = await tryRefresh(tokenEndpoint, holding)
    if ('refused' in outcome) refused = outcome.refused
    return 'granted' in outcome ? outcome.granted : undefined
  }
  const verify = () => tryVerify(tokenEndpoint, page())
  const isRefreshFirst = first === 'refresh' && !tokenEndpoint.mayBeSpent(holding)

  for (const way of isRefreshFirst ? [refresh, verify] : [verify, refresh]) {
    const granted = await way()
    if (granted) return { granted }
    if (session.aborted || page().aborted) throw refused
  }
  return { refused }
}

async function tryRefresh(endpoint: TokenEndpoint, holding: Holding): Promise<Fetched> {
  if (holding.refreshToken === undefined) return { refused: loginRequired() }
  try {
    return { granted: await endpoint.refresh(holding, holding.refreshToken) }
  } catch (error) {
    if (error instanceof AuthError && error.code === 'invalid-grant') return { refused: error }
    throw error
  }
}

/** `undefined` when the server has no session, or the frame cannot say. */
async function tryVerify(endpoint: TokenEndpoint, page: AbortSignal): Promise<Granted | undefined> {
  try {
    return await endpoint.verify(page, true)
  } catch (error) {
    // A server out of reach has not ended the session; whatever else it said, it has.
    if (error instanceof AuthError && error.retryable && !error.code.startsWith('iframe')) throw error
    return undefined
  }
}
