// The requests to an OpenID Connect provider whose metadata is known, and the reading of their responses (OpenID Connect Core §3.1, RP-Initiated Logout, RFC 7009).
import { unexpectedAnswer, unexpectedStatus } from '../../errors.ts'
import { parseJson, recordOf } from '../../json.ts'
import { invalidGrant, notSupported } from '../../sessionErrors.ts'
import { readRecord, type ServerRecord } from '../answers.ts'
import { OWN_PARAMETERS } from '../ownParameters.ts'
import { decodeIdToken } from './idToken.ts'
import type { Metadata } from './metadata.ts'
import { oidcAnswerError, readSilentAnswer } from './oidcAnswer.ts'
import {
  clientRefused,
  invalidMetadata,
  invalidUserInfo,
  metadataElsewhere,
  noMetadata,
} from './oidcErrors.ts'
import type { OidcSettings } from './oidcOptions.ts'
import { OFFLINE, readTokens, restore } from './oidcTokens.ts'
import { LOOK_EVERY_MS } from './silentRequest.ts'
import type { OidcServer } from './oidcProfile.ts'
import type { LogoutPage, LogoutRequest, ServerClient, WireRequest } from './profile.ts'

/** A page in between goes on by itself within this time; a sign-in page, or an own page that forbids framing, never does. */
const FRAME_GRACE_MS = 3_000
/** A longer address is not safe everywhere: it goes as a form. */
const LARGEST_ADDRESS_LENGTH = 4096

type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** The server that the metadata describes. */
export function oidcServer(metadata: Metadata, settings: OidcSettings, client: ServerClient): OidcServer {
  const { clientId } = client
  const { parameters = {}, tenants, silent = 'auto' } = settings
  const { token_endpoint, userinfo_endpoint, revocation_endpoint } = metadata
  // One token is for one API at most providers: the first is the session's own.
  const [ownResource] = [parameters['resource']].flat()
  const hasMessages = silent === 'auto' && metadata.response_modes_supported?.includes('web_message') === true
  const what = whatOf('POST', token_endpoint)
  const pushEndpoint = pushEndpointOf(metadata, settings)
  const rules = { metadata, clientId, tenants, settings, client, what }
  const hintsOf = hintReader(settings)
  const post = (url: string, body: Parameters, secrets: readonly string[]): WireRequest => ({
    what: whatOf('POST', url),
    method: 'POST',
    url,
    // A form without further headers needs no CORS preflight.
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: withParameters(new URLSearchParams(), { ...body, client_id: clientId }).toString(),
    cache: 'no-store',
    secrets,
    networkRemedy: networkRemedy(settings),
  })

  return {
    document: metadata as unknown as ServerRecord,
    authorizeUrl(request) {
      const { key, redirectUri, isSilent = false, held } = request
      const asked = furtherOnes(request.parameters)
      const known = (isSilent && held && hintsOf?.(held)) || request.remembered
      // On a page, what the app asks for comes first, and that may be another user.
      const hint = !isSilent && 'prompt' in asked ? undefined : known?.login
      const url = new URL(metadata.authorization_endpoint)
      withParameters(url.searchParams, {
        ...parameters,
        ...(hint !== undefined && { login_hint: hint }),
        ...asked,
        // After a logout that the provider may not have heard of. Some give refresh tokens only after consent.
        ...(asked['max_age'] === '0' &&
          asked['prompt'] === 'login' &&
          parameters['prompt'] === 'consent' && { prompt: 'login consent' }),
        ...(asked['claims'] !== undefined && { claims: bothClaims(parameters['claims'], asked['claims']) }),
        ...(isSilent && { prompt: 'none', response_mode: hasMessages ? 'web_message' : undefined }),
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        // Without a page nobody can consent to it, and some servers drop it without a word.
        scope: client.scopes
          .concat(request.parameters?.['scope'] ?? [])
          .filter((scope) => !isSilent || scope !== OFFLINE)
          .join(' '),
        state: key.state,
        nonce: key.nonce,
        code_challenge: key.challenge.value,
        code_challenge_method: key.challenge.method,
      })
      return url.href
    },
    ...(pushEndpoint !== undefined && pushing(metadata, clientId, post(pushEndpoint, {}, []))),
    silentCheck:
      silent === 'off'
        ? undefined
        : {
            lookEveryMs: LOOK_EVERY_MS,
            graceMs: FRAME_GRACE_MS,
            redirectUri: settings.silentRedirectUri,
          },
    organization: settings.organization ?? {},
    readSilentAnswer: (found, state) =>
      typeof found === 'string' || hasMessages ? readSilentAnswer(found, state) : undefined,
    tokenUrl: token_endpoint,
    answerError: (answer, { isSilent }) => oidcAnswerError(answer, isSilent, metadata, tenants),
    codeRequest: (code, { verifier, redirectUri }) =>
      post(
        token_endpoint,
        {
          grant_type: 'authorization_code',
          code,
          code_verifier: verifier,
          redirect_uri: redirectUri,
          resource: ownResource,
        },
        [code, verifier],
      ),
    refreshRequest({ refreshToken }, resource = ownResource) {
      if (refreshToken === undefined) return undefined
      const scope = settings.refreshScope ? client.scopes.join(' ') : undefined
      return post(
        token_endpoint,
        { grant_type: 'refresh_token', refresh_token: refreshToken, scope, resource },
        [refreshToken],
      )
    },
    refreshReuseMs: (settings.refreshReuseInSeconds ?? 0) * 1000,
    readTokens: (answer, context) => readTokens(answer, context, rules),
    tokenError({ isRefresh, ...refusal }) {
      const { status, body } = refusal
      const { error } = Object(body) as { error?: unknown }
      const isPassing = status === 429 || status >= 500
      // RFC 6749 §5.2 wants an `error`; glewlwyd sends nothing at all for a refresh token that was used before.
      const isOver = error === 'invalid_grant' || (status === 400 && (body === '' || body === undefined))
      if (isRefresh && !isPassing && isOver) return invalidGrant(unexpectedStatus(what, refusal))
      return (isPassing ? undefined : clientRefused(error, status, body)) ?? unexpectedStatus(what, refusal)
    },
    restore: (handed) => restore(handed, rules),
    userInfoRequest: userinfo_endpoint === undefined ? undefined : getRequest(userinfo_endpoint, settings),
    readUserInfo(answer, held) {
      if (String(answer).startsWith('eyJ'))
        throw invalidUserInfo('a signed token', 'Let the provider send it as JSON.')
      const userInfo = readRecord('user info', answer)
      if (userInfo['sub'] !== decodeIdToken(held.memory['idToken']).sub)
        throw invalidUserInfo('of another user than the ID token', 'A cache may have responded.')
      return userInfo
    },
    revocationRequest({ refreshToken, accessToken }) {
      if (revocation_endpoint === undefined) return undefined
      const [token, token_type_hint] =
        refreshToken === undefined ? [accessToken, 'access_token'] : [refreshToken, 'refresh_token']
      // The user may close the page right after the click.
      return { ...post(revocation_endpoint, { token, token_type_hint }, [token]), keepalive: true }
    },
    hintsOf,
    logout: (request) =>
      logout(metadata, settings, clientId, {
        ...request,
        remembered: request.held ? hintsOf?.(request.held) : request.remembered,
      }),
  }
}

/** Reads what the user goes by at this provider; `undefined` where it need not be told. */
function hintReader({ loginHintClaim, logoutHintClaim }: OidcSettings): OidcServer['hintsOf'] {
  if (loginHintClaim === undefined && logoutHintClaim === undefined) return undefined
  return ({ memory }) => {
    const claims = decodeIdToken(memory['idToken'])
    const first = (names: string | readonly string[] = []) =>
      [names]
        .flat()
        .map((name) => claims[name])
        .find((value): value is string => typeof value === 'string' && value !== '')
    return { login: first(loginHintClaim), logout: first(logoutHintClaim) }
  }
}

/** Where requests are announced first; `undefined` where that is not required. */
function pushEndpointOf(metadata: Metadata, { pushedRequests }: OidcSettings): string | undefined {
  if (!metadata.require_pushed_authorization_requests) return undefined
  if (pushedRequests === 'off')
    throw notSupported('A pushed authorization request', 'Leave pushedRequests out, or do not require it.')
  const endpoint = metadata.pushed_authorization_request_endpoint
  if (endpoint === undefined) throw invalidMetadata('pushed_authorization_request_endpoint')
  return endpoint
}

/** The announcement of an authorization request, and the address that it is known by afterwards. */
const pushing = (
  { authorization_endpoint }: Metadata,
  clientId: string,
  request: WireRequest,
): Pick<OidcServer, 'pushRequest' | 'readPushed'> => ({
  pushRequest: (authorizeUrl) => ({
    ...request,
    body: new URL(authorizeUrl).search.slice(1),
    expectedStatus: 201,
    refused: (refusal) =>
      clientRefused(recordOf(refusal.body)['error'], refusal.status, refusal.body) ??
      unexpectedStatus(request.what, refusal),
  }),
  readPushed(answer) {
    const { request_uri } = readRecord(request.what, answer)
    if (typeof request_uri !== 'string' || request_uri === '') throw unexpectedAnswer(request.what)
    const url = new URL(authorization_endpoint)
    withParameters(url.searchParams, { client_id: clientId, request_uri })
    return url.href
  },
})

function logout(
  { end_session_endpoint }: Metadata,
  { endSession }: OidcSettings,
  clientId: string,
  { returnUri, state, held, remembered }: LogoutRequest,
): LogoutPage | undefined {
  const endpoint = endSession?.url ?? end_session_endpoint
  if (endpoint === undefined) return undefined
  const url = new URL(endpoint)
  if (endSession) {
    withParameters(url.searchParams, { client_id: clientId, [endSession.returnParameter]: returnUri })
    return { url: url.href, isBare: true }
  }
  const form: Record<string, string> = {
    client_id: clientId,
    post_logout_redirect_uri: returnUri,
    ...(state !== undefined && { state }),
    ...(held && { id_token_hint: held.memory['idToken']! }),
    ...(remembered?.logout !== undefined && { logout_hint: remembered.logout }),
  }
  withParameters(url.searchParams, form)
  return url.href.length > LARGEST_ADDRESS_LENGTH ? { url: endpoint, form } : { url: url.href }
}

/** Those of the code flow itself are not for the app to set. */
const furtherOnes = (given: Parameters = {}): Parameters =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !OWN_PARAMETERS.test(name)))

/** What an API misses, beside what the app asks for at each sign-in. */
function bothClaims(own: unknown, asked: unknown): string {
  const [before, next] = [own, asked].map((text) => recordOf(parseJson(text as string)))
  const access_token = { ...recordOf(before!['access_token']), ...recordOf(next!['access_token']) }
  return JSON.stringify({ ...before, ...next, ...(Object.keys(access_token).length > 0 && { access_token }) })
}

/** Sets what is given, in place of what stood there; a list stands there item by item. */
function withParameters(target: URLSearchParams, given: Parameters): URLSearchParams {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    target.delete(name)
    for (const item of [value].flat()) target.append(name, item)
  }
  return target
}

/** A read without a token; whoever sends it may add one. */
export const getRequest = (url: string, settings: OidcSettings): WireRequest => ({
  what: whatOf('GET', url),
  method: 'GET',
  url,
  headers: { accept: 'application/json' },
  cache: 'no-store',
  secrets: [],
  networkRemedy: networkRemedy(settings),
})

/** The metadata; where it is at another address, the error says so. */
export const discoveryRequest = (url: string, settings: OidcSettings): WireRequest => {
  const request = getRequest(url, settings)
  return {
    ...request,
    seesRedirects: true,
    refused: (refusal) =>
      refusal.status === 0
        ? metadataElsewhere(url)
        : refusal.status === 404
          ? noMetadata(url)
          : unexpectedStatus(request.what, refusal),
  }
}

const whatOf = (method: string, url: string) => `${method} ${new URL(url).pathname}`

const networkRemedy = ({ originSetting = 'the allowed origins' }: OidcSettings) =>
  `Try again. If it repeats: the provider is down or at another address, wants the origin of this page in ${originSetting} (CORS), or is not in connect-src of the page's CSP.`
