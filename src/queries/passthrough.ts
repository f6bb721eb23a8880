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

/** The passthroughs under way. A second click joins, because a `jti` works once, and its target counts. */
const leavings = new WeakMap<Auth, { target: string; done: Promise<void> }>()

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
    const leave = async (): Promise<void> => {
      // The server takes a jti once, within a minute: another tab may have passed on that of the token which all tabs have.
      await auth.renew({ force: true })
      if (!isSameUser()) throw notAuthenticated()
      const jti = jtiOf(auth)
      if (!jti) {
        throw new AuthError('invalid-access-token', 'The access token has no jti', {
          remedy: 'The authorization server must give every access token a jti.',
        })
      }
      await leaveSignedIn('passthrough', () => passthroughUrl(settings.authHost, jti, leaving.target))
    }
    const leaving = leavings.get(auth) ?? { target, done: leave().finally(() => leavings.delete(auth)) }
    leaving.target = target
    leavings.set(auth, leaving)
    return leaving.done
  })
}

function jtiOf(auth: Auth): string | undefined {
  const state = auth.getState()
  return state.status === 'authenticated' ? state.user.jti : undefined
}
