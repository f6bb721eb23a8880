// A fake authorization server in memory: codes bound to their challenge, rotating refresh tokens, user info. Responds to requests and frames.
// It speaks the latchkey contract, and OpenID Connect to a client that sends a nonce.
import { parseJson, recordOf } from '../base/json.ts'
import { hashText } from '../protocol/pkce.ts'
import { createBrowserPlatform } from '../session/platform/browserPlatform.ts'
import { below, type FakeAnswer, type OptionsOf, requestOf, respond } from './answers.ts'
import { FAKE_START_MS } from './fakeBrowser.ts'
import type { FakeFrame } from './fakeWindows.ts'
import { type FakeProvider, type FakeTrait, refreshError, signInError, traitsOf } from './providerTraits.ts'
import {
  createAccessToken,
  createClaims,
  createJwt,
  TOKEN_LIFETIME_IN_SECONDS,
  type TokenClaims,
} from './tokens.ts'

/** A member of staff who can sign in. */
export interface FakeUser {
  /** Claims of the tokens of this user, of the ID token too: `{ roles: ['admin'] }`. Missing ones are those of `createClaims`. */
  claims: Partial<TokenClaims>
  /** The response of GET /api/userinfo. */
  userInfo: Readonly<Record<string, unknown>>
  /** Claims that the ID token alone has: `{ tid: '…' }`. */
  idToken?: Readonly<Record<string, unknown>> | undefined
}

/** Options of a fake authorization server: its members at the start, and its behaviour. */
export interface FakeAuthServerOptions extends OptionsOf<
  Pick<FakeAuthServer, 'authHost' | 'user' | 'expiresInSeconds' | 'isRotating'>
> {
  /** Issues and takes tokens only with a proof of possession (DPoP). Proofs are not verified. Default false. */
  isBound?: boolean | undefined
  /** The OpenID Connect provider to simulate: its usual quirks, and hidden frames that end at the app's own URL. Default: none. */
  provider?: FakeProvider | undefined
  /** Traits beside those of the provider. */
  traits?: readonly FakeTrait[] | undefined
  /** The server's clock, for `iat` and `exp`. Default: always `FAKE_START_MS`. */
  now?: (() => number) | undefined
  /** The issued tokens and sessions, to be stored if the server may be stopped, as in a service worker. Default: a new one. */
  memory?: FakeAuthMemory | undefined
}

/** The tokens and sessions of a fake authorization server. Another server accepts a structured clone of it. */
export interface FakeAuthMemory {
  /** Codes that were not used. */
  readonly codes: Map<string, object>
  /** One per session: its current refresh token. */
  readonly families: Set<object>
  /** Access tokens that are accepted. */
  readonly liveTokens: Map<string, FakeUser>
  /** Number of issued codes and tokens. */
  serial: number
}

/** Returns the memory of a server that has issued nothing. */
export function createFakeAuthMemory(): FakeAuthMemory {
  return { codes: new Map(), families: new Set(), liveTokens: new Map(), serial: 0 }
}

/** One request to /oauth/token. */
export interface TokenRequest {
  /** `grant_type` of the request: 'authorization_code', 'refresh_token' or another. */
  readonly grantType: string
  /** Whether the server issued tokens. */
  readonly isGranted: boolean
}

/** A fake authorization server. */
export interface FakeAuthServer {
  /** Its origin, for `authHost` of a config. Default 'https://auth.test'. */
  readonly authHost: string
  /**
   * The user with a session in this browser. `undefined`: signed out; the frame gets login_required. Default: Alice. Tests may
   * change it at any time.
   */
  user: FakeUser | undefined
  /** Lifetime of further access tokens, seconds. Default 600. Tests may change it at any time. */
  expiresInSeconds: number
  /** Whether a renewal issues a new refresh token and revokes the old one. Default true. Tests may change it at any time. */
  isRotating: boolean
  /** The simulated provider's quirks. Tests may change them at any time. */
  readonly traits: Set<FakeTrait>
  /** The requests to /oauth/token, in order. */
  readonly tokenRequests: readonly TokenRequest[]
  /** Returns the callback URL of an authorize URL: with a code, or with the given error. */
  callbackOf(authorizeAddress: string, error?: string): string
  /** Responds to a hidden frame: with a code if there is a user, else with login_required. */
  answerFrame(frame: FakeFrame): void
  /** POST /oauth/token with its body. */
  token(body: unknown): Promise<FakeAnswer>
  /** Responds to requests without msw, for `fetch` of a fake host. */
  fetch: typeof fetch
  /** GET /api/userinfo with its authorization header. */
  userInfo(authorization: string | null): FakeAnswer
  /** Revokes every refresh token. */
  revokeAll(): void
}

interface IssuedCode {
  readonly user: FakeUser
  /** `acr` and `auth_time`, where they were asked for. */
  readonly given: object
  /** The authorize URL. */
  readonly address: string
}

interface Family {
  readonly user: FakeUser
  /** `undefined`: of an OpenID Connect client, which sends none with a refresh. */
  readonly verifier: string | undefined
  readonly signedInAtMs: number
  current: string
}

/** Returns a user: by default Alice of firm f1. */
export function createFakeUser(claims: Partial<TokenClaims> = {}): FakeUser {
  const userId = claims.userId ?? 'alice'
  return {
    claims: { ...claims, userId },
    userInfo: { sub: String(userId), name: `Name of ${userId}`, email: `${userId}@firm.test` },
  }
}

/**
 * Creates an authorization server in memory: single-use codes, checked PKCE challenges, rotating refresh tokens, user info.
 *
 * @example
 * const server = createFakeAuthServer({ expiresInSeconds: 600 })
 * const host = createFakeHost('https://app.test/', { server })
 */
export function createFakeAuthServer(options: FakeAuthServerOptions = {}): FakeAuthServer {
  const { subtle } = createBrowserPlatform().crypto
  const { isBound = false, now = () => FAKE_START_MS } = options
  const memory = options.memory ?? createFakeAuthMemory()
  const { liveTokens } = memory
  const codes = memory.codes as Map<string, IssuedCode>
  const families = memory.families as Set<Family>
  const tokenRequests: TokenRequest[] = []

  const next = (name: string) => `${name}-${(memory.serial += 1)}`
  const refusal = (body: object): FakeAnswer => ({ status: 400, body })
  const challengeOf = async (verifier: string, method: string | undefined) =>
    method === 'plain' || !subtle ? verifier : hashText(verifier, subtle)
  const issueCode = (address: string, user: FakeUser) => {
    const { acr_values, max_age } = parametersOf(address)
    const code = next('code')
    // A step-up gets the level that it asks for.
    const [acr] = acr_values?.split(' ') ?? []
    const isFresh = Boolean(acr) || max_age !== undefined
    const given = {
      ...(acr && { acr }),
      ...(isFresh && { auth_time: Math.floor(now() / 1000) }),
    }
    codes.set(code, {
      user: isFresh ? { ...user, claims: { ...user.claims, ...given } } : user,
      given,
      address,
    })
    return code
  }
  const idToken = ({ user, given, address }: IssuedCode) => {
    const { client_id, nonce } = parametersOf(address)
    const iat = Math.floor(now() / 1000)
    const { userId, sessionId, impersonatorId, jti: _jti, ...further } = createClaims(user.claims)
    return createJwt(
      {
        ...further,
        iss: server.authHost,
        sub: String(userId),
        aud: client_id,
        sid: server.traits.has('no-session-id') ? undefined : sessionId,
        ...(impersonatorId !== undefined && { act: { sub: impersonatorId } }),
        ...given,
        ...user.idToken,
        nonce,
        iat,
        exp: iat + server.expiresInSeconds,
      },
      'RS256',
    )
  }
  const grant = (user: FakeUser, refreshToken: string | undefined): FakeAnswer & { body: object } => {
    const iat = Math.floor(now() / 1000)
    const { expiresInSeconds } = server
    const access_token = createAccessToken({
      jti: next('jti'),
      iat,
      exp: iat + expiresInSeconds,
      ...user.claims,
    })
    liveTokens.set(access_token, user)
    const refresh = refreshToken !== undefined && { refresh_token: refreshToken }
    const token_type = isBound ? 'DPoP' : 'Bearer'
    const body = { access_token, token_type, expires_in: expiresInSeconds, ...refresh }
    return { status: 200, body }
  }
  /** The authorization endpoint's response to this URL. */
  const answerTo = (address: string, user: FakeUser | undefined) =>
    signInError(server.traits, address) ??
    (user ? { code: issueCode(address, user) } : { error: 'login_required' })
  const answerToken = async (body: Readonly<Record<string, unknown>>): Promise<FakeAnswer> => {
    const verifier = String(body['code_verifier'])
    if (body['grant_type'] === 'authorization_code') {
      const code = codes.get(String(body['code']))
      codes.delete(String(body['code']))
      if (!code) return refusal({ error: 'invalid_grant' })
      const { user, address } = code
      const { code_challenge, code_challenge_method, redirect_uri, nonce } = parametersOf(address)
      const isRight = code_challenge === (await challengeOf(verifier, code_challenge_method))
      if (!isRight || redirect_uri !== body['redirect_uri']) return refusal({ error: 'invalid_grant' })
      const current = next('refresh')
      families.add({ user, verifier: nonce ? undefined : verifier, signedInAtMs: now(), current })
      const { status, body: granted } = grant(user, current)
      return { status, body: nonce ? { ...granted, id_token: idToken(code) } : granted }
    }
    if (body['grant_type'] === 'refresh_token') {
      const family = [...families].find(({ current }) => current === body['refresh_token'])
      if (!family || (family.verifier !== undefined && family.verifier !== verifier))
        return refusal({ error: 'invalid_grant' })
      const error = refreshError(server.traits, now() - family.signedInAtMs)
      if (error) return refusal(error)
      if (server.isRotating) family.current = next('refresh')
      return grant(family.user, server.isRotating ? family.current : undefined)
    }
    return refusal({ error: 'unsupported_grant_type' })
  }

  const server: FakeAuthServer = {
    authHost: options.authHost ?? 'https://auth.test',
    user: 'user' in options ? options.user : createFakeUser(),
    expiresInSeconds: options.expiresInSeconds ?? TOKEN_LIFETIME_IN_SECONDS,
    isRotating: options.isRotating ?? true,
    traits: traitsOf(options.provider, options.traits),
    tokenRequests,
    callbackOf(authorizeAddress, error) {
      const parameters = new URL(authorizeAddress).searchParams
      const address = new URL(parameters.get('redirect_uri') ?? '')
      address.searchParams.set('state', parameters.get('state') ?? '')
      address.searchParams.set('iss', server.authHost)
      const answer =
        error === undefined ? answerTo(authorizeAddress, server.user ?? createFakeUser()) : { error }
      for (const [name, value] of Object.entries(answer)) address.searchParams.set(name, value)
      return address.href
    },
    answerFrame(frame) {
      const { user } = server
      if (server.traits.has('frame-no-answer')) frame.load()
      else if (options.provider) frame.load(server.callbackOf(frame.url, user ? undefined : 'login_required'))
      else frame.answer({ ...answerTo(frame.url, user), iss: server.authHost })
    },
    async token(body) {
      const record = recordOf(body)
      const answer = await answerToken(record)
      tokenRequests.push({ grantType: String(record['grant_type']), isGranted: answer.status === 200 })
      return answer
    },
    async fetch(input, init) {
      const request = requestOf(input, init)
      const { pathname } = below(server.authHost, request.url) ?? {}
      const route = pathname && `${request.method} ${pathname}`
      const isProofMissing = isBound && !request.headers.has('dpop')
      if (isProofMissing && route === 'POST /oauth/token')
        return respond(refusal({ error: 'invalid_dpop_proof' }))
      if (route === 'POST /oauth/token') return respond(await server.token(readBody(await request.text())))
      if (route === 'GET /.well-known/openid-configuration')
        return respond({ status: 200, body: metadataOf(server.authHost, options) })
      if (route === 'GET /api/userinfo')
        return respond(server.userInfo(isProofMissing ? null : request.headers.get('authorization')))
      return respond({ status: 404, body: { error: 'not_found' } })
    },
    userInfo(authorization) {
      const [scheme, token = ''] = authorization?.split(' ') ?? []
      const user = scheme === (isBound ? 'DPoP' : 'Bearer') ? liveTokens.get(token) : undefined
      return user ? { status: 200, body: user.userInfo } : { status: 401, body: { error: 'invalid_token' } }
    },
    revokeAll() {
      families.clear()
      liveTokens.clear()
    },
  }
  return server
}

/** The endpoints, by the names of OpenID Connect. */
const metadataOf = (authHost: string, { provider, isBound }: FakeAuthServerOptions) => ({
  issuer: authHost,
  authorization_endpoint: `${authHost}/oauth/authorize`,
  token_endpoint: `${authHost}/oauth/token`,
  userinfo_endpoint: `${authHost}/api/userinfo`,
  end_session_endpoint: `${authHost}/oauth/logout`,
  response_modes_supported: provider ? ['query', 'fragment'] : ['query', 'web_message'],
  authorization_response_iss_parameter_supported: true,
  code_challenge_methods_supported: ['S256'],
  dpop_signing_alg_values_supported: isBound ? ['ES256'] : undefined,
})

type Parameters = Readonly<Record<string, string | undefined>>
const parametersOf = (address: string): Parameters => Object.fromEntries(new URL(address).searchParams)

/** JSON, or a form. */
const readBody = (text: string): unknown =>
  text.startsWith('{') ? parseJson(text) : Object.fromEntries(new URLSearchParams(text))
