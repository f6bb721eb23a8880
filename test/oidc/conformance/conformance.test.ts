// The client tests of the OpenID Connect conformance suite, and of openid-client, that fit a code client without a secret.
import { describe, expect, it } from 'vitest'
import {
  answerError,
  APP,
  explained,
  faultOf,
  idToken,
  ISSUER,
  jwt,
  METADATA,
  NOW,
  page,
  refresh,
  signIn,
  STATE,
} from '../scene.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import { signedIn, start } from '../session/sessionPages.ts'
import { createOidcScene, json } from '../session/sessionScene.ts'

const DAY_SECONDS = 86_400

describe('a sign-in', () => {
  it.each([
    ['oidcc-client-test-nonce-invalid', { nonce: 'other' }, 'nonce'],
    ['oidcc-client-test-missing-aud', { aud: undefined }, 'aud'],
    ['oidcc-client-test-missing-iat', { iat: undefined }, 'iat'],
    ['oidcc-client-test-missing-sub', { sub: undefined }, 'sub'],
    ['oidcc-client-test-invalid-iss', { iss: 'https://evil.example.com' }, 'iss'],
    ['oidcc-client-test-invalid-aud', { aud: 'other' }, 'aud'],
    ['invalid-secondary-aud', { aud: ['admin', 'other'] }, 'aud'],
  ])('%s: refused, and the error names the claim', async (_, claims, claim) => {
    const error = await faultOf(() => signIn({ id_token: idToken(claims) }))
    expect(error.code).toBe('invalid-id-token')
    expect(`${error.message} ${error.remedy}`).toMatch(
      new RegExp(String.raw`\b(?:${claim}|audience|issuer|issued)`),
    )
  })

  it('oidcc-client-test-idtoken-sig-none: refused', async () => {
    const error = await faultOf(() => signIn({ id_token: idToken({}, { alg: 'none' }) }))
    expect(error.code).toBe('invalid-id-token')
  })

  it('iat-is-week-in-past: refused by a clock that is right', async () => {
    const id_token = idToken({ iat: NOW - 7 * DAY_SECONDS, exp: NOW + DAY_SECONDS })
    const time = { nowMs: NOW * 1000, source: 'origin' } as const
    expect((await faultOf(() => signIn({ id_token }, { time }))).code).toBe('invalid-id-token')
  })

  it('remove-authorization-response-iss: refused where the metadata promise it', async () => {
    const { readAnswer } = openIdConnect({ issuer: ISSUER })
    const answer = readAnswer(`${APP}?state=${STATE}&code=c-1`)!
    const promised = { authorization_response_iss_parameter_supported: true }
    expect(explained(answerError(answer, { isSilent: false }, {}, promised)).code).toBe('issuer-mismatch')
  })

  it('token-endpoint-response-without-expires_in: signed in, and renewed on demand alone', async () => {
    expect((await signIn({ expires_in: undefined })).expiresInSeconds).toBeUndefined()
  })

  it('no-scope-in-token-endpoint-response: accepted, the scopes are as requested', async () => {
    expect((await signIn({ scope: undefined })).memory.scope).toBe('openid profile')
  })
})

describe('a renewal', () => {
  it.each([
    ['oidcc-client-test-refresh-token-invalid-aud', { aud: 'other' }, 'invalid-id-token'],
    ['oidcc-client-test-refresh-token-invalid-azp', { azp: 'other' }, 'invalid-id-token'],
    ['oidcc-client-test-refresh-token-invalid-iss', { iss: 'https://evil.example.com' }, 'invalid-id-token'],
    ['oidcc-client-test-refresh-token-invalid-sub', { sub: 'somebody-else' }, 'identity-changed'],
  ])('%s: refused, and the old tokens are kept', async (_, claims, code) => {
    const scene = createOidcScene()
    const { auth } = await signedIn(scene)
    const before = await auth.getAccessToken()
    const iat = Math.floor(scene.provider.nowMs() / 1000)
    scene.provider.answer = {
      id_token: jwt({ iss: METADATA.issuer, sub: 'ada', aud: 'admin', iat, exp: iat + 300, ...claims }),
    }
    await expect(auth.renew({ force: true })).rejects.toMatchObject({ code })
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: { userId: 'ada' } })
    expect(await auth.getAccessToken()).toBe(before)
    expect((await faultOf(() => refresh({ id_token: idToken(claims) }))).code).toBe(code)
  })
})

it('oidcc-client-test-userinfo-invalid-sub: not used', async () => {
  const { current } = await refresh({})
  const { server: on } = page({}, {}, { respond: () => ({ sub: 'somebody-else' }) })
  const error = await faultOf(() =>
    on.readUserInfo({ current }, async (work) => work('opaque-access'), undefined),
  )
  expect(error.code).toBe('unexpected-answer')
})

it('oidcc-client-test-discovery-issuer-mismatch: no sign-in begins, and the error names both', async () => {
  const scene = createOidcScene()
  scene.provider.instead.set('/.well-known/openid-configuration', () =>
    json({ ...METADATA, issuer: 'https://other.example.com' }),
  )
  const { auth, host } = await start(scene)
  const state = auth.getState()
  expect(explained(state.status === 'failed' && state.error).code).toBe('issuer-mismatch')
  expect(JSON.stringify(auth.getState())).toContain('https://other.example.com')
  expect(host.navigations).toEqual([])
})
