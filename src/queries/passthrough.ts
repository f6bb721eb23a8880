// Hands the session to another address of the firm, through the authorization server.
import { AuthError } from '../base/errors.ts'
import { notAuthenticated, notSupported } from '../base/sessionErrors.ts'
import { handOverAddress, passthroughUrl } from '../protocol/passthrough.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { type AuthMutation, writeMutation } from './defaults.ts'
import { rememberUser } from './keys.ts'

/** The target of a passthrough. */
export interface PassthroughRequest {
  /** A URL of this app, absolute or from its root, or a URL of an allowed origin. */
  redirect: string
}

/** Options of a passthrough. */
export interface PassthroughOptions {
  /** Further origins that may receive a session. Write them in the code; never take them from a URL. Default: none. */
  origins?: readonly string[] | undefined
}

/** The last `jti` that was passed on. A `jti` works once. */
const passedOn = new WeakMap<Auth, string>()

/** The write of `usePassthrough`. */
export function passthroughMutation(
  auth: Auth,
  options: PassthroughOptions = {},
): AuthMutation<void, PassthroughRequest> {
  return writeMutation(auth, 'pass through', async ({ redirect }) => {
    const isSameUser = rememberUser(auth)
    const { settings, platform, leaveSignedIn } = internalsOf(auth)
    if (!settings.server.supports('passthrough')) throw notSupported('Passthrough')
    const { origins = [] } = options
    const target = handOverAddress(redirect, { address: platform.address(), origins })
    // The server accepts only the jti of a valid token, and each jti once.
    if (passedOn.has(auth) && passedOn.get(auth) === jtiOf(auth)) await auth.renew({ force: true })
    else await auth.getAccessToken()
    if (!isSameUser()) throw notAuthenticated()
    const jti = jtiOf(auth)
    if (!jti) {
      throw new AuthError('invalid-access-token', 'The access token has no jti', {
        remedy: 'The authorization server must give every access token a jti.',
      })
    }
    await leaveSignedIn('passthrough', passthroughUrl(settings.authHost, jti, target))
    passedOn.set(auth, jti)
  })
}

function jtiOf(auth: Auth): string | undefined {
  const state = auth.getState()
  return state.status === 'authenticated' ? state.user.jti : undefined
}
