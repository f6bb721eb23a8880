// The ID token, by the book: each thing that can be wrong with one is refused by its name (OpenID Connect Core §3.1.3.7).
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  answerError,
  ATTEMPT,
  CLAIMS,
  codeOf,
  faultOf,
  idToken,
  ISSUER,
  jwt,
  NONCE,
  NOW,
  NOW_MS,
  refresh,
  signIn,
  tokens,
} from '../scene.ts'

const TENANT = '11111111-2222-3333-4444-555555555555'
const OTHER_TENANT = '99999999-2222-3333-4444-555555555555'
const HOUR = 3600
const DAY = 24 * HOUR
const without = (name: string) => {
  const { [name as 'sub']: _, ...rest } = CLAIMS
  return jwt(rest)
}
const refusal = async (token: unknown) => {
  const error = await faultOf(() => signIn({ id_token: token }))
  expect(error).toMatchObject({ code: 'invalid-id-token', retryable: false })
  expect(error.remedy).toBeTruthy()
  return error
}

describe('what is accepted', () => {
  it('the token of the sign-in', async () => {
    expect((await signIn()).claims).toMatchObject({ userId: 'u-1', aud: 'admin' })
  })

  it.each([
    ['id-token-azp-missing', { azp: undefined }],
    ['id-token-aud-array-with-client-only', { aud: ['admin'] }],
    ['id-token-second-audience-with-azp', { aud: ['admin', 'api'], azp: 'admin' }],
    ['id-token-azp-of-us', { azp: 'admin' }],
    ['id-token-iat-5-min-old (Entra)', { iat: NOW - 300 }],
    ['id-token-at-hash-missing', {}],
    ['id-token-nbf', { nbf: NOW - 10 }],
    ['id-token-nbf-a-moment-ahead', { nbf: NOW + 50 }],
    ['id-token-expired-a-moment-ago', { exp: NOW - 50, iat: NOW - 60 }],
    ['id-token-auth-time-0 (glewlwyd)', { auth_time: 0 }],
    ['id-token-fractions', { iat: NOW - 0.5, exp: NOW + 0.5 }],
    ['id-token-unknown-claims', { __proto__x: 1, constructor: 'x', toString: 'y' }],
  ])('%s', async (_, claims) => {
    expect((await signIn({ id_token: idToken(claims) })).claims.userId).toBe('u-1')
  })

  it.each(['RS256', 'ES256', 'EdDSA'])('id-token-alg-listed: %s', async (alg) => {
    expect((await signIn({ id_token: idToken({}, { alg }) })).claims.userId).toBe('u-1')
  })

  it('RS256 where the metadata lists none', async () => {
    const on = tokens({}, { id_token_signing_alg_values_supported: undefined })
    expect((await signIn({}, { on })).claims.userId).toBe('u-1')
  })
})

describe('who it is from and for', () => {
  it.each([
    ['id-token-iss-wrong', { iss: 'https://evil.example.com' }, 'iss'],
    ['id-token-iss-wrong: by a slash', { iss: `${ISSUER}/` }, 'iss'],
    ['id-token-iss-wrong: by case', { iss: ISSUER.toUpperCase() }, 'iss'],
    ['id-token-iss-wrong: a list', { iss: [ISSUER] }, 'iss'],
    ['id-token-aud-wrong', { aud: 'other' }, 'aud'],
    ['id-token-aud-wrong: by case', { aud: 'Admin' }, 'aud'],
    ['id-token-aud-wrong: an empty list', { aud: [] }, 'aud'],
    ['id-token-aud-wrong: an object', { aud: { admin: true } }, 'aud'],
    ['id-token-aud-wrong: a list in a list', { aud: [['admin']] }, 'aud'],
    ['id-token-azp-wrong', { azp: 'other' }, 'azp'],
    ['id-token-azp-wrong: beside two audiences', { aud: ['admin', 'api'], azp: 'api' }, 'azp'],
    ['id-token-second-audience-without-azp', { aud: ['admin', 'api'] }, 'azp'],
    ['id-token-nonce-wrong', { nonce: 'x'.repeat(32) }, 'nonce'],
    ['id-token-nonce-wrong: a list', { nonce: [NONCE] }, 'nonce'],
    ['id-token-nonce-wrong: empty', { nonce: '' }, 'nonce'],
    ['id-token-sub-wrong: empty', { sub: '' }, 'sub'],
    ['id-token-sub-wrong: a number', { sub: 7 }, 'sub'],
    ['id-token-sub-wrong: null', { sub: null }, 'sub'],
    ['id-token-lone-surrogate', { sub: '\ud800' }, 'sub'],
  ])('%s', async (_, claims, named) => {
    expect((await refusal(idToken(claims))).message).toContain(named)
  })

  it.each(['azp', 'nbf', 'at_hash'])('null, an empty text and false count as no %s', async (name) => {
    for (const value of [null, '', false])
      expect((await signIn({ id_token: idToken({ [name]: value }) })).claims.userId).toBe('u-1')
  })

  it('id-token-second-audience-without-azp: taken where the app trusts that audience, and no other', async () => {
    const trusting = (aud: readonly string[]) =>
      signIn({ id_token: idToken({ aud }) }, { on: tokens({ trustedAudiences: ['api'] }) })
    expect((await trusting(['admin', 'api'])).claims.userId).toBe('u-1')
    const { remedy } = await faultOf(() => trusting(['admin', 'api', 'other']))
    expect(remedy).toContain('trustedAudiences')
    await expect(trusting(['api'])).rejects.toMatchObject({ code: 'invalid-id-token' })
  })

  it.each([
    ['id-token-iss-missing', 'iss'],
    ['id-token-aud-missing', 'aud'],
    ['id-token-nonce-missing', 'nonce'],
    ['id-token-sub-missing', 'sub'],
    ['id-token-exp-missing', 'exp'],
    ['id-token-iat-missing', 'iat'],
  ])('%s', async (_, name) => {
    expect((await refusal(without(name))).message).toContain(name)
  })

  it('id-token-nonce: an attempt without one takes no token at all', async () => {
    const { nonce: _, ...attempt } = ATTEMPT
    expect(await codeOf(() => signIn({}, { attempt }))).toBe('invalid-id-token')
  })
})

describe('its form', () => {
  it.each([
    ['id-token-missing-at-sign-in', undefined],
    ['id-token-missing-at-sign-in: null', null],
    ['id-token-empty', ''],
    ['id-token-number', 7],
    ['id-token-object', { sub: 'u-1' }],
    ['id-token-two-parts', idToken().split('.').slice(0, 2).join('.')],
    ['id-token-four-parts', `${idToken()}.x`],
    ['id-token-payload-null', jwt(null)],
    ['id-token-payload-array', jwt([CLAIMS])],
    ['id-token-payload-text', jwt('u-1')],
    ['id-token-payload-no-json', `${jwt({}).split('.')[0]}.bm90IGpzb24.x`],
    ['id-token-payload-no-base64', `${jwt({}).split('.')[0]}.%%%.x`],
    ['id-token-header-null', jwt(CLAIMS, null)],
    ['id-token-header-array', jwt(CLAIMS, ['RS256'])],
    ['id-token-payload-5-MB', jwt({ ...CLAIMS, fat: 'x'.repeat(5_000_000) })],
  ])('%s', async (_, token) => {
    expect((await refusal(token)).remedy).toBeTruthy()
  })

  it('id-token-payload-5-MB is rejected before decoding costs time', async () => {
    const token = jwt({ ...CLAIMS, fat: 'x'.repeat(5_000_000) })
    const before = process.threadCpuUsage()
    expect((await refusal(token)).remedy).toBeTruthy()
    // Of the processor: a clock on the wall measures what else the machine does.
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(100)
  })

  it('each alg has a remedy of its own', async () => {
    const remedies = await Promise.all(
      [
        idToken({}, { alg: 'none' }),
        idToken({}, { alg: 'HS256' }),
        idToken({}, { alg: 'PS512' }),
        idToken({}, { crit: ['b64'] }),
        `${idToken()}.x.y`,
      ].map(async (token) => (await refusal(token)).remedy),
    )
    expect(new Set(remedies).size).toBe(5)
  })

  it.each([
    ['id-token-alg-none', { alg: 'none' }],
    ['id-token-alg-none: in capitals', { alg: 'NONE' }],
    ['id-token-alg-none: missing', { alg: undefined }],
    ['id-token-alg-none: a number', { alg: 256 }],
    ['id-token-alg-hs256', { alg: 'HS256' }],
    ['id-token-alg-hs256: longer', { alg: 'HS512' }],
    ['id-token-alg-not-listed', { alg: 'PS256' }],
    ['id-token-alg-not-listed: by case', { alg: 'rs256' }],
    ['id-token-crit', { crit: ['exp'] }],
    ['id-token-crit: empty', { crit: [] }],
  ])('%s', async (_, header) => {
    expect((await refusal(idToken({}, header))).remedy).toBeTruthy()
  })

  it('id-token-alg-none and hs256 are refused although the metadata lists them', async () => {
    const on = tokens({}, { id_token_signing_alg_values_supported: ['none', 'HS256'] })
    for (const alg of ['none', 'HS256'])
      expect(await codeOf(() => signIn({ id_token: idToken({}, { alg }) }, { on }))).toBe('invalid-id-token')
  })

  it('id-token-five-parts says that it is encrypted', async () => {
    expect((await refusal(`${idToken()}.x.y`)).message).toContain('encrypted')
  })
})

describe('at_hash', () => {
  const half = (bits: number) => {
    const hash = createHash(`sha${bits}`).update('opaque-access').digest()
    return hash.subarray(0, hash.length / 2).toString('base64url')
  }
  const right = half(256)
  const algs = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS384', 'EdDSA', 'Ed448']
  const on = tokens({}, { id_token_signing_alg_values_supported: algs })

  it.each([
    ['RS256', 256],
    ['ES384', 384],
    ['PS384', 384],
    ['RS512', 512],
    ['ES512', 512],
    ['EdDSA', 512],
  ])('id-token-at-hash-right: of %s, half of SHA-%d', async (alg, bits) => {
    expect(
      (await signIn({ id_token: idToken({ at_hash: half(bits) }, { alg }) }, { on })).claims.userId,
    ).toBe('u-1')
  })

  it.each(['wrong', right.slice(1), 7, [right]])('id-token-at-hash-wrong: %j', async (at_hash) => {
    expect((await refusal(idToken({ at_hash }))).message).toContain('at_hash')
  })

  it.each(['RS384', 'ES512', 'EdDSA'])('id-token-at-hash-wrong: of %s', async (alg) => {
    for (const at_hash of ['wrong', right, half(alg.endsWith('384') ? 512 : 384)]) {
      const error = await faultOf(() => signIn({ id_token: idToken({ at_hash }, { alg }) }, { on }))
      expect(error).toMatchObject({ code: 'invalid-id-token', message: expect.stringContaining('at_hash') })
    }
  })

  it('id-token-at-hash-unknown-alg: not compared', async () => {
    const id_token = idToken({ at_hash: 'of shake256' }, { alg: 'Ed448' })
    expect((await signIn({ id_token }, { on })).claims.userId).toBe('u-1')
  })
})

describe('time', () => {
  const at = (shiftSeconds: number, source: 'device' | 'origin' | 'none', claims = {}) =>
    signIn({ id_token: idToken(claims) }, { time: { nowMs: NOW_MS + shiftSeconds * 1000, source } })

  it.each([
    ['id-token-exp-before-iat', { exp: NOW - 1 }],
    ['id-token-exp-is-iat', { exp: NOW }],
    ['id-token-exp-string', { exp: String(NOW + 300) }],
    ['id-token-iat-string', { iat: String(NOW) }],
    ['id-token-exp-infinite', { exp: 'Infinity' }],
    ['id-token-exp-null', { exp: null }],
    ['id-token-nbf-string', { nbf: String(NOW) }],
  ])('%s', async (_, claims) => {
    expect((await refusal(idToken(claims))).remedy).toBeTruthy()
  })

  it.each([
    ['id-token-device-1-day-ahead', DAY],
    ['id-token-device-1-day-behind', -DAY],
    ['id-token-device-11-min-behind', -11 * 60],
    ['id-token-8-days-old', 8 * DAY],
  ])('%s: the device alone cannot tell, so the time is asked elsewhere', async (_, shift) => {
    const error = await faultOf(() => at(shift, 'device'))
    expect(error).toMatchObject({ code: 'clock-skew', retryable: false })
  })

  it('id-token-device-1-day-off: accepted with the time of the own origin, and said', async () => {
    const { claims, notes } = await at(0, 'origin')
    expect(claims.userId).toBe('u-1')
    expect(notes).toEqual(['The clock of this device is wrong.'])
  })

  it.each([
    ['id-token-8-days-old', { iat: NOW - 8 * DAY }],
    ['id-token-iat-is-week-in-past', { iat: NOW - 7 * DAY, exp: NOW + DAY }],
    ['id-token-iat-in-future', { iat: NOW + HOUR, exp: NOW + 2 * HOUR }],
    ['id-token-expired', { iat: NOW - 120, exp: NOW - 61 }],
    ['id-token-nbf-in-future', { nbf: NOW + 61 }],
  ])('%s: rejected by a clock that is right', async (_, claims) => {
    expect(await codeOf(() => at(0, 'origin', claims))).toBe('invalid-id-token')
  })

  it.each([
    ['25 hours ahead', 25 * HOUR],
    ['25 hours behind', -25 * HOUR],
  ])('id-token-no-time-source: a device %s is accepted', async (_, shift) => {
    const { notes } = await at(shift, 'none')
    expect(notes).toEqual(['The clock of this device is wrong.'])
  })

  it.each([
    ['27 hours ahead', 27 * HOUR],
    ['27 hours behind', -27 * HOUR],
    ['8 days ahead', 8 * DAY],
  ])('id-token-no-time-source: a device %s is not', async (_, shift) => {
    expect(await codeOf(() => at(shift, 'none'))).toBe('invalid-id-token')
  })

  it('a right clock says nothing', async () => {
    expect((await at(0, 'device')).notes).toEqual([])
  })
})

describe('an issuer of many tenants (Entra ID)', () => {
  const template = 'https://login.example.com/{tenantid}/v2.0'
  const issuerOf = (tenant: string) => template.replace('{tenantid}', tenant)
  const options = (tenants: readonly string[] | 'any') => ({
    issuer: template,
    tenants,
    discoveryUrl: 'https://login.example.com/common',
  })
  const on = (tenants: readonly string[] | 'any') => tokens(options(tenants))
  const tokenOf = (tenant: string, tid: unknown = tenant) => ({
    id_token: idToken({ iss: issuerOf(tenant), tid }),
  })

  it.each([[[TENANT]], [[OTHER_TENANT, TENANT]], ['any' as const]])(
    'tenant-template-good: %j',
    async (tenants) => {
      const { claims } = await signIn(tokenOf(TENANT), { on: on(tenants) })
      expect(claims).toMatchObject({ userId: 'u-1', firmId: TENANT })
    },
  )

  it.each([
    ['tenant-template-wrong-tid', tokenOf(TENANT, OTHER_TENANT)],
    ['tenant-template-tid-missing', tokenOf(TENANT, null)],
    ['tenant-template-tid-not-guid', tokenOf('acme')],
    ['tenant-template-tid-not-guid: a path', tokenOf(`${TENANT}/x`)],
    ['tenant-template-tid-not-guid: the template itself', tokenOf('{tenantid}')],
    ['tenant-template-tid-not-guid: empty', tokenOf('')],
    ['tenant-template-not-in-list', tokenOf(OTHER_TENANT)],
    ['tenant-template-consumers', tokenOf('9188040d-6c67-4c5b-b112-36a304b66dad')],
    [
      'tenant-template-other-host',
      { id_token: idToken({ iss: `https://evil.example/${TENANT}/v2.0`, tid: TENANT }) },
    ],
    [
      'tenant-template-other-end',
      { id_token: idToken({ iss: `https://login.example.com/${TENANT}/v1.0`, tid: TENANT }) },
    ],
  ])('%s', async (_, members) => {
    expect(await codeOf(() => signIn(members, { on: on([TENANT]) }))).toBe('invalid-id-token')
  })

  it.each(['acme', '', '{tenantid}', `${TENANT}/x`, '0'])(
    'tenant-template-tid-not-guid: %j is nobody, also where any tenant may sign in',
    async (tenant) => {
      expect(await codeOf(() => signIn(tokenOf(tenant), { on: on('any') }))).toBe('invalid-id-token')
    },
  )

  it('a refresh does not change the tenant', async () => {
    const before = tokenOf(TENANT)
    expect(await codeOf(() => refresh(tokenOf(OTHER_TENANT), { before, on: on('any') }))).toBe(
      'invalid-id-token',
    )
    expect((await refresh(tokenOf(TENANT), { before, on: on('any') })).granted.claims.firmId).toBe(TENANT)
  })

  it('tenant-template-not-in-list says where to add it', async () => {
    const error = await faultOf(() => signIn(tokenOf(OTHER_TENANT), { on: on([TENANT]) }))
    expect(error.remedy).toContain('tenants')
  })

  it('the response may come from an allowed tenant only', () => {
    const judged = (tenant: string) =>
      answerError({ state: 's', code: 'c', iss: issuerOf(tenant) }, { isSilent: false }, options([TENANT]))
        ?.code
    expect(judged(TENANT)).toBeUndefined()
    expect(judged(OTHER_TENANT)).toBe('issuer-mismatch')
    expect(judged('{tenantid}')).toBe('issuer-mismatch')
  })
})
