// An API that misses claims in the token (insufficient_claims): silently where the server allows it, else as a step-up.
import { expect, it } from 'vitest'
import { readStepUp } from '../../../src/protocol/challenge.ts'
import { parseTokens } from '../../../src/protocol/tokens.ts'
import { withRefreshToken } from '../../../src/session/features/stepUp.ts'
import type { Granted } from '../../../src/protocol/credentials.ts'
import { createTokenResponse } from '../../../src/testing/tokens.ts'
import { entra, openIdConnect } from '../../../src/oidc/index.ts'
import { signedIn } from '../session/sessionPages.ts'
import { createOidcScene, json } from '../session/sessionScene.ts'
import { ISSUER, jwt, METADATA, server } from '../scene.ts'
import { endOf, openWindowScene } from './windowScene.ts'
import { bodyOf, urlOf } from '../../holdRequests.ts'

const WANTED = { access_token: { acrs: { essential: true, value: 'c1' } } }
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64')
const challenge = (claims: string, error = 'insufficient_claims') =>
  `Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize", error="${error}", claims="${claims}"`

it('reads the claims, in both kinds of base64, without white space', () => {
  const wanted = { ...WANTED, note: '???>>>' }
  const text = Buffer.from(JSON.stringify(wanted, undefined, 2))
  expect([text.toString('base64'), text.toString('base64url')]).toEqual([
    expect.stringMatching(/\/.*\+/),
    expect.stringMatching(/_.*-/),
  ])
  for (const encoded of [text.toString('base64'), text.toString('base64url')])
    expect(readStepUp(challenge(encoded))).toEqual({ claims: JSON.stringify(wanted) })
})

it('reads the claims of the first challenge that names some', () => {
  const [first, second] = [{ id_token: { acr: null } }, WANTED].map(encode) as [string, string]
  expect(readStepUp(`${challenge(first)}, ${challenge(second)}`)).toEqual({
    claims: '{"id_token":{"acr":null}}',
  })
})

/** As many characters of base64. */
const encodedTo = (length: number) => encode({ x: 'y'.repeat((length / 4) * 3 - 8) })

it('reads 3,000 characters of claims', () => {
  expect(encodedTo(3_000)).toHaveLength(3_000)
  expect(readStepUp(challenge(encodedTo(3_000)))?.claims).toMatch(/^\{"x":"y+"\}$/)
})

it.each<[string, string]>([
  ['nothing', ''],
  ['no base64', 'é%%%'],
  ['no JSON', encode('{"access_token":')],
  ['a list', encode([1])],
  ['null', encode('null')],
  ['an empty object', encode({})],
  ['a text', encode('"x"')],
  ['a text of bytes that are none', Buffer.from('{"x":"\xff"}', 'latin1').toString('base64')],
  ['more than 3,000 characters', encodedTo(3_004)],
])('%s is no challenge, and throws nothing', (_what, claims) => {
  expect(readStepUp(challenge(claims))).toBeUndefined()
})

it('claims beside another error count for nothing', () => {
  expect(readStepUp(challenge(encode(WANTED), 'invalid_token'))).toBeUndefined()
})

/** The API takes tokens of a sign-in that asked for the claims. */
async function openApi({ isStubborn = false } = {}) {
  const opened = await openWindowScene()
  const { page, scene } = opened
  const { authorize } = scene.provider
  let asked: string | null = null
  scene.provider.authorize = (url) => {
    asked = new URL(url).searchParams.get('claims')
    return authorize(url)
  }
  const good = new Set<string>()
  let calls = 0
  const real = page.host.fetch
  page.host.fetch = async (input, init) => {
    if (urlOf(input).includes('/api/data')) {
      calls += 1
      const token = new Headers(init?.headers).get('authorization') ?? ''
      return good.has(token)
        ? json({ ok: true })
        : json({}, 401, { 'www-authenticate': challenge(encode(WANTED)) })
    }
    const response = await real(input, init)
    if (urlOf(input).endsWith('/token') && asked !== null && !isStubborn)
      good.add(`Bearer ${((await response.clone().json()) as { access_token: string }).access_token}`)
    return response
  }
  return {
    ...opened,
    call: async () => endOf(page.auth.fetch('/api/data')),
    asked: () => asked,
    calls: () => calls,
  }
}

it('is met silently where the server has nothing to ask, and the call is repeated', async () => {
  const { call, asked, calls, page } = await openApi()
  const state = page.auth.getState()
  const end = call()
  await page.host.settle()
  expect(await end).toBe('ok')
  expect(JSON.parse(asked()!)).toEqual(WANTED)
  expect(calls()).toBe(2)
  expect(page.auth.getState()).toBe(state)
  expect(page.host.navigations).toEqual([])
})

it.each([
  ['none', () => undefined],
  ['another with each sign-in', (count: number) => `s${count}`],
])(
  'the tokens that meet it are every tab’s, where the session’s name is %s, and a logout ends them all',
  async (_how, sidOf) => {
    const { call, page, scene } = await openApi()
    let count = 0
    scene.provider.changeIdToken = (claims) => jwt({ ...claims, sid: sidOf((count += 1)) })
    const other = scene.open()
    void other.auth.start()
    await other.host.settle()
    await scene.browser.clock.advance(1_000)
    const end = call()
    await page.host.settle()
    expect(await end).toBe('ok')
    await scene.browser.clock.advance(3_000)
    expect(await other.auth.getAccessToken()).toBe(await page.auth.getAccessToken())
    void other.auth.logout()
    await scene.browser.clock.advance(1_000)
    expect(page.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  },
)

it('several calls at once look at the server once', async () => {
  const { call, page, scene } = await openApi()
  const before = scene.provider.count('/token')
  const ends = Promise.all([call(), call(), call()])
  await page.host.settle()
  expect(await ends).toEqual(['ok', 'ok', 'ok'])
  expect(scene.provider.count('/token')).toBe(before + 1)
})

it('calls that miss other claims do not share a look: each is repeated with a token that has its own', async () => {
  const { page, scene } = await openWindowScene()
  const wanted = ['c1', 'c2'].map((value) => ({ access_token: { acrs: { essential: true, value } } }))
  const { authorize } = scene.provider
  const asked = new Map<string, string | null>()
  scene.provider.authorize = (url) => {
    const back = authorize(url)
    asked.set(new URL(back).searchParams.get('code')!, new URL(url).searchParams.get('claims'))
    return back
  }
  const claimsOfToken = new Map<string, string | null>()
  const real = page.host.fetch
  page.host.fetch = async (input, init) => {
    const index = ['/api/first', '/api/second'].findIndex((path) => urlOf(input).endsWith(path))
    if (index >= 0) {
      const token = new Headers(init?.headers).get('authorization')!.slice('Bearer '.length)
      return claimsOfToken.get(token) === JSON.stringify(wanted[index])
        ? json({ ok: true })
        : json({}, 401, { 'www-authenticate': challenge(encode(wanted[index])) })
    }
    const response = await real(input, init)
    const code = new URLSearchParams(bodyOf(init)).get('code')
    if (code !== null) {
      const { access_token } = (await response.clone().json()) as { access_token: string }
      claimsOfToken.set(access_token, asked.get(code)!)
    }
    return response
  }
  const ends = ['/api/first', '/api/second', '/api/first'].map(async (path) => endOf(page.auth.fetch(path)))
  await page.host.settle()
  expect(await Promise.all(ends)).toEqual(['ok', 'ok', 'ok'])
  // One for each kind of claims.
  expect([...asked.values()].filter(Boolean)).toHaveLength(2)
})

it('a call refused with the token that was met renews that one, and no other', async () => {
  const { page, scene } = await openWindowScene()
  const sent: string[] = []
  let refusals = 0
  scene.provider.instead.set('/api/data', () => {
    sent.push(scene.provider.requests.at(-1)!.headers.get('authorization')!)
    if (sent.length === 1) return json({}, 401, { 'www-authenticate': challenge(encode(WANTED)) })
    refusals += 1
    return refusals === 1 ? json({}, 401) : json({ ok: true })
  })
  const end = endOf(page.auth.fetch('/api/data'))
  await page.host.settle()
  expect(await end).toBe('ok')
  expect(new Set(sent).size).toBe(3)
})

it('what the frame brings keeps the refresh token that is held, and whether that may be used up', () => {
  const granted: Granted = { ...parseTokens(createTokenResponse()), memory: {}, askedAtMs: 1 }
  const bare = { ...granted, refreshToken: undefined }
  const held = { ...granted, refreshToken: 'of-before', sentAtMs: 7 }
  expect(withRefreshToken(bare, held)).toMatchObject({ refreshToken: 'of-before', sentAtMs: 7 })
  expect(withRefreshToken(granted, held)).toBe(granted)
  expect(withRefreshToken(bare, undefined)).toBe(bare)
})

it('becomes a step-up where the server must ask, and leaves with the claims', async () => {
  const { call, page, scene } = await openApi()
  scene.provider.user = undefined
  const end = call()
  await page.host.settle()
  expect(await end).toBe('step-up-required')
  expect(page.auth.getState().status).toBe('authenticated')
  const error = await page.auth.fetch('/api/data').catch((thrown: unknown) => thrown)
  await page.host.settle()
  await page.auth.stepUp(error as never)
  const left = new URL(page.host.navigations.at(-1)!).searchParams
  expect(JSON.parse(left.get('claims')!)).toEqual(WANTED)
})

it('another user at the server is not taken', async () => {
  const { call, page, scene } = await openApi()
  scene.provider.user = 'eve'
  const end = call()
  await page.host.settle()
  expect(await end).toBe('step-up-required')
  const state = page.auth.getState()
  expect(state.status === 'authenticated' && state.user.userId).toBe('ada')
})

it('an API that is never content is asked twice, not for ever', async () => {
  const { call, calls, page } = await openApi({ isStubborn: true })
  const end = call()
  await page.host.settle()
  expect(await end).toBe('step-up-required')
  expect(calls()).toBe(2)
})

it('the capability of the app stands beside the claims that an API misses', () => {
  const { parameters } = entra({
    tenant: '11111111-2222-3333-4444-555555555555',
    clientCapabilities: ['cp1'],
  })
  expect(openIdConnect(entra({ tenant: 'consumers', clientCapabilities: ['cp1'] })).id).toContain('9188040d')
  const on = server({ parameters })
  const key = { state: 's', nonce: 'n', verifier: 'v', challenge: { value: 'c', method: 'S256' as const } }
  const read = (more?: object) =>
    JSON.parse(
      new URL(on.authorizeUrl({ key, redirectUri: 'https://a.example/', ...more })).searchParams.get(
        'claims',
      )!,
    ) as unknown
  expect(read()).toEqual({ access_token: { xms_cc: { values: ['cp1'] } } })
  expect(read({ parameters: { claims: JSON.stringify(WANTED) } })).toEqual({
    access_token: { xms_cc: { values: ['cp1'] }, ...WANTED.access_token },
  })
})

it('a renewal under way meanwhile keeps its new refresh token: none is sent twice', async () => {
  const { page, scene, call, hold } = await openApi()
  const { fetch } = page.host
  let stronger: unknown
  // A silent check brings no refresh token at this provider.
  page.host.fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (!bodyOf(init).includes('authorization_code')) return response
    const { refresh_token: _, ...others } = (await response.json()) as Record<string, unknown>
    stronger = others['access_token']
    return json(others)
  }
  const release = hold((_url, body) => body.has('refresh_token'))
  const respond = hold((url) => url.includes('/api/data'))
  // The call was sent before the renewal began.
  const end = call()
  await page.host.settle()
  const renewing = endOf(page.auth.renew({ force: true }))
  await page.host.settle()
  respond()
  await page.host.settle()
  expect(await end).toBe('ok')
  release()
  await page.host.settle()
  expect(await renewing).toBe('ok')
  expect(await page.auth.getAccessToken()).toBe(stronger)
  for (let count = 0; count < 2; count += 1) await page.auth.renew({ force: true })
  const sent = scene.provider.requests.flatMap(({ body }) => body.get('refresh_token') ?? [])
  expect(sent).toHaveLength(3)
  expect(new Set(sent).size).toBe(3)
})

/** Ada is signed in by the sign-in page, and has met a challenge since: by a frame, which brought no refresh token. */
async function meetOnce(options?: Parameters<typeof createOidcScene>[0], dpop = false) {
  const scene = createOidcScene(options)
  scene.provider.dpop = dpop
  scene.provider.metadata = { ...METADATA, ...(dpop && { dpop_signing_alg_values_supported: ['ES256'] }) }
  let nonce: unknown
  scene.provider.changeIdToken = (claims) => {
    nonce ??= claims['nonce']
    return jwt(claims)
  }
  const page = await signedIn(scene)
  const { fetch } = page.host
  page.host.fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (!bodyOf(init).includes('authorization_code')) return response
    const { refresh_token: _, ...others } = (await response.json()) as Record<string, unknown>
    return json(others)
  }
  let calls = 0
  scene.provider.instead.set('/api/data', () => {
    calls += 1
    return calls === 1 ? json({}, 401, { 'www-authenticate': challenge(encode(WANTED)) }) : json({})
  })
  expect(await endOf(page.auth.fetch('/api/data'))).toBe('ok')
  // The session at the provider has ended, or the browser keeps its cookies from frames by now.
  scene.provider.user = undefined
  return { scene, page, nonce }
}

it('the refresh token that stays beside it is of the sign-in before: a provider that repeats the nonce of that one is believed', async () => {
  const { scene, page, nonce } = await meetOnce()
  const iat = Math.floor(scene.provider.nowMs() / 1000)
  const claims = { iss: ISSUER, sub: 'ada', aud: 'admin', nonce, iat, exp: iat + 300 }
  scene.provider.answer = { id_token: jwt(claims) }
  for (let count = 0; count < 2; count += 1) expect(await endOf(page.auth.renew({ force: true }))).toBe('ok')
})

it('the refresh token that stays beside it is bound to a key of the page, and so is what it brings', async () => {
  const { scene, page } = await meetOnce({ options: { dpop: 'required' } }, true)
  for (let count = 0; count < 2; count += 1) expect(await endOf(page.auth.renew({ force: true }))).toBe('ok')
  expect(scene.provider.refusedProofs).toEqual([])
})

it('the refresh token that stays beside it is of offline access: it is asked for again, and revoked at the logout', async () => {
  const { scene, page } = await meetOnce({ options: { refreshScope: true } })
  await page.auth.renew({ force: true })
  expect(scene.provider.requests.findLast(({ path }) => path === '/token')?.body.get('scope')).toBe(
    'openid offline_access',
  )
  void page.auth.logout()
  await page.host.settle()
  const revoked = scene.provider.requests.filter(({ path }) => path === '/revoke')
  expect(revoked.map(({ body }) => body.get('token_type_hint'))).toEqual(['refresh_token'])
})

it('the end of the session that the provider named at the sign-in stands, where what the frame brings names none', async () => {
  const scene = createOidcScene()
  const endsAt = Math.floor(scene.provider.nowMs() / 1000) + 3600
  scene.provider.changeIdToken = (claims) => jwt({ ...claims, session_expiry: endsAt })
  const page = await signedIn(scene)
  scene.provider.changeIdToken = jwt
  let calls = 0
  scene.provider.instead.set('/api/data', () => {
    calls += 1
    return calls === 1 ? json({}, 401, { 'www-authenticate': challenge(encode(WANTED)) }) : json({})
  })
  expect(await endOf(page.auth.fetch('/api/data'))).toBe('ok')
  expect(page.auth.getState()).toMatchObject({ sessionEndsAtMs: endsAt * 1000 })
})
