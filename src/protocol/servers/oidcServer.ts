// An OpenID Connect provider whose metadata is known: builds what is sent to it and reads its responses (OpenID Connect Core §3.1, RP-Initiated Logout, RFC 7009).
import { AuthError } from '../../base/errors.ts'
import { parseJson, recordOf } from '../../base/json.ts'
import { notSupported } from '../../base/sessionErrors.ts'
import { within } from '../../base/within.ts'
import { readRecord } from '../answers.ts'
import { loadFile } from '../loadFile.ts'
import { OWN_PARAMETERS } from '../signIn.ts'
import type { Hints, UserHints } from './hints.ts'
import { decodeIdToken } from './idToken.ts'
import type { Metadata } from './metadata.ts'
import { oidcAnswerError, readSilentAnswer } from './oidcAnswer.ts'
import { clientRefused, invalidMetadata, invalidUserInfo, noLogoutPage, noUserInfo } from './oidcErrors.ts'
import type { OidcSettings } from './oidcOptions.ts'
import type { OidcTokens } from './oidcProfile.ts'
import { formRequest, getRequest, type Parameters, withParameters } from './oidcRequests.ts'
import { askedScopes, OFFLINE } from './oidcTokens.ts'
import type {
  AuthorizeRequest,
  LogoutPage,
  LogoutRequest,
  Probe,
  Server,
  ServerClient,
  ServerPorts,
} from './profile.ts'
import { createTokenReceipt } from './receiveTokens.ts'
import type { Silence } from './muteSignInPage.ts'
import { LOOK_EVERY_MS } from './frameOfNextPage.ts'

/** A page that only redirects further does so within this time. A sign-in page, or a page that forbids framing, stays. */
const FRAME_GRACE_MS = 3_000
/** Not every server accepts a longer URL: then the request is sent as a form. */
const LARGEST_ADDRESS_LENGTH = 4096
/** Longest wait for the revocation of a token. */
const REVOCATION_WAIT_MS = 2_000

interface OidcServerOptions {
  metadata: Metadata
  settings: OidcSettings
  client: ServerClient
  ports: ServerPorts
  tokens: OidcTokens
  hints: UserHints
  silence: Silence
  probe: Probe
  /** Fetches the metadata and returns its signature algorithms; absent: the metadata is in the options. */
  readAlgorithms: (() => Promise<readonly string[]>) | undefined
}

/** The server that the metadata describes. @throws AuthError `not-supported`, `invalid-metadata` */
export function oidcServer(parts: OidcServerOptions): Server {
  const { metadata, settings, client, ports, tokens, hints, silence } = parts
  const { send } = ports
  const { clientId } = client
  const { parameters = {}, tenants, silent = 'auto', silentRedirectUri } = settings
  const { userinfo_endpoint, revocation_endpoint } = metadata
  const logoutEndpoint = settings.endSession?.url ?? metadata.end_session_endpoint
  const hasMessages = silent === 'auto' && metadata.response_modes_supported?.includes('web_message') === true
  const pushEndpoint = pushEndpointOf(metadata, settings)
  const receive = createTokenReceipt(tokens, ports, parts.readAlgorithms)
  const refusals = createRefusals(ports)

  const addressOf = (request: AuthorizeRequest, remembered: Hints) => {
    const { key, redirectUri, isSilent = false, isAutomatic, current } = request
    const asked = furtherOnes(request.parameters)
    const known = isSilent && current ? hints.of(current) : remembered
    // On a sign-in page with a `prompt`, the app may want another user.
    const hint = !isSilent && 'prompt' in asked ? undefined : known.login
    const scope = request.parameters?.['scope']
    // A switch of the organization names them all; an app adds one.
    const scopes = Array.isArray(scope) ? scope : client.scopes.concat(scope ?? [])
    const url = new URL(metadata.authorization_endpoint)
    withParameters(url.searchParams, {
      ...parameters,
      // A page that asks for consent at each return would be worse than a sign-in without a refresh token.
      ...(isAutomatic && parameters['prompt'] === 'consent' && { prompt: undefined }),
      ...asked,
      // A fresh sign-in after a logout that may not have reached the provider. Keep `consent`: without it, some providers issue no refresh token.
      ...(asked['max_age'] !== undefined &&
        asked['prompt'] === 'login' &&
        parameters['prompt'] === 'consent' && { prompt: 'login consent' }),
      ...(asked['claims'] !== undefined && { claims: bothClaims(parameters['claims'], asked['claims']) }),
      ...(isSilent && { prompt: 'none', response_mode: hasMessages ? 'web_message' : undefined }),
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: askedScopes(scopes, isSilent).join(' '),
      state: key.state,
      nonce: key.nonce,
      code_challenge: key.challenge.value,
      code_challenge_method: key.challenge.method,
      // Last, as the early script adds it.
      ...(hint !== undefined && !('login_hint' in asked) && { login_hint: hint }),
    })
    return url.href
  }

  return {
    probe: parts.probe,
    authorizeUrl: (request) => addressOf(request, ports.current() ? {} : hints.read()),
    push:
      pushEndpoint === undefined
        ? undefined
        : async (authorizeUrl) => {
            const { pushRequest } = await loadFile(ports, () => import('./pushRequest.ts'))
            const request = formRequest(pushEndpoint, {}, [], settings)
            const push = { authorizeUrl, request, clientId, metadata, ports, clientRefused }
            return pushRequest(push).catch(refusals.reject)
          },
    silentCheck:
      silent === 'off'
        ? undefined
        : { lookEveryMs: LOOK_EVERY_MS, graceMs: FRAME_GRACE_MS, redirectUri: silentRedirectUri, silence },
    organization: settings.organization ?? {},
    remember: hints.keep,
    forget: hints.forget,
    readSilentAnswer(found, state) {
      const isHeard = typeof found === 'string' || hasMessages
      const answer = isHeard ? readSilentAnswer(found, state) : undefined
      if (answer?.error) silence.end()
      return answer
    },
    answerError: async (answer, { isSilent }) =>
      refusals.explain(oidcAnswerError(answer, isSilent, metadata, tenants)),
    async exchange(code, use) {
      const beside = use.isSilent ? ports.current() : undefined
      const request = tokens.codeRequest(code, use.attempt, beside)
      const received = await receive(request, { ...use, beside }).catch(refusals.reject)
      silence.signedIn(use)
      return received
    },
    refresh: async (current, _refreshToken, resource) =>
      receive(tokens.refreshRequest(current, resource)!, { current, resource }).catch(refusals.reject),
    refreshReuseMs: (settings.refreshReuseInSeconds ?? 0) * 1000,
    async readUserInfo(held, withToken, signal) {
      if (userinfo_endpoint === undefined) throw noUserInfo()
      const request = getRequest(userinfo_endpoint, settings)
      const fetch = tokens.binding?.fetch
      const ask = async (token: string) => {
        const headers = { ...request.headers, authorization: `Bearer ${token}` }
        return send({ ...request, headers, secrets: [token], signal, fetch })
      }
      // A token that is for the app's own API (RFC 8707) is refused, and so would a further one.
      const answer = await withToken(ask, true).catch(async (error: unknown) => {
        if (!isRefused(error as AuthError)) throw error
        const { knownInstead } = await refusals.load()
        return knownInstead(error as AuthError, decodeIdToken(held.current?.memory['idToken']))
      })
      if (String(answer).startsWith('eyJ'))
        throw invalidUserInfo('a signed token', 'Let the provider send it as JSON.')
      const userInfo = readRecord('user info', answer)
      if (userInfo['sub'] !== decodeIdToken(held.current?.memory['idToken']).sub)
        throw invalidUserInfo('of another user than the ID token', 'A cache may have responded.')
      return userInfo
    },
    async revoke({ refreshToken, accessToken, memory }, isPageNext) {
      // The logout page ends the session with its tokens, but for those of offline access. Some providers end the session with one
      // token, and then have nothing to log out of: not the provider behind them, nor other apps.
      const isLeftToPage = isPageNext && logoutEndpoint && !memory?.['scope']?.split(' ').includes(OFFLINE)
      if (revocation_endpoint === undefined || isLeftToPage) return
      const [token, token_type_hint] =
        refreshToken === undefined ? [accessToken, 'access_token'] : [refreshToken, 'refresh_token']
      const body = { token, token_type_hint, client_id: clientId }
      // The user may close the page right after the click.
      const request = { ...formRequest(revocation_endpoint, body, [token], settings), keepalive: true }
      await within(ports, REVOCATION_WAIT_MS, () => send(request))
    },
    isLogoutHinted: !settings.endSession && logoutEndpoint !== undefined,
    logout(request) {
      const hint = (request.current ? hints.of(request.current) : hints.read()).logout
      hints.forget()
      return logoutPage(request, hint, parts) ?? noLogoutPage()
    },
    binding: tokens.binding,
  }
}

/** By status, or by its challenge where tokens are bound. */
const isRefused = ({ status, code }: AuthError) =>
  status === 401 || status === 403 || code === 'client-refused'

/** What is known of refusals. It loads with the first; if it does not come, the error says less. */
function createRefusals(ports: ServerPorts) {
  const load = () => loadFile(ports, () => import('./refusals.ts'))
  const explain = async <Found>(error: Found): Promise<Found> => {
    if (error instanceof AuthError && (!error.remedy || error.code === 'authorization-refused'))
      try {
        const { addRemedy } = await load()
        addRemedy(error)
      } catch {
        // Then the error has no remedy.
      }
    return error
  }
  return {
    load,
    explain,
    async reject(error: unknown): Promise<never> {
      throw await explain(error)
    },
  }
}

/** The endpoint for pushed requests; `undefined` unless the metadata or the app require them. @throws AuthError `not-supported`, `invalid-metadata` */
export function pushEndpointOf(metadata: Metadata, { pushedRequests }: OidcSettings): string | undefined {
  if (!metadata.require_pushed_authorization_requests && pushedRequests !== 'required') return undefined
  if (pushedRequests === 'off')
    throw notSupported('A pushed authorization request', 'Leave pushedRequests out.')
  const endpoint = metadata.pushed_authorization_request_endpoint
  if (endpoint === undefined) throw invalidMetadata('pushed_authorization_request_endpoint')
  return endpoint
}

/** The page that ends the provider's session; `undefined` when it has none. */
function logoutPage(
  { returnUri, state, current }: LogoutRequest,
  logout_hint: string | undefined,
  { metadata, settings, client }: Pick<OidcServerOptions, 'metadata' | 'settings' | 'client'>,
): LogoutPage | undefined {
  const { endSession } = settings
  const { clientId: client_id } = client
  const endpoint = endSession?.url ?? metadata.end_session_endpoint
  if (endpoint === undefined) return undefined
  const url = new URL(endpoint)
  if (endSession) {
    withParameters(url.searchParams, { client_id, [endSession.returnParameter]: returnUri })
    return { url: url.href, isBare: true }
  }
  const form: Record<string, string> = {
    client_id,
    post_logout_redirect_uri: returnUri,
    ...(state !== undefined && { state }),
    ...(current && { id_token_hint: current.memory['idToken']! }),
    ...(logout_hint !== undefined && { logout_hint }),
  }
  withParameters(url.searchParams, form)
  return url.href.length > LARGEST_ADDRESS_LENGTH ? { url: endpoint, form } : { url: url.href }
}

/** Without the parameters of the code flow itself, which the app cannot set. */
const furtherOnes = (given: Parameters = {}): Parameters =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !OWN_PARAMETERS.test(name)))

/** Merges the `claims` that an API asks for into those that the app requests at each sign-in. */
function bothClaims(own: unknown, asked: unknown): string {
  const [before, next] = [own, asked].map((text) => recordOf(parseJson(text as string)))
  const access_token = { ...recordOf(before!['access_token']), ...recordOf(next!['access_token']) }
  return JSON.stringify({ ...before, ...next, ...(Object.keys(access_token).length > 0 && { access_token }) })
}
