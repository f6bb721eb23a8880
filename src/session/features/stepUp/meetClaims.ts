// Gets a token with the claims that an API asks for, without asking the user if the server allows; loads later.
import { isSameIdentity } from '../../../protocol/identity.ts'
import type { StepUpChallenge } from '../../../base/stepUpErrors.ts'
import type { Context } from '../../context.ts'
import { notAuthenticated } from '../../../base/sessionErrors.ts'
import type { SendEvent } from '../../sessionEvent.ts'
import type { Credentials, Granted } from '../../../protocol/credentials.ts'

const STEP = 'claims challenge'

/** Single-flight per owner and key: calls meanwhile join. */
export function joined<Result>(
  running: WeakMap<object, Map<string, Promise<Result>>>,
  owner: object,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const all = running.get(owner) ?? new Map<string, Promise<Result>>()
  running.set(owner, all)
  const own = all.get(key) ?? work().finally(() => all.delete(key))
  all.set(key, own)
  return own
}

const asked = new WeakMap<object, Map<string, Promise<string | undefined>>>()

/**
 * The token to repeat the call with; `undefined`: the user must be asked. Calls that miss the same claims share one request.
 *
 * @throws AuthError `not-authenticated` when the session has ended
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
  return joined(asked, signal, claims, async () => meet(claims, current))

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

/** A frame brings no refresh token: keeps the current one, and whether it may be used up. */
export function withRefreshToken(granted: Granted, credentials: Credentials | undefined): Granted {
  if (granted.refreshToken !== undefined || !credentials) return granted
  const { refreshToken, sentAtMs } = credentials
  return { ...granted, refreshToken, sentAtMs }
}
