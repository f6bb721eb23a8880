// What the token endpoint responds, at sign-in and at a refresh, and what another tab hands over (RFC 6749 §5, OpenID Connect Core §12).
import { describe, expect, it } from 'vitest'
import { oidcProfile } from '../../../src/protocol/servers/openIdConnect.ts'
import {
  answer,
  ATTEMPT,
  CLAIMS,
  codeOf,
  CRYPTO,
  DEVICE,
  faultOf,
  idToken,
  ISSUER,
  jwt,
  METADATA,
  NONCE,
  NOW,
  refresh,
  signIn,
  tokens,
} from '../scene.ts'
import { throwing } from '../../node/thrownError.ts'

const read = (response: unknown) =>
  tokens().readTokens(response, { attempt: ATTEMPT, isSilent: false, time: DEVICE, subtle: CRYPTO.subtle })

describe('the response at sign-in', () => {
  it('is read whole', async () => {
    expect(await signIn({ scope: 'openid profile' })).toEqual({
      accessToken: 'opaque-access',
      refreshToken: 'refresh-1',
      expiresInSeconds: 300,
      sinceMs: NOW * 1000,
      claims: {
        userId: 'u-1',
        firmId: undefined,
        sessionId: undefined,
        impersonatorId: undefined,
        aud: 'admin',
      },
      memory: {
        idToken: idToken(),
        nonce: NONCE,
        document: JSON.stringify(METADATA),
        scope: 'openid profile',
      },
      notes: [],
      warning: undefined,
    })
  })

  it.each(['opaque', jwt({ sub: 'someone else' }), 'a.b', 'a.b.c', '...', 'x'.repeat(16_384)])(
    'access-token-opaque: nothing in it decides (%#)',
    async (access_token) => {
      expect(await signIn({ access_token })).toMatchObject({
        accessToken: access_token,
        claims: { userId: 'u-1' },
      })
    },
  )

  it.each(['bearer', 'BEARER', 'Bearer'])('token-type-case: %s', async (token_type) => {
    expect((await signIn({ token_type })).accessToken).toBe('opaque-access')
  })

  it.each([
    ['token-type-missing', { token_type: undefined }],
    ['token-type-mac', { token_type: 'mac' }],
    ['token-type-dpop', { token_type: 'DPoP' }],
    ['token-type-list', { token_type: [] }],
    ['token-missing', { access_token: undefined }],
    ['token-empty', { access_token: '' }],
    ['token-null', { access_token: null }],
    ['token-number', { access_token: 7 }],
    ['token-answer-16-kB-token', { access_token: 'x'.repeat(16_385) }],
    ['refresh-token-number', { refresh_token: 7 }],
    ['refresh-token-too-long', { refresh_token: 'x'.repeat(16_385) }],
    ['expires-in-negative', { expires_in: -1 }],
    ['expires-in-negative text', { expires_in: '-1' }],
  ])('%s', async (_, members) => {
    expect(await codeOf(() => signIn(members))).toBe('unexpected-answer')
  })

  it('null, an empty text and false count as no refresh token', async () => {
    for (const refresh_token of [null, '', false])
      expect((await signIn({ refresh_token })).refreshToken).toBeUndefined()
  })

  it.each([
    [{ token_type: undefined }, 'token_type is missing'],
    [{ token_type: 'mac' }, 'token_type is a string'],
    [{ expires_in: -1 }, 'expires_in is a number'],
    [{ access_token: 'x'.repeat(16_385) }, 'a token of 16385 characters; the limit is 16384'],
  ])(
    'a member that cannot be right is named, its value is not, and it is not asked for again: %j',
    async (members, words) => {
      const error = await signIn(members).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ code: 'unexpected-answer', retryable: false })
      expect((error as Error).message).toContain(words)
    },
  )

  it('a JWT may have 64 kB, because many roles fit into no less', async () => {
    const long = jwt({
      sub: 'u-1',
      roles: Array.from({ length: 1_500 }, (_, index) => `role-number-${index}`),
    })
    expect(long.length).toBeGreaterThan(16_384)
    expect((await signIn({ access_token: long })).accessToken).toBe(long)
  })

  it.each([
    ['token-answer-html', '<!doctype html>'],
    ['token-answer-truncated', '{"access_token":"opaque-acc'],
    ['token-answer-array', [answer()]],
    ['token-answer-null', null],
    ['token-answer-empty', ''],
    ['token-answer-number', 7],
  ])('%s', async (_, response) => {
    const error = await faultOf(() => read(response))
    expect(error).toMatchObject({ code: 'unexpected-answer', retryable: true })
    expect(error.message).toContain('/realms/staff/token')
  })

  it.each([
    ['expires-in-missing', undefined, undefined],
    ['expires-in-null', null, undefined],
    ['expires-in-string', '300', 300],
    ['expires-in-zero', 0, 0],
    ['expires-in-1e12', 1e12, 31_536_000],
    ['expires-in-fraction', 0.5, 0.5],
    ['expires-in-word', 'soon', undefined],
    ['expires-in-blank', ' ', undefined],
    ['expires-in-object', {}, undefined],
    ['expires-in-true', true, undefined],
  ])('%s', async (_, expires_in, expected) => {
    expect((await signIn({ expires_in })).expiresInSeconds).toBe(expected)
  })

  it.each([
    ['86400 (Entra ID)', { refresh_token_expires_in: 86_400 }],
    ['1800 (Keycloak)', { refresh_expires_in: 1800 }],
    ['0 (Keycloak: without an end)', { refresh_expires_in: 0 }],
    ['a word', { refresh_expires_in: 'long' }],
    ['a negative number', { refresh_expires_in: -1 }],
  ])(
    'refresh-24-h-limit: %s as the life of a refresh token decides nothing, only a refusal does',
    async (_, members) => {
      expect(await signIn(members)).toEqual(await signIn())
    },
  )

  it('scope-reduced', async () => {
    const { memory, notes } = await signIn({ scope: 'openid' })
    expect(memory.scope).toBe('openid')
    expect(notes).toEqual(['Not granted: profile'])
  })

  it.each([
    ['missing: as requested', undefined, 'openid profile'],
    ['empty: nothing', '', ''],
    ['with more than was asked', 'openid profile  email', 'openid profile email'],
    ['of another type', ['openid'], 'openid profile'],
  ])('scope %s', async (_, scope, expected) => {
    expect((await signIn({ scope })).memory.scope).toBe(expected)
  })

  it('says that no refresh token came although it was asked for', async () => {
    const on = tokens({}, {}, { scopes: ['openid', 'offline_access'] })
    const none = { refresh_token: undefined }
    const { notes, warning } = await signIn(none, { on })
    expect(warning).toMatch(/^No refresh token came\. Some providers want/)
    expect(notes).toEqual([warning])
    expect((await signIn(none, { on, isSilent: true })).notes).toEqual([])
    expect((await signIn(none)).notes).toEqual([])
    expect((await signIn({ scope: 'openid' }, { on })).notes).toEqual([])
  })

  it('since when the user is signed in: auth_time, else iat', async () => {
    expect((await signIn({ id_token: idToken({ auth_time: NOW - 900 }) })).sinceMs).toBe((NOW - 900) * 1000)
    expect((await signIn({ id_token: idToken({ auth_time: 0 }) })).sinceMs).toBe(NOW * 1000)
    expect((await signIn({ id_token: idToken({ auth_time: 'long ago' }) })).sinceMs).toBeUndefined()
  })

  it('further members are of no interest (better-auth: expires_at, glewlwyd: iat)', async () => {
    expect((await signIn({ expires_at: 7, iat: 'x', session_state: {} })).accessToken).toBe('opaque-access')
  })
})

describe('the response to a refresh', () => {
  it.each(['none', 'HS256', 'PS256'])(
    'signed with %s, which the metadata do not name, is refused',
    async (alg) => {
      expect(await codeOf(() => refresh({ id_token: idToken({}, { alg }) }))).toBe('invalid-id-token')
    },
  )

  it('refresh-without-id-token: the claims object is unchanged', async () => {
    const { current, granted } = await refresh({ refresh_token: 'refresh-2' })
    expect(granted).toMatchObject({ accessToken: 'opaque-2', refreshToken: 'refresh-2', notes: [] })
    expect(granted.claims).toBe(current.claims)
    expect(granted.memory).toBe(current.memory)
  })

  it('refresh-without-id-token: null is none', async () => {
    const { current, granted } = await refresh({ id_token: null })
    expect(granted.claims).toBe(current.claims)
  })

  it('refresh-without-new-refresh-token', async () => {
    expect((await refresh({})).granted.refreshToken).toBe('refresh-1')
    expect((await refresh({ refresh_token: null })).granted.refreshToken).toBe('refresh-1')
  })

  it('with an equal user: the same object, the newest ID token kept', async () => {
    const id_token = idToken({ nonce: undefined, iat: NOW + 10 })
    const { current, granted } = await refresh({ id_token })
    expect(granted.claims).toBe(current.claims)
    expect(granted.memory).toMatchObject({
      idToken: id_token,
      nonce: NONCE,
      document: JSON.stringify(METADATA),
    })
  })

  it('with a changed user: the new one', async () => {
    const { granted } = await refresh({ id_token: idToken({ nonce: undefined, sid: 's-2' }) })
    expect(granted.claims).toMatchObject({ userId: 'u-1', sessionId: 's-2' })
  })

  it('refresh-with-original-nonce', async () => {
    expect((await refresh({ id_token: idToken() })).granted.claims.userId).toBe('u-1')
  })

  it.each([
    ['refresh-other-sub', { sub: 'u-2' }, 'identity-changed'],
    ['refresh-other-iss', { iss: 'https://evil.example.com' }, 'invalid-id-token'],
    ['refresh-other-aud', { aud: 'other' }, 'invalid-id-token'],
    ['refresh-other-nonce', { nonce: 'x'.repeat(32) }, 'invalid-id-token'],
    ['refresh-azp-wrong', { azp: 'other' }, 'invalid-id-token'],
    ['refresh-without-sub', { sub: undefined }, 'invalid-id-token'],
    ['refresh-exp-before-iat', { exp: NOW - 1 }, 'invalid-id-token'],
    ['refresh-expired', { iat: NOW - 900, exp: NOW - 600 }, 'clock-skew'],
  ])('%s: the old tokens are kept', async (_, claims, code) => {
    expect(await codeOf(() => refresh({ id_token: idToken(claims) }))).toBe(code)
  })

  it('refresh-azp-gone', async () => {
    const before = { id_token: idToken({ azp: 'admin' }) }
    expect(await codeOf(() => refresh({ id_token: idToken({ nonce: undefined }) }, { before }))).toBe(
      'invalid-id-token',
    )
  })

  it('id-token-nonce-present-though-none-sent', async () => {
    const { memory, ...current } = await signIn()
    const { nonce: _, ...withoutNonce } = memory
    const on = tokens()
    const renew = (claims: Record<string, unknown>) =>
      on.readTokens(answer({ id_token: idToken(claims) }), {
        current: { ...current, memory: withoutNonce },
        time: DEVICE,
        subtle: CRYPTO.subtle,
      })
    expect(await codeOf(() => renew({}))).toBe('invalid-id-token')
    expect((await renew({ nonce: undefined })).claims.userId).toBe('u-1')
  })

  it('an ID token that comes once more is taken, however old, while it lives', async () => {
    const old = { id_token: idToken({ iat: NOW - 500, exp: NOW + 4000 }) }
    const time = { nowMs: (NOW + 3000) * 1000, source: 'device' as const }
    const { granted } = await refresh(old, { before: old, time })
    expect(granted.notes).toEqual([])
  })

  it('refresh-auth-time-changed (B2C)', async () => {
    const before = { id_token: idToken({ auth_time: NOW }) }
    const { granted } = await refresh({ id_token: idToken({ auth_time: NOW + 5 }) }, { before })
    expect(granted.notes).toEqual(['A refresh changed auth_time.'])
  })

  it('says nothing of scopes again', async () => {
    expect((await refresh({ scope: 'openid' })).granted.notes).toEqual([])
  })

  it.each([
    ['token_type', { token_type: 'mac' }],
    ['access_token', { access_token: '' }],
    ['refresh_token', { refresh_token: 7 }],
  ])('is read as strictly as the first: %s', async (_, members) => {
    expect(await codeOf(() => refresh(members))).toBe('unexpected-answer')
  })
})

describe('who it is', () => {
  const claimsOf = async (idClaims: Record<string, unknown>, options = {}, members = {}) =>
    (await signIn({ id_token: idToken(idClaims), ...members }, { on: tokens(options) })).claims

  it('by default: sub, sid, act.sub', async () => {
    expect(await claimsOf({ sid: 's-1', act: { sub: 'admin-7' } })).toEqual({
      userId: 'u-1',
      sessionId: 's-1',
      impersonatorId: 'admin-7',
      firmId: undefined,
      aud: 'admin',
    })
  })

  it('act-claim-shows-impersonation', async () => {
    expect((await claimsOf({ act: { sub: 'admin-7' } })).impersonatorId).toBe('admin-7')
    for (const act of [undefined, null, 'admin-7', [], {}, { sub: null }, { sub: '' }])
      expect((await claimsOf({ act })).impersonatorId).toBeUndefined()
  })

  it('a mapping that says 0, false or null of an impersonator says that there is none', async () => {
    for (const impersonatorId of [0, false, null, undefined]) {
      const claims = ({ sub }: Record<string, unknown>) => ({ userId: String(sub), impersonatorId })
      expect((await claimsOf({}, { claims })).impersonatorId).toBeUndefined()
    }
  })

  it('is frozen', async () => {
    expect(Object.isFrozen(await claimsOf({}))).toBe(true)
  })

  it('as the app maps it, with what it adds', async () => {
    const claims = (id: Record<string, unknown>, access: Record<string, unknown> | undefined) => ({
      userId: id['oid'] as string,
      firmId: id['tid'] as string,
      roles: (access?.['realm_access'] as { roles: string[] } | undefined)?.roles,
    })
    const access_token = jwt({ realm_access: { roles: ['admin'] } })
    expect(await claimsOf({ oid: 'o-1', tid: 't-1' }, { claims }, { access_token })).toEqual({
      userId: 'o-1',
      firmId: 't-1',
      sessionId: undefined,
      impersonatorId: undefined,
      roles: ['admin'],
      aud: 'admin',
    })
  })

  it.each(['undefined', 'null', 'NaN', '[object Object]', '', ' '])(
    'a mapping that makes the text %j of a claim that is missing is refused, and says which member',
    async (text) => {
      for (const name of ['userId', 'firmId', 'sessionId', 'impersonatorId']) {
        const signingIn = claimsOf(
          {},
          { claims: ({ sub }: Record<string, unknown>) => ({ userId: String(sub), [name]: text }) },
        )
        await expect(signingIn).rejects.toMatchObject({
          code: 'invalid-claims',
          message: expect.stringMatching(
            new RegExp(`^claims: ${name} is .*Return undefined where there is none`),
          ),
        })
      }
    },
  )

  it('a mapping that does not speak of impersonation cannot hide it', async () => {
    const claims = ({ sub }: Record<string, unknown>) => ({ userId: String(sub) })
    expect((await claimsOf({ act: { sub: 'admin-7' } }, { claims })).impersonatorId).toBe('admin-7')
    expect((await claimsOf({}, { claims })).impersonatorId).toBeUndefined()
    const own = () => ({ userId: 'u', impersonatorId: undefined })
    expect((await claimsOf({ act: { sub: 'admin-7' } }, { claims: own })).impersonatorId).toBeUndefined()
  })

  it('an opaque access token has no claims', async () => {
    const seen: unknown[] = []
    const claims = (id: Record<string, unknown>, access: unknown) => {
      seen.push(access)
      return { userId: String(id['sub']) }
    }
    await claimsOf({}, { claims })
    await claimsOf({}, { claims }, { access_token: 'a.b.c' })
    await claimsOf({}, { claims }, { access_token: jwt(null) })
    expect(seen).toEqual([undefined, undefined, undefined])
  })

  it.each([
    ['throws', throwing(new Error('No role for this user')), 'No role for this user'],
    ['throws something else', throwing('no'), 'claims'],
    ['returns nothing', () => undefined, 'userId'],
    ['forgets the user', () => ({ firmId: 'f' }), 'userId'],
    ['names an object', () => ({ userId: {} }), 'userId'],
    ['names a rounded number', () => ({ userId: 2 ** 60 }), 'userId'],
    ['names half of a character', () => ({ userId: '\udc00' }), 'userId'],
    ['names a wrong firm', () => ({ userId: 'u', firmId: [] }), 'firmId'],
    ['names a wrong session', () => ({ userId: 'u', sessionId: {} }), 'sessionId'],
    ['names a wrong impersonator', () => ({ userId: 'u', impersonatorId: 0.5 }), 'impersonatorId'],
  ])('claims-schema-fails: a function that %s refuses the sign-in', async (_, claims, named) => {
    const error = await faultOf(() => claimsOf({}, { claims: claims as never }))
    expect(error.code).toBe('invalid-claims')
    expect(error.message).toContain(named)
    expect(error.remedy).toContain('claims')
  })

  it('claims-schema-fails: at a refresh the session is not lost', async () => {
    let isBroken = false
    const on = tokens({
      claims: ({ sub }) => {
        if (isBroken) throw new Error('The schema has changed')
        return { userId: String(sub) }
      },
    })
    const current = await signIn({}, { on })
    isBroken = true
    const granted = await on.readTokens(answer({ access_token: 'opaque-2', refresh_token: 'refresh-2' }), {
      current,
      time: DEVICE,
      subtle: CRYPTO.subtle,
    })
    expect(granted.claims).toBe(current.claims)
    expect(granted).toMatchObject({ accessToken: 'opaque-2', refreshToken: 'refresh-2' })
    expect(granted.notes).toHaveLength(1)
    expect(granted.notes[0]).toMatch(/^claims: /)
  })

  it('claims-equal-after-refresh', async () => {
    const claims = ({ sub }: Record<string, unknown>) => ({ userId: String(sub), roles: ['a', 'b'] })
    const { current, granted } = await refresh({ id_token: idToken() }, { on: tokens({ claims }) })
    expect(granted.claims).toBe(current.claims)
  })
})

describe('what another tab hands over', () => {
  const on = tokens()
  const handed = async () => {
    const { accessToken, refreshToken, memory } = await signIn()
    return JSON.parse(JSON.stringify({ accessToken, refreshToken, memory })) as Record<string, unknown>
  }

  it('is the same session', async () => {
    const { accessToken, refreshToken, claims, memory } = await signIn()
    expect(on.restore(await handed())).toEqual({ accessToken, refreshToken, claims, memory })
  })

  it('can be renewed here', async () => {
    const current = on.restore(await handed())
    expect(on.refreshRequest(current)?.secrets).toEqual(['refresh-1'])
    const granted = await on.readTokens(answer(), { current, time: DEVICE, subtle: CRYPTO.subtle })
    expect(granted.claims).toBe(current.claims)
  })

  it('may have no refresh token', async () => {
    expect(on.restore({ ...(await handed()), refreshToken: undefined }).refreshToken).toBeUndefined()
  })

  it.each([
    ['nothing', undefined],
    ['a text', 'opaque-access'],
    ['no access token', { accessToken: undefined }],
    ['an empty access token', { accessToken: '' }],
    ['no memory', { memory: undefined }],
    ['a memory without an ID token', { memory: { nonce: NONCE } }],
    ['an ID token that is none', { memory: { idToken: 'x' } }],
    ['an ID token of another client', { memory: { idToken: jwt({ ...CLAIMS, aud: 'other' }) } }],
    ['a nonce of another type', { memory: { idToken: idToken(), nonce: 7 } }],
    ['a refresh token of another type', { refreshToken: {} }],
  ])('is refused when it is %s', async (_, change) => {
    const whole = await handed()
    const wrong = typeof change === 'object' ? { ...whole, ...change } : change
    expect(await codeOf(() => on.restore(wrong))).toMatch(/^(unexpected-answer|invalid-(id-token|claims))$/)
  })
})

it('two profiles in one app share nothing', async () => {
  const other = tokens({ issuer: 'https://other.example.com' })
  expect(await codeOf(() => signIn({}, { on: other }))).toBe('invalid-id-token')
  expect((await signIn()).claims.userId).toBe('u-1')
  expect(oidcProfile({ issuer: ISSUER }).id).not.toBe('https://other.example.com')
})
