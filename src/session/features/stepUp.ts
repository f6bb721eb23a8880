// Gets the stronger session, or the token with further claims, that an API asks for, and validates the result; loads later.
import { AuthError } from '../../base/errors.ts'
import { numberOf, recordOf, textsOf } from '../../base/json.ts'
import { readStepUp } from '../../protocol/challenge.ts'
import type { Claims } from '../../protocol/claims.ts'
import { isSameIdentity } from '../../protocol/identity.ts'
import { identityChanged, invalidArgument, notAuthenticated } from '../../base/sessionErrors.ts'
import { type StepUpChallenge, stepUpRefused, stepUpRequired } from '../../base/stepUpErrors.ts'
import type { StepUpOptions } from '../auth.ts'
import type { Context } from '../context.ts'
import type { StepUps } from '../http/challenge.ts'
import type { SendEvent } from '../sessionEvent.ts'
import type { KeptStepUp, SignInRequest } from '../signIn/signInRequest.ts'
import type { Credentials, Granted } from '../../protocol/credentials.ts'
import { hintOf, told } from '../../protocol/switchTo.ts'

const STEP = 'step-up'
const CLAIMS_STEP = 'claims challenge'
/** An API that repeats its challenge within this time has refused the result; later, the strength may have expired. */
const LONGEST_TRUST_MS = 300_000
/** Time for the redirect back and the next call. */
const SHORTEST_TRUST_MS = 10_000
/** Both times are the server's: only its machines' clocks can differ. */
const TOLERANCE_SECONDS = 60

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

/** The error of a challenge; `undefined` if it asks for no stronger sign-in. */
export function challengeError(header: string, stepUps: StepUps, nowMs: number): AuthError | undefined {
  const challenge = readStepUp(header)
  if (!challenge) return undefined
  const { last } = stepUps
  const { maxAgeInSeconds = Infinity } = challenge
  const trustMs = Math.max(SHORTEST_TRUST_MS, Math.min(LONGEST_TRUST_MS, maxAgeInSeconds * 1000))
  const isSame = last?.key === keyOf(challenge) && Math.abs(nowMs - last.atMs) < trustMs
  return isSame ? stepUpRefused(challenge) : stepUpRequired(challenge)
}

/** By the credentials at its beginning: the next user must not join. */
const running = new WeakMap<object, Map<string, Promise<void>>>()

/** Signs in again as the API wants it; a call for the same strength joins it. @throws AuthError */
export async function stepUp(
  required: unknown,
  { display }: StepUpOptions = {},
  context: Pick<Context, 'tokens' | 'timeline' | 'platform' | 'stepUps'>,
  session: { logIn(request: SignInRequest): Promise<void> },
): Promise<void> {
  const { tokens, timeline, stepUps } = context
  // Checked before it joins, so that a wrong call fails alone.
  if (required instanceof AuthError && required.code === 'step-up-refused') throw required
  if (!(required instanceof AuthError && required.code === 'step-up-required'))
    throw invalidArgument('no step-up-required', 'Pass the error that the call was rejected with.')
  const { current } = tokens
  if (!current) throw notAuthenticated()
  stepUps.focus?.()
  return joined(running, current, keyOf(required), () => run(required, current))

  async function run(
    { acrValues, maxAgeInSeconds, claims }: AuthError & StepUpChallenge,
    credentials: typeof tokens.current & object,
  ) {
    const { userId, firmId, impersonatorId, aud } = credentials.claims
    const user = { userId, firmId, impersonatorId, aud }
    const kept: KeptStepUp = { acrValues, maxAgeInSeconds, claims, user }
    timeline.record(STEP, 'started', display)
    try {
      await session.logIn({
        // Without a requirement nothing would change.
        prompt: acrValues || maxAgeInSeconds !== undefined || claims ? undefined : 'login',
        ...(claims !== undefined && { parameters: { claims } }),
        further: credentials.switched?.parameters,
        acrValues,
        maxAgeInSeconds,
        loginHint: hintOf(credentials),
        display,
        stepUp: kept,
        check: (granted) => validateStrength(granted, kept, context, true),
      })
    } catch (cause) {
      timeline.record(STEP, 'failed', cause instanceof AuthError ? cause : undefined)
      throw cause
    }
  }
}

/** Revokes the tokens if `assertRight` throws: no session uses them. */
export function validateOrRevoke(
  granted: Granted,
  { revoke }: Pick<Context, 'revoke'>,
  assertRight: () => void,
): void {
  try {
    assertRight()
  } catch (error) {
    revoke(granted)
    throw error
  }
}

/**
 * Validates the tokens against what was asked for; after a redirect, that comes from storage. A step-up by redirect accepts weaker
 * tokens, because the API refuses them. If the server does not report the strength, the API decides.
 *
 * @throws AuthError `identity-changed`, `step-up-refused`
 */
export function validateStrength(
  granted: Granted,
  kept: unknown,
  { timeline, platform, stepUps }: Pick<Context, 'timeline' | 'platform' | 'stepUps'>,
  isStrict = false,
): void {
  const { user, claims, ...asked } = recordOf(kept)
  const acrValues = textsOf(asked['acrValues'])
  const maxAgeInSeconds = numberOf(asked['maxAgeInSeconds'])
  if (user !== undefined && !isSameIdentity(granted.claims, recordOf(user) as unknown as Claims)) {
    timeline.record(STEP, 'failed', 'another user signed in')
    throw identityChanged()
  }
  const { acr, auth_time, iat } = told(granted)
  const age = (numberOf(iat) ?? Number.NaN) - (numberOf(auth_time) ?? Number.NaN)
  const isWeak = acrValues.length > 0 && typeof acr === 'string' && !acrValues.includes(acr)
  const isOld = age > (maxAgeInSeconds ?? Infinity) + TOLERANCE_SECONDS
  const why = isWeak ? 'acr is another one' : isOld ? 'auth_time is too old' : undefined
  const wanted: StepUpChallenge = {
    ...(acrValues.length > 0 && { acrValues }),
    maxAgeInSeconds,
    claims: typeof claims === 'string' ? claims : undefined,
  }
  stepUps.last = { key: keyOf(wanted), atMs: platform.now() }
  timeline.record(STEP, why ? 'failed' : 'done', why)
  if (why && (isStrict || user === undefined)) throw stepUpRefused(wanted, why)
}

const keyOf = ({ acrValues = [], maxAgeInSeconds = Infinity, claims = '' }: StepUpChallenge): string =>
  `${maxAgeInSeconds} ${acrValues.join(' ')} ${claims}`

const claimsAsked = new WeakMap<object, Map<string, Promise<string | undefined>>>()

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
  return joined(claimsAsked, signal, claims, async () => meet(claims, current))

  async function meet(wanted: string, credentials: typeof current & object): Promise<string | undefined> {
    const granted = await tokenEndpoint
      .askFrame(page(), false, { ...credentials.switched?.parameters, claims: wanted })
      .catch(() => undefined)
    const isOver = !session.stillCounts() || signal.aborted
    // After `dispose()`, the session continues.
    if (isOver && granted && !disposed.aborted) revoke(granted)
    if (isOver) throw notAuthenticated()
    if (!granted || !isSameIdentity(credentials.claims, granted.claims)) {
      timeline.record(CLAIMS_STEP, 'failed', 'the server wants to ask the user')
      return undefined
    }
    await session.send({ type: 'adopted', granted: withRefreshToken(granted, tokens.current), isOwn: true })
    timeline.record(CLAIMS_STEP, 'done')
    return tokens.current?.accessToken
  }
}

/** A frame brings no refresh token: keeps the current one, and whether it may be used up. */
export function withRefreshToken(granted: Granted, credentials: Credentials | undefined): Granted {
  if (granted.refreshToken !== undefined || !credentials) return granted
  const { refreshToken, sentAtMs } = credentials
  return { ...granted, refreshToken, sentAtMs }
}
