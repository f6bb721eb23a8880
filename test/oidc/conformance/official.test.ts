// The relying-party cases of the OpenID conformance suite, each by its id, each with a whole session at a provider that misbehaves exactly so.

// @module-tag thorough

import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { conformancePage } from '../../../scripts/conformance.ts'
import { plainPage } from '../../../scripts/writtenPage.ts'
import { AuthError } from '../../../src/base/errors.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { readInitiatedLogin } from '../../../src/oidc/index.ts'
import { APP, ISSUER, jwt, METADATA } from '../scene.ts'
import { follow, signedIn, start } from '../session/sessionPages.ts'
import {
  createOidcScene,
  json,
  type OidcScene,
  type OidcSceneOptions,
  type Page,
} from '../session/sessionScene.ts'
import { OFFICIAL_CASES } from './officialCases.ts'

type Claims = Record<string, unknown>
/** `accepted`, or the code of what the user is told. */
type Outcome = string

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A JWT with a real signature. */
function signed(claims: Claims, alg: 'RS256' | 'ES256', isBroken = false): string {
  const text = jwt(claims, { alg }).split('.').slice(0, 2).join('.')
  const made =
    alg === 'RS256'
      ? sign('sha256', Buffer.from(text), RSA.privateKey)
      : sign('sha256', Buffer.from(text), { key: EC.privateKey, dsaEncoding: 'ieee-p1363' })
  if (isBroken) made[7]! ^= 0xff
  return `${text}.${made.toString('base64url')}`
}

const withKeys = (count: number) => ({
  keys: Array.from({ length: count }, () => RSA.publicKey.export({ format: 'jwk' })),
})

function outcomeOf({ auth }: Page): Outcome {
  const state = auth.getState()
  if (state.status === 'authenticated') return 'accepted'
  if (state.status === 'failed') return state.error.code
  return state.status === 'unauthenticated' ? (state.cause?.code ?? state.reason) : state.status
}

/** A sign-in whose ID token is made otherwise. */
async function withIdToken(make: (claims: Claims) => string, options?: OidcSceneOptions): Promise<Outcome> {
  const scene = createOidcScene(options)
  scene.provider.changeIdToken = make
  return outcomeOf(await signedIn(scene))
}
const withClaims = (change: Claims) => withIdToken((claims) => jwt({ ...claims, ...change }))

/** A sign-in whose token endpoint answers otherwise. */
async function withAnswer(answer: Claims): Promise<Outcome> {
  const scene = createOidcScene()
  scene.provider.answer = answer
  return outcomeOf(await signedIn(scene))
}

/** A sign-in that comes back with another address. */
async function withReturn(change: (address: URL) => void, metadata: Claims = {}): Promise<Outcome> {
  const scene = createOidcScene()
  const { provider } = scene
  provider.metadata = { ...METADATA, ...metadata }
  const { authorize } = provider
  provider.authorize = (url) => {
    const back = new URL(authorize(url))
    if (metadata === WITH_ISS) back.searchParams.set('iss', ISSUER)
    return back.href
  }
  const first = await start(scene)
  scene.provider.user = 'ada'
  const back = new URL(scene.provider.authorize(first.host.navigations.at(-1)!))
  change(back)
  scene.provider.user = undefined
  const page = await follow(scene, first, back.href)
  expect(scene.provider.count('/token')).toBe(0)
  return outcomeOf(page)
}

/** The provider begins the sign-in, at the app's page for that. */
async function withInitiatedLogin(): Promise<Outcome> {
  const scene = createOidcScene({ config: { autoLogin: false } })
  const asked = new URLSearchParams({ iss: ISSUER, login_hint: 'ada', target_link_uri: `${APP}invoices` })
  const page = await start(scene, `${APP}initiate?${asked}`)
  await page.auth.login(readInitiatedLogin(page.host.address, ISSUER))
  scene.provider.user = 'ada'
  const back = await follow(scene, page)
  expect(back.host.address).toBe(`${APP}invoices`)
  return outcomeOf(back)
}

async function withRenewal(change?: Claims): Promise<Outcome> {
  const scene = createOidcScene()
  const page = await signedIn(scene)
  const before = await page.auth.getAccessToken()
  const iat = Math.floor(scene.provider.nowMs() / 1000)
  scene.provider.answer = {
    id_token: jwt({ iss: ISSUER, sub: 'ada', aud: 'admin', iat, exp: iat + 300, ...change }),
  }
  const code = await codeOf(page.auth.renew({ force: true }))
  if (code === 'accepted') expect(await page.auth.getAccessToken()).not.toBe(before)
  else expect(await page.auth.getAccessToken()).toBe(before)
  return code
}

const codeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AuthError ? error.code : 'none of ours'),
  )

async function withUserInfo(
  respond?: () => Response,
): Promise<{ code: Outcome; scene: OidcScene; found: unknown }> {
  const scene = createOidcScene()
  const page = await signedIn(scene)
  if (respond) scene.provider.instead.set('/userinfo', respond)
  let found: unknown
  const code = await codeOf(
    internalsOf(page.auth)
      .readUserInfo()
      .then((record) => void (found = record)),
  )
  return { code, scene, found }
}

async function withMetadata(metadata: Claims): Promise<Outcome> {
  const scene = createOidcScene()
  scene.provider.metadata = metadata
  const page = await start(scene)
  expect(page.host.navigations).toEqual([])
  return outcomeOf(page)
}

/** Signs out, and comes back from the provider with this state. */
async function withLogout(change: (back: URL) => void): Promise<Outcome> {
  const scene = createOidcScene()
  const page = await signedIn(scene)
  void page.auth.logout()
  await page.host.settle()
  const logout = new URL(page.host.navigations.at(-1)!)
  expect(logout.origin + logout.pathname).toBe(METADATA.end_session_endpoint)
  const back = new URL(logout.searchParams.get('post_logout_redirect_uri')!)
  const state = logout.searchParams.get('state')
  if (state !== null) back.searchParams.set('state', state)
  change(back)
  scene.provider.user = undefined
  const after = await follow(scene, page, back.href)
  const { status } = after.auth.getState()
  return status === 'authenticated' || status === 'failed' ? status : 'accepted'
}

/** Tokens bound to a key; a provider that wants nonces, or none. */
async function withProofs(
  nonces: { token?: string; userinfo?: string },
  challenge?: string,
): Promise<Outcome> {
  const scene = createOidcScene({ options: { dpop: 'required' } })
  Object.assign(scene.provider, { dpop: true, nonces })
  scene.provider.metadata = { ...METADATA, dpop_signing_alg_values_supported: ['ES256'] }
  const page = await signedIn(scene)
  if (outcomeOf(page) !== 'accepted') return outcomeOf(page)
  let asked = 0
  if (challenge !== undefined)
    scene.provider.instead.set('/userinfo', () => {
      asked += 1
      if (asked > 1) return json({ sub: 'ada' })
      return json({}, 401, { 'www-authenticate': challenge, 'dpop-nonce': 'nonce-1' })
    })
  const code = await codeOf(internalsOf(page.auth).readUserInfo())
  if (challenge !== undefined) {
    const proofs = scene.provider.requests
      .filter(({ path }) => path === '/userinfo')
      .map(({ headers }) => headers.get('dpop')!)
    expect(proofs.map((proof) => payloadOf(proof)['nonce'])).toEqual([undefined, 'nonce-1'])
  }
  return code
}
const payloadOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Claims

const OIDCC = 'oidcc-client-test'
const FAPI = 'fapi2-security-profile-final-client-test'
const INVALID = 'invalid-id-token'
const IN_THE_PAST = { iat: 1_000_000, exp: 1_000_300 }
const WITH_ISS = { authorization_response_iss_parameter_supported: true }

/** With the code that the user is told; `accepted` where nothing is wrong. */
const RUNS: Readonly<Record<string, readonly [run: () => Promise<Outcome>, outcome: Outcome]>> = {
  [OIDCC]: [() => withClaims({}), 'accepted'],
  [`${OIDCC}-3rd-party-init-login`]: [withInitiatedLogin, 'accepted'],
  [`${OIDCC}-invalid-iss`]: [() => withClaims({ iss: 'https://evil.example.com' }), INVALID],
  [`${OIDCC}-missing-sub`]: [() => withClaims({ sub: undefined }), INVALID],
  [`${OIDCC}-invalid-aud`]: [() => withClaims({ aud: 'other' }), INVALID],
  [`${OIDCC}-missing-aud`]: [() => withClaims({ aud: undefined }), INVALID],
  [`${OIDCC}-missing-iat`]: [() => withClaims({ iat: undefined }), INVALID],
  [`${OIDCC}-nonce-invalid`]: [() => withClaims({ nonce: 'other' }), INVALID],
  [`${OIDCC}-kid-absent-single-jwks`]: [() => withJwks(1), 'accepted'],
  [`${OIDCC}-kid-absent-multiple-jwks`]: [() => withJwks(3), 'accepted'],
  [`${OIDCC}-idtoken-sig-rs256`]: [() => withIdToken((claims) => signed(claims, 'RS256')), 'accepted'],
  [`${OIDCC}-idtoken-sig-none`]: [() => withIdToken((claims) => jwt(claims, { alg: 'none' })), INVALID],
  [`${OIDCC}-invalid-sig-rs256`]: [() => withIdToken((claims) => signed(claims, 'RS256', true)), 'accepted'],
  [`${OIDCC}-invalid-sig-es256`]: [() => withIdToken((claims) => signed(claims, 'ES256', true)), 'accepted'],
  [`${OIDCC}-invalid-sig-hs256`]: [
    () =>
      withIdToken((claims) => {
        const text = jwt(claims, { alg: 'HS256' }).split('.').slice(0, 2).join('.')
        return `${text}.${createHmac('sha256', 'wrong').update(text).digest('base64url')}`
      }),
    INVALID,
  ],
  [`${OIDCC}-userinfo-invalid-sub`]: [
    async () => (await withUserInfo(() => json({ sub: 'eve' }))).code,
    'unexpected-answer',
  ],
  [`${OIDCC}-userinfo-bearer-header`]: [
    async () => {
      const { code, scene } = await withUserInfo()
      const request = scene.provider.requests.findLast(({ path }) => path === '/userinfo')!
      expect(request.headers.get('authorization')).toMatch(/^Bearer access-/)
      expect([...request.body]).toEqual([])
      return code
    },
    'accepted',
  ],
  [`${OIDCC}-scope-userinfo-claims`]: [
    async () => {
      const { code, found } = await withUserInfo(() =>
        json({ sub: 'ada', email: 'ada@example.com', name: 'Ada' }),
      )
      expect(found).toEqual({ sub: 'ada', email: 'ada@example.com', name: 'Ada' })
      return code
    },
    'accepted',
  ],
  [`${OIDCC}-userinfo-signed`]: [
    async () => {
      const body = signed({ sub: 'ada' }, 'RS256')
      return (
        await withUserInfo(() => new Response(body, { headers: { 'content-type': 'application/jwt' } }))
      ).code
    },
    'unexpected-answer',
  ],
  [`${OIDCC}-discovery-openid-config`]: [
    async () => {
      const scene = createOidcScene()
      const page = await signedIn(scene)
      expect(scene.provider.requests[0]?.path).toBe('/.well-known/openid-configuration')
      return outcomeOf(page)
    },
    'accepted',
  ],
  [`${OIDCC}-discovery-issuer-mismatch`]: [
    () => withMetadata({ ...METADATA, issuer: 'https://other.example.com' }),
    'issuer-mismatch',
  ],
  [`${OIDCC}-refresh-token`]: [() => withRenewal(), 'accepted'],
  [`${OIDCC}-refresh-token-invalid-issuer`]: [
    () => withRenewal({ iss: 'https://evil.example.com' }),
    INVALID,
  ],
  [`${OIDCC}-refresh-token-invalid-sub`]: [() => withRenewal({ sub: 'eve' }), 'identity-changed'],
  [`${OIDCC}-rp-init-logout`]: [() => withLogout(() => {}), 'accepted'],
  [`${OIDCC}-rp-init-logout-other-state`]: [
    () => withLogout((back) => back.searchParams.set('state', 'other')),
    'accepted',
  ],
  [`${OIDCC}-rp-init-logout-no-state`]: [
    () => withLogout((back) => back.searchParams.delete('state')),
    'accepted',
  ],
  [`${FAPI}-happy-path`]: [() => withProofs({ token: 'n-1', userinfo: 'n-2' }), 'accepted'],
  [`${FAPI}-happy-path-no-dpop-nonce`]: [() => withProofs({}), 'accepted'],
  [`${FAPI}-rs-dpop-auth-scheme-case-insensitivity`]: [
    () => withProofs({}, 'dPoP error="use_dpop_nonce"'),
    'accepted',
  ],
  [`${FAPI}-invalid-iss`]: [() => withClaims({ iss: `${ISSUER}/` }), INVALID],
  [`${FAPI}-invalid-aud`]: [() => withClaims({ aud: ['other'] }), INVALID],
  [`${FAPI}-invalid-nonce`]: [() => withClaims({ nonce: 'other' }), INVALID],
  [`${FAPI}-invalid-missing-aud`]: [() => withClaims({ aud: undefined }), INVALID],
  [`${FAPI}-invalid-missing-iss`]: [() => withClaims({ iss: undefined }), INVALID],
  [`${FAPI}-invalid-missing-nonce`]: [() => withClaims({ nonce: undefined }), INVALID],
  [`${FAPI}-invalid-missing-exp`]: [() => withClaims({ exp: undefined }), INVALID],
  [`${FAPI}-invalid-expired-exp`]: [() => withClaims(IN_THE_PAST), INVALID],
  [`${FAPI}-invalid-null-alg`]: [() => withIdToken((claims) => jwt(claims, { alg: null })), INVALID],
  [`${FAPI}-invalid-alternate-alg`]: [() => withIdToken((claims) => jwt(claims, { alg: 'PS512' })), INVALID],
  [`${FAPI}-invalid-secondary-aud`]: [() => withClaims({ aud: ['admin', 'other'] }), INVALID],
  [`${FAPI}-valid-aud-as-array`]: [() => withClaims({ aud: ['admin'] }), 'accepted'],
  [`${FAPI}-invalid-authorization-response-iss`]: [
    () => withReturn((back) => back.searchParams.set('iss', 'https://evil.example.com'), WITH_ISS),
    'issuer-mismatch',
  ],
  [`${FAPI}-remove-authorization-response-iss`]: [
    () => withReturn((back) => back.searchParams.delete('iss'), WITH_ISS),
    'issuer-mismatch',
  ],
  [`${FAPI}-ensure-authorization-response-with-invalid-state-fails`]: [
    () => withReturn((back) => back.searchParams.set('state', 'other')),
    'redirecting',
  ],
  [`${FAPI}-ensure-authorization-response-with-invalid-missing-state-fails`]: [
    () => withReturn((back) => back.searchParams.delete('state')),
    'redirecting',
  ],
  [`${FAPI}-discovery-issuer-mismatch`]: [
    () => withMetadata({ ...METADATA, issuer: `${ISSUER}/x` }),
    'issuer-mismatch',
  ],
  [`${FAPI}-token-endpoint-response-without-expires_in`]: [
    () => withAnswer({ expires_in: undefined }),
    'accepted',
  ],
  [`${FAPI}-token-type-case-insensitivity`]: [() => withAnswer({ token_type: 'bEARER' }), 'accepted'],
  'fapi2-security-profile-final-client-refresh-token-test': [() => withRenewal(), 'accepted'],
}

/** An ID token that names no key, beside so many keys. */
async function withJwks(count: number): Promise<Outcome> {
  const scene = createOidcScene()
  scene.provider.metadata = { ...METADATA, jwks_uri: `${ISSUER}/jwks` }
  scene.provider.instead.set('/jwks', () => json(withKeys(count)))
  scene.provider.changeIdToken = (claims) => signed(claims, 'RS256')
  const page = await signedIn(scene)
  expect(scene.provider.count('/jwks')).toBe(0)
  return outcomeOf(page)
}

it.each(OFFICIAL_CASES.map((one) => [one.id, one.result] as const))('%s: %s', async (id, result) => {
  const [run, outcome] = RUNS[id]!
  expect(await run()).toBe(outcome)
  expect(outcome === 'accepted' ? 'accepted' : 'refused').toBe(result)
})

it('evidence/conformance.md says what these tests find: node scripts/conformance.ts', () => {
  const page = readFileSync('evidence/conformance.md', 'utf8').replaceAll('\r\n', '\n')
  expect(plainPage(page)).toBe(plainPage(conformancePage()))
})
