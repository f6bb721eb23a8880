// Leaves for the authorization server, with a one-time record for the way back.
import { offline } from '../../errors.ts'
import { redirectLoop, redirectRefused, storageUnavailable } from '../../sessionErrors.ts'
import { splitAddress, withoutAnswer } from '../../protocol/address.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { sameOriginPath } from '../../protocol/sameOriginPath.ts'
import type { SignInWishes } from '../../protocol/loginParameters.ts'
import { createStateKey } from '../../protocol/pkce.ts'
import type { Context } from '../context.ts'
import { beginAttempt } from './signInAttempt.ts'
import type { KeptStepUp } from './stepUpTypes.ts'
import type { Granted } from './tokenEndpoint.ts'

/** What an app can say about one sign-in. */
export interface LoginOptions extends SignInWishes {
  /** Where the user is to be afterwards, an address of this origin. Default: where they are now. */
  returnTo?: string | undefined
}

/** A sign-in as the session asks for it. */
export interface SignInRequest extends LoginOptions {
  isAutomatic?: boolean | undefined
  /** The app's hook asked for it because of this clash: should the user turn back, that is why they are signed out. */
  clash?: SessionClash | undefined
  /** In a window: looks at what it brought before it takes the place of anything. Throws where that is not what was asked for. */
  check?: ((granted: Granted) => void) | undefined
  /** The API has asked for it: what the page that comes back holds the tokens against. */
  stepUp?: KeptStepUp | undefined
}

export interface SignInRedirect {
  /**
   * Stores a one-time record and leaves; a second call meanwhile joins. Settles when the browser has been told to go.
   *
   * @throws AuthError `offline`, `storage-unavailable`, `redirect-loop`, `redirect-refused`, `invalid-argument`
   */
  login(options?: SignInRequest): Promise<void>
  /** Remembers why the user is being sent to the logout page; the state key to come back with. */
  keepDeparture(reason: SignedOutReason, clash?: SessionClash, returnTo?: string): string
}

/**
 * Signs in in a window, without leaving the page. Call it inside the user's click; a second call meanwhile joins.
 *
 * @throws AuthError `offline`, `popup-blocked`, `popup-closed`, `popup-timeout`, `access-denied`, those of a code exchange
 */
export type LoginInPopup = (request: SignInRequest) => Promise<void>

export function createSignInRedirect(
  options: Pick<
    Context,
    'settings' | 'platform' | 'server' | 'redirectUri' | 'store' | 'disposal' | 'tabRecords'
  >,
  loginInPopup: LoginInPopup,
): SignInRedirect {
  const { platform, store, tabRecords, settings } = options
  const { authHost } = settings
  let inFlight: Promise<void> | undefined

  /** Where the user is; without a code that nobody here has asked for, which stays in the address. */
  const currentPath = () => {
    const address = platform.address()
    const [, query] = splitAddress(address)
    // One that comes twice is none to start-up, and a code all the same.
    const once = new URLSearchParams([...new Map(new URLSearchParams(query))])
    const place = settings.server.readAnswer(`?${once}`)?.code ? withoutAnswer(address) : address
    return place.slice(new URL(address).origin.length)
  }
  const leave = async ({ returnTo, isAutomatic = false, clash, stepUp, ...wishes }: SignInRequest) => {
    const target = returnTo === undefined ? currentPath() : sameOriginPath(returnTo, platform.address())
    if (target === undefined) throw redirectRefused()
    if (!platform.isOnline()) throw offline()
    const { state, attempt, address } = await beginAttempt(options, wishes, target)
    // Signed in meanwhile: nobody is sent away by itself then.
    if (isAutomatic && store.state.status === 'authenticated') return
    if (isAutomatic && !tabRecords.countNavigation(platform.now())) throw redirectLoop()
    tabRecords.forgetOld(attempt.createdAtMs)
    if (!tabRecords.keepAttempt(state, { ...attempt, clash, stepUp, isAutomatic })) throw storageUnavailable()
    store.change({ type: 'redirecting', to: 'login' })
    platform.navigate(address)
  }

  return {
    login(choice = {}) {
      if (choice.display === 'popup') return loginInPopup(choice)
      inFlight ??= leave(choice).finally(() => {
        inFlight = undefined
      })
      return inFlight
    },
    keepDeparture(reason, clash, returnTo = currentPath()) {
      const state = createStateKey(platform.crypto)
      const createdAtMs = platform.now()
      tabRecords.keepAttempt(state, {
        departure: reason,
        clash,
        authHost,
        returnTo,
        createdAtMs,
      })
      return state
    },
  }
}
