// Gets the claims that an API misses without a question, where the server gives them so; loads with the first challenge that names some.
import { isSameIdentity } from '../../../protocol/identity.ts'
import type { StepUpChallenge } from '../../../stepUpErrors.ts'
import type { Context } from '../../context.ts'
import { notAuthenticated } from '../../../sessionErrors.ts'
import type { SendEvent } from '../../sessionEvent.ts'
import type { Credentials, Granted } from '../../../protocol/credentials.ts'

const STEP = 'claims challenge'

/** What the server is asked for now, by session and claims: calls that miss the same join. */
const asked = new WeakMap<AbortSignal, Map<string, Promise<string | undefined>>>()

/**
 * The token to repeat the call with; `undefined`: the user must be asked. One look at the server for all calls that miss the same.
 *
 * @throws AuthError `not-authenticated` when the session has ended: the next user has nothing to confirm
 */
export async function meetClaims(
  { claims }: StepUpChallenge,
  context: Pick<Context, 'tokens' | 'tokenEndpoint' | 'timeline' | 'page' | 'disposal' | 'revoke'>,
  session: { readonly send: SendEvent; stillCounts(): boolean; signal(): AbortSignal },
): Promise<string | undefined> {
  const { tokens, tokenEndpoint, timeline, page, disposal, revoke } = context
  const disposed = disposal()
  const signal = session.signal()
  const { current } = tokens
  signal.throwIfAborted()
  if (claims === undefined || !current) return undefined
  const waiting = asked.get(signal) ?? new Map<string, Promise<string | undefined>>()
  asked.set(signal, waiting)
  const running = waiting.get(claims) ?? meet(claims, current).finally(() => waiting.delete(claims))
  waiting.set(claims, running)
  return running

  async function meet(wanted: string, credentials: typeof current & object): Promise<string | undefined> {
    const granted = await tokenEndpoint
      .askFrame(page(), false, { ...credentials.switched?.parameters, claims: wanted })
      .catch(() => undefined)
    const isOver = !session.stillCounts() || signal.aborted
    // After `dispose()`, the session continues.
    if (isOver && granted && !disposed.aborted) revoke(granted)
    if (isOver) throw notAuthenticated()
    if (!granted || !isSameIdentity(credentials.claims, granted.claims)) {
      timeline.record(STEP, 'failed', 'the server wants to ask the user')
      return undefined
    }
    await session.send({ type: 'adopted', granted: withRefreshToken(granted, tokens.current), isOwn: true })
    timeline.record(STEP, 'done')
    return tokens.current?.accessToken
  }
}

/**
 * What the hidden frame brought, beside the refresh token that is held: the frame brings none, and that one may still be good.
 * What is known of it goes along: one that may be used up is not sent again.
 */
export function withRefreshToken(granted: Granted, credentials: Credentials | undefined): Granted {
  if (granted.refreshToken !== undefined || !credentials) return granted
  const { refreshToken, sentAtMs } = credentials
  return { ...granted, refreshToken, sentAtMs }
}
