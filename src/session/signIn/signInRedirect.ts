// Leaves for the authorization server, with a one-time record for the way back.
import { offline } from '../../errors.ts'
import { notAuthenticated, redirectLoop, redirectRefused, storageUnavailable } from '../../sessionErrors.ts'
import { splitAddress, withoutAnswer } from '../../protocol/address.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { sameOriginPath } from '../../protocol/origin.ts'
import { createStateKey } from '../../protocol/pkce.ts'
import type { Context } from '../context.ts'
import { isExpired, type RedirectTarget } from '../state.ts'
import { beginAttempt, strengthOf } from './signInAttempt.ts'
import type { SignInRequest } from './signInRequest.ts'

export type SignInRedirect = ReturnType<typeof createSignInRedirect>

/**
 * Signs in in a window, without leaving the page. Call it inside the user's click; a second call meanwhile joins.
 *
 * @throws AuthError `offline`, `popup-blocked`, `popup-closed`, `popup-timeout`, `access-denied`, those of a code exchange
 */
export type LoginInPopup = (request: SignInRequest) => Promise<void>

/** A sign-in on its way out of the page. */
interface Leaving {
  /** Aborted when the session that it began in has ended. */
  readonly session: AbortSignal
  done: Promise<void>
  /** The step-up that goes in its place. */
  instead?: Leaving
}

export function createSignInRedirect(
  options: Pick<
    Context,
    | 'settings'
    | 'platform'
    | 'server'
    | 'redirectUri'
    | 'store'
    | 'disposal'
    | 'tabRecords'
    | 'reachability'
    | 'caches'
  >,
  loginInPopup: LoginInPopup,
  /** Aborted when the session held now ends. */
  signal: () => AbortSignal,
) {
  const { platform, store, tabRecords, settings } = options
  const { authHost } = settings
  let last: Leaving | undefined

  /** Where the user is; without a code that nobody here has asked for, which stays in the address. */
  const currentPath = () => {
    const address = platform.address()
    const [, query] = splitAddress(address)
    const parameters = new URLSearchParams(query)
    // One that comes twice is none to start-up, and a code all the same.
    const code = parameters.getAll('code').find(Boolean) ?? ''
    const isCode = parameters
      .getAll('state')
      .some((state) => settings.server.readAnswer(`?${new URLSearchParams({ code, state })}`)?.code)
    const place = isCode ? withoutAnswer(address) : address
    return place.slice(new URL(address).origin.length)
  }
  const leave = async (
    { returnTo, isAutomatic = false, clash, stepUp, ...wishes }: SignInRequest,
    own: Leaving,
  ): Promise<void> => {
    const target = returnTo === undefined ? currentPath() : sameOriginPath(returnTo, platform.address())
    if (target === undefined) throw redirectRefused()
    if (!platform.isOnline()) throw offline()
    const { state, attempt, address } = await beginAttempt(options, wishes, target)
    if (own.instead) return own.instead.done
    // Who signed out meanwhile is not signed in again by what they clicked before. A session that only expired holds nobody.
    if (isOvertaken(own)) {
      if (stepUp) throw notAuthenticated()
      return
    }
    // Signed in meanwhile: nobody is sent away by itself then.
    if (isAutomatic && store.state.status === 'authenticated') return
    if (isAutomatic && !tabRecords.countNavigation(platform.now())) throw redirectLoop()
    tabRecords.forgetOld(attempt.createdAtMs)
    const kept = { ...attempt, clash, stepUp: stepUp ?? strengthOf(wishes), isAutomatic }
    if (!tabRecords.keepAttempt(state, kept)) throw storageUnavailable()
    tabRecords.keepUser(options.caches.holds())
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
     * Stores a one-time record and leaves; a second call meanwhile joins, and the one under way joins a step-up that comes. Settles when
     * the browser has been told to go, or when a logout has overtaken it.
     *
     * @throws AuthError `offline`, `network` and others where the server is away, `storage-unavailable`, `redirect-loop`,
     * `redirect-refused`, `invalid-argument`; a step-up that a logout has overtaken `not-authenticated`
     */
    login(choice: SignInRequest = {}) {
      if (choice.display === 'popup') return loginInPopup(choice)
      // A step-up joins nothing: it would lose its wish, and nobody would look at what it brought.
      if (!last || isOvertaken(last) || choice.stepUp) {
        const next = begin(choice)
        if (last && !isOvertaken(last)) last.instead = next
        last = next
      }
      return last.done
    },
    /**
     * Leaves for a page of the server that the user comes back from, still signed in.
     *
     * @throws AuthError `storage-unavailable`, `not-authenticated` and others where the server is away
     */
    async leaveSignedIn(to: RedirectTarget, url: string) {
      const session = signal()
      // The mark before the navigation: without it the way back could lead there again and again.
      if (to === 'passthrough' && !tabRecords.mark(to)) throw storageUnavailable()
      await options.reachability.check(options.server)
      // Signed out while the server was asked.
      if (session.aborted) throw notAuthenticated()
      tabRecords.keepUser(options.caches.holds())
      store.change({ type: 'redirecting', to })
      platform.navigate(url)
    },
    /** Remembers why the user is being sent to the logout page; the state key to come back with. */
    keepDeparture(reason: SignedOutReason, clash?: SessionClash, returnTo = currentPath()) {
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
