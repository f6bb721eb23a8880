// Redirects to the authorization server, with a stored one-time record for the response.
import { redirectLoop, redirectRefused, storageUnavailable } from '../../base/sessionErrors.ts'
import { sameOriginPath } from '../../protocol/origin.ts'
import type { Context } from '../context.ts'
import { isExpired } from '../state.ts'
import { currentPath } from './place.ts'
import { beginAttempt } from './signInAttempt.ts'
import { type SignInRequest, strengthOf } from './signInRequest.ts'

export type SignInRedirect = ReturnType<typeof createSignInRedirect>

/** Signs in in a popup. Call it inside the user's click; a second call joins. @throws AuthError as `login` of the auth object */
export type LoginInPopup = (request: SignInRequest) => Promise<void>

interface Leaving {
  /** Of the session in which it began. */
  readonly session: AbortSignal
  done: Promise<void>
  /** The step-up that replaces it. */
  instead?: Leaving
}

export function createSignInRedirect(
  context: Context,
  loginInPopup: LoginInPopup,
  /** Aborted when the current session ends, with the error to throw then. */
  signal: () => AbortSignal,
) {
  const { platform, store, tabRecords, marker } = context
  let last: Leaving | undefined

  const leave = async (
    { returnTo, isAutomatic = false, clash, stepUp, ...wishes }: SignInRequest,
    own: Leaving,
  ): Promise<void> => {
    const target =
      returnTo === undefined ? currentPath(context) : sameOriginPath(returnTo, platform.address())
    if (target === undefined) throw redirectRefused()
    // A sign-in after an expiry asks for everything, like the first one: its refresh token was missing or did not work.
    const isReturn = isAutomatic && marker.isThere() && !isExpired(store.state)
    const { state, attempt, address } = await beginAttempt(
      context,
      { ...wishes, isAutomatic: isReturn },
      target,
    )
    if (own.instead) return own.instead.done
    // The user has signed out meanwhile: do not sign in again. After an expiry, continue.
    if (isOvertaken(own)) {
      if (stepUp) own.session.throwIfAborted()
      return
    }
    // Signed in meanwhile, for example by another tab: no automatic redirect then.
    if (isAutomatic && store.state.status === 'authenticated') return
    if (isAutomatic && !tabRecords.countNavigation(platform.now())) throw redirectLoop()
    const kept = { ...attempt, clash, stepUp: stepUp ?? strengthOf(wishes), isAutomatic }
    if (!tabRecords.keepAttempt(state, kept)) throw storageUnavailable()
    tabRecords.keepUser(context.caches.holds())
    store.change({ type: 'redirecting', to: 'login' })
    platform.navigate(address)
  }
  const isOvertaken = ({ session }: Leaving) => session.aborted && !isExpired(store.state)
  const begin = (choice: SignInRequest): Leaving => {
    const own: Leaving = { session: signal(), done: Promise.resolve() }
    own.done = leave(choice, own).finally(() => {
      if (last === own) last = undefined
    })
    return own
  }

  return {
    /**
     * Stores a one-time record and redirects. A second call joins; a step-up replaces it. Settles when the navigation has begun, or after a logout.
     *
     * @throws AuthError `offline`, `network` and others where the server is away, `storage-unavailable`, `redirect-loop`,
     * `redirect-refused`, `invalid-argument`; `not-authenticated` for a step-up after a logout
     */
    login(choice: SignInRequest) {
      if (choice.display === 'popup') return loginInPopup(choice)
      // A step-up must not join: its parameters and the check of its result would be lost.
      if (!last || isOvertaken(last) || choice.stepUp) {
        const next = begin(choice)
        if (last && !isOvertaken(last)) last.instead = next
        last = next
      }
      return last.done
    },
  }
}
