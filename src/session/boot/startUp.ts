// The start-up sequence.
import type { AuthError } from '../../base/errors.ts'
import { recordOf } from '../../base/json.ts'
import type { SignedOutReason } from '../../protocol/signedOutReasons.ts'
import { logoutFailed } from '../../base/sessionErrors.ts'
import { asAuthError } from '../../protocol/signIn.ts'
import type { PendingOutcome } from '../signedIn/owedLogout.ts'
import type { StateEvent } from '../state.ts'
import type { OpenedPage } from './openedPage.ts'

/** What the user's retry does after a failure: start-up again, or the sign-in page. */
export type Retry = 'start-up' | 'login'

/** How start-up ends; `canPass`: a failure is repeated without a click. */
export type StartUpEnd =
  | Extract<StateEvent, { type: 'absent' }>
  | { type: 'failed'; error: AuthError; canPass: boolean; retry: Retry }

/** The result of a step: the end of start-up (`undefined`: signed in, or leaving), or facts for the next steps. */
type Step<Facts> = { end: StartUpEnd | undefined } | Facts

/** Resolves with the event that ends start-up, or `undefined` when a user is signed in or the browser is leaving. */
export async function startUp(options: OpenedPage): Promise<StartUpEnd | undefined> {
  const { callback } = options

  // 1. A code in the URL.
  const code = await useCode(options)
  if ('end' in code) return code.end
  if (options.isOvertaken()) return undefined

  // A user has signed out and the server does not know yet: the silent check must not find that user.
  const pending = await honourPendingLogout(options, code.error)
  if ('end' in pending) return pending.end

  // 2. An existing session.
  const verified = await findSession(options, !callback && options.isFirstVisit)
  if ('end' in verified) return verified.end
  if (options.isOvertaken()) return undefined
  const failure = failureOf(options, code.error, verified.error)
  if (failure) return failure

  // 3. A token in the URL or in initToken, by a feature.
  try {
    for (const { startUpStep } of options.features)
      if ((await startUpStep?.run(options.isOvertaken, options.flow)) || options.isOvertaken())
        return undefined
  } catch (error) {
    return notLeft(asAuthError(error))
  }

  // 4. Auto-login.
  const reason: SignedOutReason = options.hadSession ? 'expired' : 'none'
  const cause = verified.error?.code === 'login-required' ? undefined : verified.error
  return autoLogin(options, { type: 'absent', reason, cause })
}

async function useCode(options: OpenedPage): Promise<Step<{ error: AuthError | undefined }>> {
  const { timeline, callback } = options
  const isCode = callback?.type === 'answer'
  timeline.record('code in the address', isCode ? 'started' : 'skipped', isCode ? undefined : 'none of ours')
  if (callback?.type === 'logout') {
    options.settlePendingLogout()
    passOver(options, 'the session has just ended')
    return { end: { ...callback, type: 'absent' } }
  }
  if (!isCode) return { error: undefined }
  const { answer, attempt, clash, stepUp } = callback
  // With neither member it is `login({ acrValues })`, not a step-up: any user may come back.
  const { user, switchTo } = recordOf(stepUp)
  const isStepUp = user !== undefined || switchTo !== undefined
  const refusal = await options.refusal(answer).catch(asAuthError)
  // Cancelling a step-up keeps the current session.
  if (refusal?.code === 'access-denied' && !isStepUp) {
    timeline.record('code in the address', 'failed', refusal)
    passOver(options, 'the sign-in was cancelled')
    // The app's hook had sent the user there because of a clash, and they cancelled.
    if (clash) return { end: { type: 'absent', reason: 'session-clash', clash } }
    return { end: { type: 'absent', reason: 'cancelled', cause: refusal } }
  }
  try {
    if (refusal) throw refusal
    if (!attempt) {
      timeline.record('code in the address', 'skipped', 'no longer awaited')
      return { error: undefined }
    }
    await options.exchange(answer, attempt, stepUp)
    timeline.record('code in the address', 'done')
    passOver(options, 'there is a session already')
    return { end: undefined }
  } catch (error) {
    // Codes are single-use, so the server's own session decides what happens next.
    const cause = asAuthError(error)
    timeline.record('code in the address', 'failed', cause)
    if (cause.code === 'identity-changed') return { end: { type: 'absent', reason: 'signed-out', cause } }
    // The frame would find the weaker session.
    if (cause.code === 'step-up-refused') return { end: failed(cause, 'login') }
    // With `login-required` a duplicated tab sends the code: start-up continues as without one.
    return { error: isStepUp || cause.code === 'login-required' ? undefined : cause }
  }
}

async function honourPendingLogout(
  options: OpenedPage,
  exchangeError: AuthError | undefined,
): Promise<Step<object>> {
  let pending: PendingOutcome | undefined
  try {
    pending = await options.honourPendingLogout()
  } catch (error) {
    return { end: failed(logoutFailed(error), 'start-up', false) }
  }
  if (!pending) return {}
  passOver(options, 'a logout is owed to the server')
  if (pending.is === 'redirecting') return { end: undefined }
  if (pending.is === 'sent before') {
    options.timeline.record('verify existing session', 'skipped', 'a logout is owed to the server')
    if (exchangeError) return { end: failed(exchangeError, 'login') }
  }
  return { end: { type: 'absent', reason: pending.reason, cause: pending.cause } }
}

async function findSession(
  options: OpenedPage,
  isFirstVisit: boolean,
): Promise<Step<{ error: AuthError | undefined }>> {
  const { timeline } = options
  if (isFirstVisit) {
    timeline.record('verify existing session', 'skipped', 'first visit')
    return { error: undefined }
  }
  try {
    await options.findSession()
    timeline.record('verify existing session', 'done')
    passOver(options, 'there is a session already')
    return { end: undefined }
  } catch (error) {
    const cause = asAuthError(error)
    timeline.record('verify existing session', cause.code === 'login-required' ? 'done' : 'failed', cause)
    return { error: cause }
  }
}

/** A failure that ends start-up after step 2. A sign-in that just failed is not repeated without the user. */
function failureOf(
  options: OpenedPage,
  exchangeError: AuthError | undefined,
  verifyError: AuthError | undefined,
): StartUpEnd | undefined {
  const isFatal = verifyError && !isAboutFrame(verifyError)
  if (exchangeError || isFatal) passOver(options, 'start-up failed before it')
  if (exchangeError) {
    const { code, retryable } = exchangeError
    const canFind = canFindSession(verifyError, options.autoLogin)
    const canPass = retryable && code !== 'authorization-refused' && canFind
    return failed(exchangeError, retryable ? 'start-up' : 'login', canPass)
  }
  return isFatal ? failed(verifyError) : undefined
}

async function autoLogin(options: OpenedPage, otherwise: StartUpEnd): Promise<StartUpEnd | undefined> {
  const { timeline } = options
  if (!options.autoLogin) {
    timeline.record('auto-login', 'skipped', 'autoLogin is off')
    return otherwise
  }
  if (options.hasTurnedBack) {
    timeline.record('auto-login', 'skipped', 'the user came back from the sign-in page')
    return { type: 'absent', reason: 'cancelled' }
  }
  const seen = options.whenSeen()
  if (seen) {
    timeline.record('auto-login', 'skipped', 'until the page is visible')
    await seen
    if (options.isOvertaken()) return undefined
    // The first visible tab may have signed in.
    const verified = await findSession(options, false)
    if ('end' in verified || options.isOvertaken()) return undefined
  }
  try {
    // After a wait, an earlier response of the server proves nothing.
    await options.login(seen ? undefined : options.flow)
    timeline.record('auto-login', 'started', 'to the sign-in page')
    return undefined
  } catch (error) {
    const loginError = asAuthError(error)
    timeline.record('auto-login', 'failed', loginError)
    return notLeft(loginError)
  }
}

/** The page could not be left: if the server is away, start-up is repeated. */
const notLeft = (error: AuthError): StartUpEnd => failed(error, isAway(error) ? 'start-up' : 'login')

/** Whether another attempt may find the server. */
export const isAway = ({ code, retryable }: AuthError): boolean => retryable && code !== 'redirect-loop'

function failed(
  error: AuthError,
  retry: Retry = 'start-up',
  canPass: boolean = retry === 'start-up' && error.retryable,
): StartUpEnd {
  return { type: 'failed', error, canPass, retry }
}

/** Skips the features' steps; `why` is for explain(). */
function passOver({ features }: OpenedPage, why: string): void {
  for (const { startUpStep } of features) startUpStep?.skip(why)
}

/** Whether a repeat can find the session that began with a code: not if the server has reported none. */
function canFindSession(cause: AuthError | undefined, canLeave: boolean): boolean {
  if (!cause || !isAboutFrame(cause)) return true
  return canLeave && cause.code.startsWith('iframe')
}

// A frame that failed or was refused says nothing about the session; a redirect can still find it.
function isAboutFrame({ code, retryable }: AuthError): boolean {
  const isRefusal = code === 'access-denied' || (code === 'authorization-refused' && !retryable)
  return isRefusal || code === 'login-required' || code === 'iframe-timeout' || code === 'iframe-blocked'
}
