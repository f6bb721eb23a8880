// The start-up sequence.
import type { AuthError } from '../../base/errors.ts'
import { recordOf } from '../../base/json.ts'
import { logoutFailed } from '../../base/sessionErrors.ts'
import { asAuthError } from '../../protocol/signIn.ts'
import type { StateEvent } from '../state.ts'
import type { OpenedPage } from './openedPage.ts'

/** What the user's retry does after a failure: start-up again, or the sign-in page. */
export type Retry = 'start-up' | 'login'

/** How start-up ends; `canPass`: a failure is repeated without a click. */
export type StartUpEnd =
  | Extract<StateEvent, { type: 'absent' }>
  | { type: 'failed'; error: AuthError; canPass: boolean; retry: Retry }

/** Why earlier steps have found no session. */
interface Failures {
  code?: AuthError
  check?: AuthError
  /** The server has not responded to the code: a frame would wait for it much longer. */
  isMute?: boolean
}

/** Start-up is over; without `end`, a user is signed in or the browser is leaving. `skipped`: why the features' steps are not taken. */
interface Over {
  end?: StartUpEnd
  skipped?: string
}

type Step = (page: OpenedPage, failures: Failures) => Promise<Over | undefined>

const SIGNED_IN: Over = { skipped: 'there is a session already' }

/** Resolves with the event that ends start-up, or `undefined` when a user is signed in or the browser is leaving. */
export async function startUp(page: OpenedPage): Promise<StartUpEnd | undefined> {
  const failures: Failures = {}
  const steps = [useCode, honourPendingLogout, findSession, endWithFailure, takeFeatureSteps, autoLogin]
  for (const step of steps) {
    const over = await step(page, failures)
    if (over?.skipped) for (const { startUpStep } of page.features) startUpStep?.skip(over.skipped)
    if (over || page.isOvertaken()) return over?.end
  }
  return undefined
}

/** 1. A code in the URL. */
const useCode: Step = async (page, failures) => {
  const { callback } = page
  const record = page.timeline.record.bind(undefined, 'code in the address')
  if (callback?.type !== 'answer') {
    record('skipped', 'none of ours')
    if (callback?.type !== 'logout') return undefined
    page.settlePendingLogout()
    return { end: { ...callback, type: 'absent' }, skipped: 'the session has just ended' }
  }
  record('started')
  const { answer, attempt, clash, stepUp } = callback
  // With neither member it is `login({ acrValues })`, not a step-up: any user may come back.
  const { user, switchTo } = recordOf(stepUp)
  const isStepUp = user !== undefined || switchTo !== undefined
  const refusal = await page.refusal(answer).catch(asAuthError)
  try {
    if (refusal) throw refusal
    if (!attempt) {
      record('skipped', 'no longer awaited')
      return undefined
    }
    await page.exchange(answer, attempt, stepUp)
    record('done')
    return SIGNED_IN
  } catch (error) {
    const cause = asAuthError(error)
    const { code } = cause
    record('failed', cause)
    // Cancelling a step-up keeps the current session.
    if (refusal && code === 'access-denied' && !isStepUp) {
      const skipped = 'the sign-in was cancelled'
      // The app's hook had sent the user there because of a clash, and they cancelled.
      if (clash) return { end: { type: 'absent', reason: 'session-clash', clash }, skipped }
      return { end: { type: 'absent', reason: 'cancelled', cause }, skipped }
    }
    if (code === 'identity-changed') return { end: { type: 'absent', reason: 'signed-out', cause } }
    // The frame would find the weaker session.
    if (code === 'step-up-refused') return { end: failed(cause, 'login') }
    // Codes are single-use, so the server's own session decides what happens next. With `login-required` a duplicated tab sends the code.
    failures.isMute = code === 'timeout'
    if (!isStepUp && code !== 'login-required') failures.code = cause
    return undefined
  }
}

/** A user has signed out and the server does not know yet: the silent check must not find that user. */
const honourPendingLogout: Step = async (page, { code }) => {
  try {
    const pending = await page.honourPendingLogout()
    if (!pending) return undefined
    const { is, reason, cause } = pending
    const skipped = 'a logout is owed to the server'
    if (is === 'redirecting') return { skipped }
    if (is === 'sent before') page.timeline.record('verify existing session', 'skipped', skipped)
    const isFailed = is === 'sent before' && code
    return { end: isFailed ? failed(code, 'login') : { type: 'absent', reason, cause }, skipped }
  } catch (error) {
    return { end: failed(logoutFailed(error), 'start-up', false) }
  }
}

/** 2. An existing session. */
const findSession: Step = async (page, failures) => {
  const { callback, isFirstVisit, timeline } = page
  const record = timeline.record.bind(undefined, 'verify existing session')
  if (!callback && isFirstVisit) {
    record('skipped', 'first visit')
    return undefined
  }
  try {
    if (failures.isMute) await page.flow.check()
    await page.findSession()
    record('done')
    return SIGNED_IN
  } catch (error) {
    failures.check = asAuthError(error)
    record(failures.check.code === 'login-required' ? 'done' : 'failed', failures.check)
    return undefined
  }
}

/** A sign-in that just failed is not repeated without the user. */
const endWithFailure: Step = async ({ autoLogin: canLeave }, { code, check }) => {
  const skipped = 'start-up failed before it'
  if (!code) return check && !isAboutFrame(check) ? { end: failed(check), skipped } : undefined
  const { retryable } = code
  // Whether a repeat can find the session that began with the code: not if the server has reported none.
  const canFind = !check || !isAboutFrame(check) || (canLeave && check.code.startsWith('iframe'))
  const canPass = retryable && code.code !== 'authorization-refused' && canFind
  return { end: failed(code, retryable ? 'start-up' : 'login', canPass), skipped }
}

/** 3. A token in the URL or in initToken, by a feature. */
const takeFeatureSteps: Step = async ({ features, isOvertaken, flow }) => {
  try {
    for (const { startUpStep } of features)
      if ((await startUpStep?.run(isOvertaken, flow)) || isOvertaken()) return {}
    return undefined
  } catch (error) {
    return { end: notLeft(asAuthError(error)) }
  }
}

/** 4. Auto-login. */
const autoLogin: Step = async (page, { check }) => {
  const record = page.timeline.record.bind(undefined, 'auto-login')
  if (!page.autoLogin) {
    record('skipped', 'autoLogin is off')
    const cause = check?.code === 'login-required' ? undefined : check
    return { end: { type: 'absent', reason: page.hadSession ? 'expired' : 'none', cause } }
  }
  if (page.hasTurnedBack) {
    record('skipped', 'the user came back from the sign-in page')
    return { end: { type: 'absent', reason: 'cancelled' } }
  }
  const seen = page.whenSeen()
  if (seen) {
    record('skipped', 'until the page is visible')
    await seen
    // The first visible tab may have signed in.
    const over = page.isOvertaken() ? {} : await findSession({ ...page, isFirstVisit: false }, {})
    if (over || page.isOvertaken()) return over ?? {}
  }
  try {
    // After a wait, an earlier response of the server proves nothing.
    await page.login(seen ? undefined : page.flow)
    record('started', 'to the sign-in page')
    return {}
  } catch (error) {
    const cause = asAuthError(error)
    record('failed', cause)
    return { end: notLeft(cause) }
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

// A frame that failed or was refused says nothing about the session; a redirect can still find it.
function isAboutFrame({ code, retryable }: AuthError): boolean {
  const isRefusal = code === 'access-denied' || (code === 'authorization-refused' && !retryable)
  return isRefusal || code === 'login-required' || code === 'iframe-timeout' || code === 'iframe-blocked'
}
