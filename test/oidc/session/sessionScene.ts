// A page of an app with an OpenID Connect provider that is played in full: metadata, sign-in page, hidden frame, tokens.
import { vi } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import type { OpenIdConnectOptions } from '../../../src/protocol/servers/oidcOptions.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeBrowser, type FakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import type { Platform } from '../../../src/session/platform/platform.ts'
import { createFakeHost, type FakeHost, type FakeHostOptions } from '../../../src/testing/fakeHost.ts'
import { checkProof } from '../tokens/proofs.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { APP, ISSUER, jwt, METADATA } from '../scene.ts'

export interface Provider {
  /** Who is signed in at the provider. */
  user: string | undefined
  /** Changes the metadata; an absent member is `undefined`. */
  metadata: Record<string, unknown>
  /** Frames are left unanswered. */
  isFrameMute: boolean
  /** Requests by path, in order. */
  readonly requests: { path: string; body: URLSearchParams; headers: Headers }[]
  /** Wants proofs of possession, and binds tokens to their keys. */
  dpop: boolean
  /** The nonce that it wants in proofs at the token endpoint, and at the user info. */
  nonces: { token?: string | undefined; userinfo?: string | undefined }
  /** Announced requests by their request_uri: what they were. */
  readonly pushed: Map<string, string>
  /** Whether the page can read the headers that CORS must list. */
  areHeadersHidden: boolean
  /** Why proofs were refused, in order. */
  readonly refusedProofs: string[]
  /** The key that each token is bound to. */
  readonly keyOf: Map<string, string>
  /** Changes what the token endpoint responds. */
  answer: Record<string, unknown>
  /** Makes the ID token of its members. */
  changeIdToken(claims: Record<string, unknown>): string
  /** Responds to the next requests of a path in another way. */
  readonly instead: Map<string, () => Response | Promise<Response>>
  /** The provider's clock. */
  nowMs(): number
  count(path: string): number
  /** The address that the sign-in page, or the frame, ends at. */
  authorize(url: string): string
}

export interface OidcScene {
  /** What a page of the app runs on. */
  platformOf(host: FakeHost): Platform
  readonly browser: FakeBrowser
  readonly provider: Provider
  /** Opens a tab; nothing has started. */
  open(address?: string, options?: FakeHostOptions, config?: AuthConfig): Page
  config(): AuthConfig
  /** The provider, as a page reaches it. */
  readonly fetch: typeof fetch
  answerFrame(frame: FakeFrame): void
}

export interface Page {
  readonly host: FakeHost
  readonly auth: Auth
}

export interface OidcSceneOptions {
  /** The app has `latchkey/early` in its pages. */
  hasEarly?: boolean
  options?: Partial<OpenIdConnectOptions>
  config?: Partial<AuthConfig>
}

export function createOidcScene({ options, config, hasEarly = false }: OidcSceneOptions = {}): OidcScene {
  const browser = createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() })
  const provider = createProvider(() => browser.clock.nowMs)
  const appConfig = () =>
    ({
      server: openIdConnect({ issuer: ISSUER, ...options }),
      clientId: 'admin',
      scopes: ['openid', 'offline_access'],
      // Whose session the provider has is signed in by the hidden frame, at a first visit too.
      verifyFirstVisit: true,
      ...config,
    }) as AuthConfig
  const platformOf = (host: FakeHost): Platform =>
    hasEarly ? { ...host.platform, early: {} } : host.platform
  return {
    browser,
    provider,
    platformOf,
    config: appConfig,
    fetch: createFetch(provider),
    answerFrame: (frame) => answerFrame(provider, frame),
    open(address = APP, more = {}, ownConfig = appConfig()) {
      const host = createFakeHost(address, {
        browser,
        fetch: createFetch(provider),
        onFrame: (frame) => queueMicrotask(() => answerFrame(provider, frame)),
        ...more,
      })
      return { host, auth: createAuth(ownConfig, { platform: platformOf(host) }) }
    },
  }
}

/** The frame ends at the app's own address. */
export function answerFrame(provider: Provider, frame: FakeFrame): void {
  if (!provider.isFrameMute) frame.load(provider.authorize(frame.url))
}

/** The user's own clock is behind by so much; the app's origin says so. */
export function runAhead(provider: Provider, ms: number): void {
  const { nowMs } = provider
  provider.nowMs = () => nowMs() + ms
  provider.instead.set(
    '/',
    () => new Response('', { headers: { date: new Date(provider.nowMs()).toUTCString() } }),
  )
}

function createProvider(nowMs: () => number): Provider {
  const codes = new Map<string, { nonce: string; challenge: string }>()
  let serial = 0
  const provider: Provider = {
    user: undefined,
    isFrameMute: false,
    metadata: METADATA,
    requests: [],
    dpop: false,
    nonces: {},
    areHeadersHidden: false,
    pushed: new Map(),
    refusedProofs: [],
    keyOf: new Map(),
    answer: {},
    changeIdToken: jwt,
    instead: new Map(),
    nowMs,
    count: (path) => provider.requests.filter((request) => request.path === path).length,
    authorize(url) {
      const pushed = new URL(url).searchParams.get('request_uri')
      const searchParams =
        pushed === null ? new URL(url).searchParams : new URLSearchParams(provider.pushed.get(pushed))
      // Each is good once.
      if (pushed !== null) provider.pushed.delete(pushed)
      const back = new URL(searchParams.get('redirect_uri')!)
      back.searchParams.set('state', searchParams.get('state')!)
      if (provider.user === undefined) {
        back.searchParams.set('error', 'login_required')
      } else {
        const code = `code-${(serial += 1)}`
        codes.set(code, {
          nonce: searchParams.get('nonce')!,
          challenge: searchParams.get('code_challenge')!,
        })
        back.searchParams.set('code', code)
      }
      return back.href
    },
  }
  Object.assign(provider, { tokens })
  return provider

  function tokens(body: URLSearchParams, key?: string): Response {
    const iat = Math.floor(provider.nowMs() / 1000)
    const base = {
      access_token: `access-${(serial += 1)}`,
      token_type: key === undefined ? 'Bearer' : 'DPoP',
      expires_in: 300,
      refresh_token: `refresh-${serial}`,
    }
    const bound = provider.keyOf.get(body.get('refresh_token') ?? '')
    if (bound !== undefined && bound !== key) return json({ error: 'invalid_grant' }, 400)
    if (key !== undefined)
      for (const token of [base.access_token, base.refresh_token]) provider.keyOf.set(token, key)
    if (body.get('grant_type') === 'refresh_token') return json({ ...base, ...provider.answer })
    const code = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    if (!code || !body.get('code_verifier')) return json({ error: 'invalid_grant' }, 400)
    const id_token = provider.changeIdToken({
      iss: provider.metadata['issuer'],
      sub: provider.user,
      sid: 'sid-1',
      aud: 'admin',
      nonce: code.nonce,
      iat,
      exp: iat + 300,
    })
    return json({ ...base, id_token, ...provider.answer })
  }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })

const tokenEndpoint = (provider: Provider, body: URLSearchParams, key: string | Response | undefined) =>
  key instanceof Response
    ? key
    : (provider as unknown as { tokens(sent: URLSearchParams, key?: string): Response }).tokens(body, key)

function createFetch(provider: Provider): typeof fetch {
  const seen = new Set<string>()
  /** The key of the request, or the refusal. */
  const check = async (
    url: string,
    init: RequestInit | undefined,
    nonce: string | undefined,
    accessToken?: string,
  ): Promise<string | Response> => {
    const { method = 'GET', headers } = init ?? {}
    const nowMs = provider.nowMs()
    const proof = new Headers(headers).get('dpop')
    const checked = await checkProof(proof, { method, url, nowMs, nonce, accessToken, seen })
    if (checked.error === undefined) return checked.thumbprint
    provider.refusedProofs.push(checked.why)
    const more: Record<string, string> = {
      ...(nonce !== undefined && { 'dpop-nonce': nonce }),
      ...(accessToken !== undefined && { 'www-authenticate': `DPoP error="${checked.error}", algs="ES256"` }),
    }
    return json({ error: checked.error }, accessToken === undefined ? 400 : 401, {
      ...(!provider.areHeadersHidden && more),
    })
  }
  return async (input, init) => {
    const url = input instanceof Request ? input.url : (input as string)
    const { origin, pathname } = new URL(url)
    const path = origin === new URL(ISSUER).origin ? pathname.replace('/realms/staff', '') : pathname
    const body = new URLSearchParams(typeof init?.body === 'string' ? init.body : '')
    provider.requests.push({ path, body, headers: new Headers(init?.headers) })
    const instead = provider.instead.get(path)
    if (instead) return instead()
    if (path === '/.well-known/openid-configuration') return json(provider.metadata)
    if (path === '/token')
      return tokenEndpoint(
        provider,
        body,
        provider.dpop ? await check(url, init, provider.nonces.token) : undefined,
      )
    if (path === '/par') {
      const request_uri = `urn:ietf:params:oauth:request_uri:${provider.count('/par')}`
      provider.pushed.set(request_uri, body.toString())
      return json({ request_uri, expires_in: 60 }, 201)
    }
    if (path === '/revoke') return new Response('')
    if (path === '/userinfo') {
      const [scheme, token = ''] = (new Headers(init?.headers).get('authorization') ?? '').split(' ')
      const bound = provider.keyOf.get(token)
      const key = scheme === 'DPoP' ? await check(url, init, provider.nonces.userinfo, token) : undefined
      if (key instanceof Response) return key
      if (key !== bound) return json({ error: 'invalid_token' }, 401)
      return json({ sub: provider.user, email: 'ada@example.com' })
    }
    return new Response('', { status: 404 })
  }
}
