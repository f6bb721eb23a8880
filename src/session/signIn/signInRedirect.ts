// Leaves for the authorization server, with a one-time record for the way back (spec §4 "Unauthenticated to authenticated").
import { offline } from '../../errors.ts'
import { redirectLoop, redirectRefused, storageUnavailable } from '../../sessionErrors.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { sameOriginPath } from '../../protocol/sameOriginPath.ts'
import type { FurtherParameters, SignInWishes } from '../../protocol/loginParameters.ts'
import { createStateKey } from '../../protocol/pkce.ts'
import { asAuthError, type Attempt } from '../../protocol/signIn.ts'
import type { Context } from '../context.ts'

/** What an app can say about one sign-in. */
export interface LoginOptions extends SignInWishes {
  /** Where the user is to be afterwards, an address of this origin. Default: where they are now. */
  returnTo?: string | undefined
  /** 'popup' signs in in a window, without leaving the page. Default 'page'. */
  display?: 'page' | 'popup' | undefined
}

/** A sign-in as the session asks for it. */
export interface SignInRequest extends LoginOptions {
  isAutomatic?: boolean | undefined
  /** The app's hook asked for it because of this clash: should the user turn back, that is why they are signed out. */
  clash?: SessionClash | undefined
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

const FURTHER_WISHES: readonly (keyof SignInWishes)[] = [
  'loginHint',
  'uiLocales',
  'acrValues',
  'maxAgeInSeconds',
  'parameters',
]

/** A sign-in without further wishes needs no further file; nor does one by the event of a click. */
async function parametersOf(wishes: SignInWishes): Promise<FurtherParameters> {
  const { prompt } = wishes
  if (!FURTHER_WISHES.some((name) => name in wishes)) return prompt ? { prompt } : {}
  const file = await import('../../protocol/loginParameters.ts').catch((error: unknown) => {
    throw asAuthError(error)
  })
  return file.loginParameters(wishes)
}

export function createSignInRedirect(
  options: Pick<
    Context,
    'settings' | 'platform' | 'server' | 'redirectUri' | 'store' | 'disposal' | 'tabRecords'
  >,
): SignInRedirect {
  const { settings, platform, store, tabRecords } = options
  const { authHost, clientId } = settings
  let inFlight: Promise<void> | undefined

  const currentPath = () => {
    const address = platform.address()
    return address.slice(new URL(address).origin.length)
  }
  const leave = async ({ returnTo, isAutomatic = false, clash, ...wishes }: SignInRequest) => {
    const target = returnTo === undefined ? currentPath() : sameOriginPath(returnTo, platform.address())
    if (target === undefined) throw redirectRefused()
    if (!platform.isOnline()) throw offline()
    const disposal = options.disposal()
    const parameters = await parametersOf(wishes)
    const server = await options.server.get()
    const key = await settings.server.createKey(platform.crypto)
    const { verifier, nonce, state, challenge } = key
    disposal.throwIfAborted()
    if (challenge.method === 'plain') {
      platform.warn(
        'This page is not a secure context, so the PKCE challenge is the code verifier as plain text. Serve it over https.',
      )
    }
    // Signed in meanwhile: nobody is sent away by itself then.
    if (isAutomatic && store.state.status === 'authenticated') return
    if (isAutomatic && !tabRecords.countNavigation(platform.now())) throw redirectLoop()

    const redirectUri = options.redirectUri()
    const url = server.authorizeUrl({ key, redirectUri, parameters })
    const address = server.push ? await server.push(url) : url
    disposal.throwIfAborted()
    const createdAtMs = platform.now()
    const attempt: Attempt = {
      verifier,
      nonce,
      authHost,
      clientId,
      redirectUri,
      returnTo: target,
      createdAtMs,
    }
    tabRecords.forgetOld(createdAtMs)
    if (!tabRecords.keepAttempt(state, { ...attempt, clash })) throw storageUnavailable()
    store.change({ type: 'leaving', to: 'login' })
    platform.navigate(address)
  }

  return {
    login(choice = {}) {
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
