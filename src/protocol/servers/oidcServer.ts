// An OpenID Connect provider whose metadata is known: builds its requests and reads its responses (OpenID Connect Core §3.1, RP-Initiated Logout, RFC 7009).
import { AuthError, fault } from '../../base/errors.ts'
import { parseJson, recordOf } from '../../base/json.ts'
import { notSupported } from '../../base/sessionErrors.ts'
import { within } from '../../base/within.ts'
import { loadFile } from '../loadFile.ts'
import { OWN_PARAMETERS } from '../signIn.ts'
import { hintsKey } from '../storageKeys.ts'
import { LOOK_EVERY_MS } from './frameOfNextPage.ts'
import { createHints, type UserHints } from './hints.ts'
import { decodeIdToken } from './idToken.ts'
import { type Metadata, withoutBareSlash } from './metadata.ts'
import { createSilence } from './muteSignInPage.ts'
import { oidcAnswerError, readSilentAnswer } from './oidcAnswer.ts'
import { clientRefused, invalidMetadata } from './oidcErrors.ts'
import type { KnownProvider, OidcSettings } from './oidcOptions.ts'
import { formRequest, getRequest, withParameters } from './oidcRequests.ts'
import { askedScopes, OFFLINE, type OidcTokens } from './oidcTokens.ts'
import type { AuthorizeRequest, Server, ServerPorts } from './profile.ts'
import { createTokenReceipt } from './receiveTokens.ts'

/** A page that only redirects further does so within this time. A sign-in page, or a page that forbids framing, stays. */
const FRAME_GRACE_MS = 3_000
/** Not every server accepts a longer URL: then the request is sent as a form. */
const LARGEST_ADDRESS_LENGTH = 4096
const REVOCATION_WAIT_MS = 2_000

/** @throws AuthError `not-supported`, `invalid-metadata` */
export function oidcServer(provider: KnownProvider, tokens: OidcTokens, ports: ServerPorts): Server {
  const { metadata, settings, client, discovery } = provider
  const named = { ...client, authHost: withoutBareSlash(settings.issuer) }
  const hints = createHints(settings, ports, hintsKey(named))
  const silence = createSilence(named, ports)
  const { clientId } = client
  const { silent = 'auto', silentRedirectUri, endSession } = settings
  const { revocation_endpoint, userinfo_endpoint } = metadata
  const logoutEndpoint = endSession?.url ?? metadata.end_session_endpoint
  const hasMessages = silent === 'auto' && metadata.response_modes_supported?.includes('web_message') === true
  const pushEndpoint = pushEndpointOf(metadata, settings)
  const receive = createTokenReceipt(tokens, ports)
  const loadLater = () => loadFile(ports, () => import('./oidcLater.ts'))
  /** Adds a remedy to the error, if that file loads. */
  const explain = async <Thrown>(thrown: Thrown): Promise<Thrown> => {
    if (thrown instanceof AuthError && (!thrown.remedy || thrown.code === 'authorization-refused')) {
      const later = await loadLater().catch(() => undefined)
      later?.addRemedy(thrown)
    }
    return thrown
  }
  const reject = async (error: unknown): Promise<never> => {
    throw await explain(error)
  }

  return {
    // Without a discovery URL, no URL of the provider is known to be readable without a token.
    probe: discovery ? { url: discovery.url, cors: 'sure' } : { url: metadata.token_endpoint, cors: 'none' },
    authorizeUrl: (request) => addressOf(request, hasMessages, provider, ports, hints),
    push:
      pushEndpoint === undefined
        ? undefined
        : async (authorizeUrl) => {
            const { pushRequest } = await loadLater()
            const request = formRequest(pushEndpoint, {}, [], settings)
            return pushRequest(authorizeUrl, { ...provider, request, ports, clientRefused }).catch(reject)
          },
    silentCheck:
      silent === 'off'
        ? undefined
        : { lookEveryMs: LOOK_EVERY_MS, graceMs: FRAME_GRACE_MS, redirectUri: silentRedirectUri, silence },
    organization: settings.organization ?? {},
    remember: hints.keep,
    forget: hints.forget,
    readSilentAnswer(found, state) {
      const isExpected = typeof found === 'string' || hasMessages
      const answer = isExpected ? readSilentAnswer(found, state) : undefined
      if (answer?.error) silence.end()
      return answer
    },
    answerError: async (answer, { isSilent }) =>
      explain(oidcAnswerError(answer, isSilent, metadata, settings.tenants)),
    async exchange(code, use) {
      const beside = use.isSilent ? ports.current() : undefined
      const request = tokens.codeRequest(code, use.attempt, beside)
      const received = await receive(request, { ...use, beside }).catch(reject)
      silence.signedIn(use)
      return received
    },
    refresh: async (current, _refreshToken, forResource) =>
      receive(tokens.refreshRequest(current, forResource?.resource)!, { current, forResource }).catch(reject),
    refreshReuseMs: (settings.refreshReuseInSeconds ?? 0) * 1000,
    async readUserInfo({ current }, withToken, signal) {
      const request = userinfo_endpoint === undefined ? undefined : getRequest(userinfo_endpoint, settings)
      const ask = (token: string) =>
        ports.send({
          ...request!,
          headers: { ...request!.headers, authorization: `Bearer ${token}` },
          secrets: [token],
          signal,
          fetch: tokens.binding?.fetch,
        })
      // Sent before the file is there, and by the user who asks: they may be gone by then.
      const asked = request && withToken(ask, true)
      asked?.catch(() => {})
      const { readUserInfo } = await loadLater()
      return readUserInfo(asked, () => decodeIdToken(current?.memory.idToken)).catch(reject)
    },
    async revoke({ refreshToken, accessToken, memory }, isPageNext) {
      // The logout page ends the session with its tokens, except those of offline access. Some providers end the session with one
      // token, and then the page has nothing to log out of: not the provider behind them, nor other apps.
      const isLeftToPage = isPageNext && logoutEndpoint && !memory?.scope?.split(' ').includes(OFFLINE)
      if (revocation_endpoint === undefined || isLeftToPage) return
      const [token, token_type_hint] =
        refreshToken === undefined ? [accessToken, 'access_token'] : [refreshToken, 'refresh_token']
      const body = { token, token_type_hint, client_id: clientId }
      // The user may close the page right after the click.
      const request = { ...formRequest(revocation_endpoint, body, [token], settings), keepalive: true }
      await within(ports, REVOCATION_WAIT_MS, () => ports.send(request))
    },
    isLogoutHinted: !endSession && logoutEndpoint !== undefined,
    logout({ returnUri, state, current }) {
      const { logout: logout_hint } = current ? hints.of(current) : hints.read()
      hints.forget()
      if (logoutEndpoint === undefined)
        return fault(
          'not-supported',
          'The server has no page that ends its own session',
          'On a shared computer, close the browser. The next sign-in asks for the credentials.',
        )
      const url = new URL(logoutEndpoint)
      if (endSession) {
        withParameters(url.searchParams, { client_id: clientId, [endSession.returnParameter]: returnUri })
        return { url: url.href, isBare: true }
      }
      const sent = withParameters(new URLSearchParams(), {
        client_id: clientId,
        post_logout_redirect_uri: returnUri,
        state,
        id_token_hint: current?.memory.idToken,
        logout_hint,
      })
      const form = Object.fromEntries(sent)
      withParameters(url.searchParams, form)
      return url.href.length > LARGEST_ADDRESS_LENGTH ? { url: logoutEndpoint, form } : { url: url.href }
    },
    binding: tokens.binding,
  }
}

function addressOf(
  { key, redirectUri, isSilent = false, isAutomatic, current, parameters: wishes = {} }: AuthorizeRequest,
  hasMessages: boolean,
  { metadata, settings: { parameters = {} }, client }: KnownProvider,
  ports: ServerPorts,
  hints: UserHints,
): string {
  const asked = Object.fromEntries(Object.entries(wishes).filter(([name]) => !OWN_PARAMETERS.test(name)))
  const known = isSilent && current ? hints.of(current) : ports.current() ? {} : hints.read()
  // On a sign-in page with a `prompt`, the app may want another user.
  const hint = !isSilent && 'prompt' in asked ? undefined : known.login
  const { scope } = wishes
  // A switch of the organization names all scopes; an app adds one.
  const scopes = Array.isArray(scope) ? scope : client.scopes.concat(scope ?? [])
  const { prompt, claims } = parameters
  const isConsentAsked = prompt === 'consent'
  // A fresh sign-in after a logout that may not have reached the provider. Keep `consent`: without it, some providers issue no refresh token.
  const isFresh = asked['max_age'] !== undefined && asked['prompt'] === 'login' && isConsentAsked
  const url = new URL(metadata.authorization_endpoint)
  withParameters(url.searchParams, {
    ...parameters,
    // A page that asks for consent at each return would be worse than a sign-in without a refresh token.
    prompt: isAutomatic && isConsentAsked ? undefined : prompt,
    ...asked,
    ...(isFresh && { prompt: 'login consent' }),
    ...(asked['claims'] !== undefined && { claims: bothClaims(claims, asked['claims']) }),
    ...(isSilent && { prompt: 'none', response_mode: hasMessages ? 'web_message' : undefined }),
    response_type: 'code',
    client_id: client.clientId,
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

/** The endpoint for pushed requests; `undefined` unless the metadata or the app require them. @throws AuthError `not-supported`, `invalid-metadata` */
export function pushEndpointOf(metadata: Metadata, { pushedRequests }: OidcSettings): string | undefined {
  if (!metadata.require_pushed_authorization_requests && pushedRequests !== 'required') return undefined
  if (pushedRequests === 'off')
    throw notSupported('A pushed authorization request', 'Leave pushedRequests out.')
  const endpoint = metadata.pushed_authorization_request_endpoint
  if (endpoint === undefined) throw invalidMetadata('pushed_authorization_request_endpoint')
  return endpoint
}

/** Merges the `claims` that an API asks for into those that the app requests at each sign-in. */
function bothClaims(own: unknown, asked: unknown): string {
  const before = recordOf(parseJson(own as string))
  const next = recordOf(parseJson(asked as string))
  const access_token = { ...recordOf(before['access_token']), ...recordOf(next['access_token']) }
  return JSON.stringify({ ...before, ...next, access_token })
}
