// Writes whose variables are a secret, kept out of the query devtools and of errors: the assertion grant, and support access.
import { AuthError, notInitialised } from '../base/errors.ts'
import { invalidArgument, notAuthenticated } from '../base/sessionErrors.ts'
import { textsOf } from '../base/json.ts'
import { SUPPORT_PATH, TOKEN_PATH } from '../protocol/endpoints.ts'
import { redact } from '../protocol/redaction.ts'
import { Secret } from '../protocol/secret.ts'
import {
  checkSupportRequest,
  readSupportAccess,
  type SupportAccess,
  type SupportRequest,
} from '../protocol/support.ts'
import { assertionGrant, parseTokens } from '../protocol/tokens.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { type AuthMutation, prepared, SENSITIVE_META, writeMutation } from './defaults.ts'
import { actionKey, rememberUser } from './keys.ts'

/** A write with a secret among its variables, wrapped in a `Secret`: nothing of it is cached or shown. */
function secretMutation<Data, Variables extends object>(
  auth: Auth,
  name: string,
  secret: keyof Variables,
  work: (variables: Variables) => Promise<Data>,
): AuthMutation<Data, Variables> {
  const mutationKey = actionKey(auth, name)
  const hide = (variables: Variables): Variables => {
    const value = variables[secret]
    return typeof value === 'string' ? { ...variables, [secret]: new Secret(value) } : variables
  }
  const mutation = writeMutation<Data, Variables>(auth, name, async (variables, { client }) => {
    // The hooks wrap the secret before; this is for apps that use the factory without the hook.
    for (const row of client.getMutationCache().findAll({ mutationKey, exact: true }))
      if (row.state.variables === variables) row.state = { ...row.state, variables: hide(variables) }
    try {
      return await work(variables)
    } catch (error) {
      // The server may repeat the secret.
      if (error instanceof AuthError) {
        const { body, description } = error
        Object.assign(error, redact({ body, description }, textsOf([textOf(variables[secret])])))
      }
      throw error
    }
  })
  return prepared({ ...mutation, gcTime: 0, meta: SENSITIVE_META }, hide)
}

const textOf = (secret: unknown) => (secret instanceof Secret ? secret.reveal() : secret)

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

/** The write of `useExchangeAssertion`. The mutation shows the assertion as a `Secret`. */
export function exchangeAssertionMutation(auth: Auth): AuthMutation<ExchangedToken, AssertionRequest> {
  const { settings, callOpenly } = internalsOf(auth)
  const work = async ({ assertion: given }: AssertionRequest) => {
    const assertion = textOf(given)
    if (typeof assertion !== 'string' || assertion === '') {
      throw invalidArgument('assertion is required', 'Pass the jti as the server gave it.')
    }
    const { status } = auth.getState()
    if (status === 'initializing') throw notInitialised()
    // The token is for the user who is signed in now. Without one it is the app's own.
    const isSameUser = status === 'authenticated' ? rememberUser(auth) : () => true
    const body = assertionGrant(assertion, settings.clientId)
    const answer = await callOpenly({ method: 'POST', path: TOKEN_PATH, body })
    const { accessToken, expiresInSeconds } = parseTokens(answer)
    if (!isSameUser()) throw notAuthenticated()
    return { accessToken: new Secret(accessToken), expiresInSeconds }
  }
  return secretMutation(auth, 'exchange assertion', 'assertion', work)
}

/** The write of `useAuthorizeSupport`. The mutation shows the code as a `Secret`. */
export function authorizeSupportMutation(auth: Auth): AuthMutation<SupportAccess, SupportRequest> {
  const { settings, platform, call } = internalsOf(auth)
  return secretMutation(auth, 'authorize support', 'requestCode', async (request: SupportRequest) => {
    const { requestCode, duration } = checkSupportRequest(request)
    const body = { requestCode, duration, client_id: settings.clientId }
    const answer = await call({ method: 'POST', path: SUPPORT_PATH, body })
    return readSupportAccess(answer, { requestCode, duration, nowMs: platform.now() })
  })
}
