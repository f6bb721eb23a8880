// Exchanges a one-time assertion for an access token.
import { notInitialised } from '../base/errors.ts'
import { invalidArgument, notAuthenticated } from '../base/sessionErrors.ts'
import { TOKEN_PATH } from '../protocol/endpoints.ts'
import { Secret } from '../protocol/secret.ts'
import { assertionGrant, parseTokens } from '../protocol/tokens.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { hideIn, inConfidence, secretMutation } from './hidden.ts'
import { rememberUser } from './sameUser.ts'
import type { AuthMutation } from './types.ts'

/** The assertion to exchange. */
export interface AssertionRequest {
  /** The `jti` that the server gave to another part of the product. */
  assertion: string | Secret
}

/** The access token that was issued. It belongs to your app; the session is unaffected. */
export interface ExchangedToken {
  /** The token; `reveal()` returns it. */
  readonly accessToken: Secret
  /** Lifetime in seconds; `undefined` when the server sent none. */
  readonly expiresInSeconds: number | undefined
}

/** Wraps the assertion in a `Secret`. */
export const hideAssertion: (request: AssertionRequest) => AssertionRequest = (request) =>
  hideIn(request, 'assertion')

/**
 * Exchanges an assertion: POST /oauth/token with `grant_type` jti. Variables: `{ assertion }`. The token in the result is a
 * `Secret`. The session is unaffected, and no bearer token is sent. `not-authenticated`: the user has changed or signed out
 * meanwhile. Further errors: `not-initialised`, `invalid-argument` before any request, `invalid-access-token`.
 */
export function exchangeAssertionMutation(auth: Auth): AuthMutation<ExchangedToken, AssertionRequest> {
  const { settings, callOpenly } = internalsOf(auth)
  return secretMutation(auth, 'exchange assertion', hideAssertion, async ({ assertion: given }) => {
    const assertion = given instanceof Secret ? given.reveal() : given
    if (typeof assertion !== 'string' || assertion === '') {
      throw invalidArgument('assertion is required', 'Pass the jti as the server gave it.')
    }
    const { status } = auth.getState()
    if (status === 'initializing') throw notInitialised()
    // The token is for the user who is signed in now. Without one it is the app's own.
    const isSameUser = status === 'authenticated' ? rememberUser(auth) : () => true
    return inConfidence(assertion, async () => {
      const body = assertionGrant(assertion, settings.clientId)
      const { accessToken, expiresInSeconds } = parseTokens(
        await callOpenly({ method: 'POST', path: TOKEN_PATH, body }),
      )
      if (!isSameUser()) throw notAuthenticated()
      return { accessToken: new Secret(accessToken), expiresInSeconds }
    })
  })
}
