// The start-up sequence, in the order of the specification (spec §4 "Start-up sequence").
import { type AuthError, offline } from '../../errors.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { Settings } from '../../protocol/config.ts'
import { logoutFailed } from '../../sessionErrors.ts'
import { answerError, asAuthError, type Attempt, type AuthorizationAnswer } from '../../protocol/signIn.ts'
import type { AddressToken } from '../../protocol/passthrough.ts'
import type { Callback } from '../signIn/callback.ts'
import type { LogoutPage } from '../signedIn/logoutPage.ts'
import type { StateEvent } from '../state.ts'
import type { Timeline } from '../timeline.ts'

export interface StartUpOptions {
  settings: Pick<Settings, 'authHost' | 'autoLogin' | 'initToken'>
  timeline: Timeline
  /** Our own answer, taken out of the address. */
  takeCallback(): Callback | undefined
  /** Exchanges a code; the session is live when it resolves. */
  exchange(answer: AuthorizationAnswer, attempt: Attempt): Promise<void>
  /** Tells the server of a logout that it has not been told of. */
  honourOwedLogout: LogoutPage['settleOwed']
  /** The browser has been at the logout page: no logout is owed any more. */
  settleOwedLogout(): void
  /** Finds a session that exists: in another tab or at the server; the session is live when it resolves. */
  verify(): Promise<void>
  /** Leaves for the authorization server by itself. */
  login(): Promise<void>
  /**
   * Leaves for the passthrough page with what was found in the address or in initToken; false when there is nothing to go
   * with. When somebody is signed in it says so, and does nothing.
   */
  passThrough(token: AddressToken | undefined): boolean
  /** What the user's retry does after a failure: start-up again, or the sign-in page. */
  retry(how: 'start-up' | 'login'): void
  /** Whether this browser had a session before. */
  readonly hadSession: boolean
  /** Nothing speaks for a session, and the sign-in page finds one too: step 2 is left to it. */
  readonly isFirstVisit: boolean
}

/** What ends start-up; a failure says whether it is worth a repeat without a click. */
export type StartUpEnd =
  | Exclude<StateEvent, { type: 'failed' }>
  | (Extract<StateEvent, { type: 'failed' }> & { canPass: boolean })

/** Runs the steps; answers the event that ends start-up, or `undefined` when the browser is leaving. */
export async function startUp(options: StartUpOptions): Promise<StartUpEnd | undefined> {
  const { timeline } = options
  const failed = (
    error: AuthError,
    how: 'start-up' | 'login' = 'start-up',
    canPass: boolean = how === 'start-up' && error.retryable,
  ): StartUpEnd => ({
    type: 'failed',
    error,
    canPass,
    retry: () => options.retry(how),
  })
  /** `initToken` is not tried: explain() says why. */
  const passOver = (why: string) => {
    if (options.settings.initToken !== undefined) timeline.record('initToken', 'skipped', why)
  }
  let exchangeError: AuthError | undefined

  // 1. A code in the address.
  const callback = options.takeCallback()
  timeline.record(
    'code in the address',
    callback?.type === 'answer' ? 'started' : 'skipped',
    callback?.type === 'answer' ? undefined : 'none of ours',
  )
  if (callback?.type === 'logout') {
    options.settleOwedLogout()
    passOver('the session has just ended')
    return { ...callback, type: 'absent' }
  }
  if (callback?.type === 'answer') {
    const { answer, attempt, clash } = callback
    const refusal = answerError(answer, options.settings.authHost)
    if (refusal?.code === 'access-denied') {
      timeline.record('code in the address', 'failed', refusal)
      passOver('the sign-in was cancelled')
      // The app's hook had sent the user there because of a clash, and they turned back.
      if (clash) return { type: 'absent', reason: 'session-clash', clash }
      return { type: 'absent', reason: 'cancelled', cause: refusal }
    }
    try {
      if (refusal) throw refusal
      await options.exchange(answer, attempt)
      timeline.record('code in the address', 'done')
      passOver('there is a session already')
      return undefined
    } catch (error) {
      // A code can be used once, whatever became of it: the server's own session decides what happens next.
      const cause = asAuthError(error)
      timeline.record('code in the address', 'failed', cause)
      // A copy of this tab sends the code: for this one there was none.
      if (cause.code !== 'login-required') exchangeError = cause
    }
  }

  // Somebody has signed out and the server does not know yet: nobody finds that user signed in here.
  let owed: ReturnType<StartUpOptions['honourOwedLogout']>
  try {
    owed = options.honourOwedLogout()
  } catch (error) {
    return failed(logoutFailed(error), 'start-up', false)
  }
  if (owed) {
    passOver('a logout is owed to the server')
    if (owed.is === 'leaving') return undefined
    const event = { type: 'absent', reason: owed.reason } as const
    if (owed.is === 'offline') return { ...event, cause: offline() }
    timeline.record('verify existing session', 'skipped', 'a logout is owed to the server')
    if (exchangeError) return failed(exchangeError, 'login')
    return autoLogin({ ...event, cause: logoutFailed(undefined) })
  }

  // 2. An existing session.
  const token = callback?.type === 'token' ? callback.token : undefined
  let cause: AuthError | undefined
  if (!callback && options.isFirstVisit) timeline.record('verify existing session', 'skipped', 'first visit')
  else
    try {
      await options.verify()
      timeline.record('verify existing session', 'done')
      // A verified session wins over a token that came along: this only says so.
      if (token) options.passThrough(token)
      passOver('there is a session already')
      return undefined
    } catch (error) {
      cause = asAuthError(error)
      timeline.record('verify existing session', cause.code === 'login-required' ? 'done' : 'failed', cause)
    }
  if (exchangeError || (cause && !isAboutFrame(cause))) passOver('start-up failed before it')
  // A sign-in that just failed is not repeated by itself: the user sees why, and decides.
  if (exchangeError) {
    const { code, retryable } = exchangeError
    const canPass =
      retryable && code !== 'authorization-refused' && canFindSession(cause, options.settings.autoLogin)
    return failed(exchangeError, retryable ? 'start-up' : 'login', canPass)
  }
  if (cause && !isAboutFrame(cause)) return failed(cause)

  // 3. A token in the address or in initToken.
  try {
    if (options.passThrough(token)) return undefined
  } catch (error) {
    return failed(asAuthError(error), 'login')
  }

  // 4. Auto-login.
  return autoLogin(absent(options, cause))

  async function autoLogin(otherwise: StartUpEnd): Promise<StartUpEnd | undefined> {
    if (!options.settings.autoLogin) {
      timeline.record('auto-login', 'skipped', 'autoLogin is off')
      return otherwise
    }
    try {
      await options.login()
      timeline.record('auto-login', 'started', 'to the sign-in page')
      return undefined
    } catch (error) {
      const loginError = asAuthError(error)
      timeline.record('auto-login', 'failed', loginError)
      return failed(loginError, loginError.code === 'offline' ? 'start-up' : 'login')
    }
  }
}

function absent(options: StartUpOptions, cause?: AuthError): StartUpEnd {
  const reason: SignedOutReason = options.hadSession ? 'expired' : 'none'
  return { type: 'absent', reason, cause: cause?.code === 'login-required' ? undefined : cause }
}

/** Whether a repeat can find the session that began with a code: not where the server has said that there is none. */
function canFindSession(cause: AuthError | undefined, canLeave: boolean): boolean {
  if (!cause || !isAboutFrame(cause)) return true
  return canLeave && cause.code.startsWith('iframe')
}

// A frame that could not answer, or was refused, says nothing about the session: a redirect still can.
function isAboutFrame({ code, retryable }: AuthError): boolean {
  const isRefusal = code === 'access-denied' || (code === 'authorization-refused' && !retryable)
  return isRefusal || code === 'login-required' || code === 'iframe-timeout' || code === 'iframe-blocked'
}
