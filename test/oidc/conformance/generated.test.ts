// Whatever a provider, a proxy or a stranger sends: it is taken by the rules, or refused with an error of ours, and no secret gets out.

// @module-tag generated

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import { given } from '../../../src/base/json.ts'
import { oidcProfile } from '../../../src/protocol/servers/openIdConnect.ts'
import { checkGenerated, longer } from '../../generated.ts'
import {
  answerError,
  explained,
  answer,
  APP,
  ATTEMPT,
  CLAIMS,
  CRYPTO,
  ISSUER,
  jwt,
  METADATA,
  NONCE,
  NOW,
  NOW_MS,
  server,
  tokens,
  signIn,
  STATE,
} from '../scene.ts'

/** A busy machine is not a fault. */
const LIMIT_MS = 120_000 * longer
const on = tokens()
const { readMetadata } = oidcProfile({ issuer: ISSUER })
const { readSilentAnswer } = server()
const ODD = fc.oneof(
  fc.constantFrom(undefined, null, '', '0', ' ', '__proto__', 0, -1, 1e300, true, false, Number.NaN),
  fc.string({ maxLength: 20, unit: 'binary' }),
  fc.jsonValue({ maxDepth: 2 }),
)
/** The right object with some members changed, some taken away, some added. */
const nearly = (right: Record<string, unknown>, likely: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(right).map(([name, value]) => [
          name,
          fc.oneof(
            { weight: 6, arbitrary: fc.constant(value) },
            { weight: 1, arbitrary: likely[name] ?? ODD },
            { weight: 1, arbitrary: ODD },
          ),
        ]),
      ),
      { requiredKeys: [] },
    )
    .chain((some) =>
      fc.tuple(fc.constant(some), fc.dictionary(fc.string({ maxLength: 8 }), ODD, { maxKeys: 2 })),
    )
    .map(([some, more]): Record<string, unknown> => ({ ...more, ...some }))
const URLS = fc.oneof(
  fc.webUrl({ validSchemes: ['https', 'http', 'ftp'], withFragments: true, withQueryParameters: true }),
  fc.constantFrom('http://localhost:1/x', 'https://[::1]/x', 'javascript:alert(1)', '//x', 'https://a@b/'),
)

/** Only ours, with a cause and a remedy. */
async function outcome<Result>(work: () => Result | Promise<Result>): Promise<Result | AuthError> {
  try {
    return await work()
  } catch (error) {
    expect(error).toBeInstanceOf(AuthError)
    expect(explained(error).remedy).toBeTruthy()
    expect((error as AuthError).code).not.toBe('internal')
    return error as AuthError
  }
}

describe('metadata', () => {
  it(
    'gives safe endpoints of the one issuer, or a reason',
    async () => {
      const documents = fc.oneof(
        {
          weight: 8,
          arbitrary: nearly(METADATA, {
            token_endpoint: URLS,
            end_session_endpoint: URLS,
            authorization_endpoint: URLS,
          }),
        },
        { weight: 1, arbitrary: ODD },
      )
      await checkGenerated(
        'metadata',
        fc.asyncProperty(documents, async (document) => {
          const found = await outcome(() => readMetadata(document))
          if (found instanceof AuthError) return
          expect(found.issuer).toBe(ISSUER)
          for (const [name, value] of Object.entries(found)) {
            if (!name.endsWith('_endpoint')) continue
            expect(String(value)).toMatch(/^https:\/\/|^http:\/\/(localhost|127\.|\[::1\])/)
            expect(new URL(String(value)).username).toBe('')
          }
          // What was kept is taken again, and is the same.
          const kept: unknown = JSON.parse(JSON.stringify(found))
          expect(readMetadata(kept)).toEqual(kept)
        }),
      )
    },
    LIMIT_MS,
  )
})

describe('ID tokens', () => {
  const claims = nearly(
    { ...CLAIMS, azp: 'admin', sid: 's-1', auth_time: NOW, at_hash: undefined },
    {
      aud: fc.oneof(fc.array(fc.constantFrom('admin', 'api')), fc.constant('api')),
      exp: fc.integer({ min: NOW - 200_000, max: NOW + 200_000 }),
      iat: fc.integer({ min: NOW - 200_000, max: NOW + 200_000 }),
    },
  )
  const header = nearly(
    { alg: 'RS256', typ: 'JWT' },
    { alg: fc.constantFrom('none', 'HS256', 'ES256', 'PS512') },
  )

  it(
    'let nobody in who is not named by this issuer, for this client, in this sign-in',
    async () => {
      await checkGenerated(
        'ID tokens',
        fc.asyncProperty(
          claims,
          header,
          fc.constantFrom('device', 'origin', 'none'),
          async (body, head, source) => {
            const found = await outcome(() =>
              signIn({ id_token: jwt(body, head) }, { on, time: { nowMs: NOW_MS, source } }),
            )
            if (found instanceof AuthError) {
              expect(['invalid-id-token', 'invalid-claims', 'clock-skew']).toContain(found.code)
              expect(JSON.stringify(found)).not.toContain(NONCE)
              return
            }
            // As the token says it: JSON has no NaN.
            const sent = JSON.parse(JSON.stringify(body)) as Record<string, number & string>
            const { iss, nonce, aud, azp, exp, iat, sub } = sent
            expect([iss, nonce, sub]).toEqual([ISSUER, NONCE, found.claims.userId])
            const audiences = [aud].flat()
            expect(audiences).toContain('admin')
            const isForUsAlone = audiences.every((audience) => audience === 'admin')
            if (!isForUsAlone || given(azp) !== undefined) expect(azp).toBe('admin')
            const hours = source === 'none' ? 26 : 1 / 6
            expect(exp).toBeGreaterThan(iat!)
            expect(Math.abs(iat! - NOW)).toBeLessThanOrEqual(hours * 3600)
            expect(['RS256', 'ES256', 'EdDSA']).toContain((head as { alg: string }).alg)
          },
        ),
      )
    },
    LIMIT_MS,
  )

  it(
    'of any text are refused',
    async () => {
      const texts = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(fc.base64String(), { maxLength: 6 }).map((parts) => parts.join('.')),
        ODD,
      )
      await checkGenerated(
        'ID tokens of any text',
        fc.asyncProperty(texts, async (id_token) => {
          expect(await outcome(() => signIn({ id_token }, { on }))).toMatchObject({
            code: 'invalid-id-token',
          })
        }),
      )
    },
    LIMIT_MS,
  )
})

describe('token responses', () => {
  const responses = fc.oneof(
    { weight: 8, arbitrary: nearly(answer({ scope: 'openid' })) },
    { weight: 1, arbitrary: ODD },
  )

  it(
    'give a bearer token with a planned life, or a reason without a secret',
    async () => {
      await checkGenerated(
        'token responses',
        fc.asyncProperty(responses, fc.boolean(), async (response, isRefresh) => {
          const current = await signIn({}, { on })
          const context = { time: { nowMs: NOW_MS, source: 'device' as const }, subtle: CRYPTO.subtle }
          const found = await outcome(() =>
            on.readTokens(
              response,
              isRefresh ? { ...context, current } : { ...context, attempt: ATTEMPT, isSilent: false },
            ),
          )
          if (found instanceof AuthError) {
            expect(`${JSON.stringify(found)}${String(found.stack)}`).not.toMatch(
              /opaque-access|refresh-1|eyJ/,
            )
            return
          }
          const { token_type, access_token } = response as Record<string, string>
          expect(String(token_type).toLowerCase()).toBe('bearer')
          expect(found.accessToken).toBe(access_token)
          expect(found.claims.userId).toBe('u-1')
          const { expiresInSeconds = 0 } = found
          expect(expiresInSeconds >= 0 && expiresInSeconds <= 31_536_000).toBe(true)
          if (isRefresh) expect(found.refreshToken).toBeTruthy()
          // A tab that takes it over sees the same user.
          const { accessToken, refreshToken, memory } = found
          const handed: unknown = JSON.parse(JSON.stringify({ accessToken, refreshToken, memory }))
          expect(on.restore(handed).claims).toEqual(found.claims)
        }),
      )
    },
    LIMIT_MS,
  )
})

describe('silent responses', () => {
  const names = fc.constantFrom(
    'state',
    'code',
    'error',
    'iss',
    'error_description',
    'id_token',
    'response',
    'x',
  )
  const values = fc.oneof(
    fc.constantFrom(STATE, ISSUER, 'c-1', 'login_required', 'access_denied', ''),
    fc.string({ maxLength: 12, unit: 'binary' }),
  )
  const query = fc.array(fc.tuple(names, values), { maxLength: 6 }).map((pairs) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of pairs) parameters.append(name, value.toWellFormed())
    return parameters.toString()
  })
  const found = fc.oneof(
    fc.tuple(query, query, fc.boolean()).map(([search, hash, isOurs]) => {
      const ours = isOurs ? `state=${STATE}&` : ''
      return `${APP}silent.html?${ours}${search}#${hash}`
    }),
    fc.record(
      {
        type: fc.constantFrom('authorization_response', 'other'),
        response: nearly({ state: STATE, code: 'c-1', iss: ISSUER }),
      },
      { requiredKeys: [] },
    ),
    ODD,
  )

  it(
    'bring a code of this very check, or none',
    async () => {
      await checkGenerated(
        'silent responses',
        fc.property(found, (what) => {
          const read = readSilentAnswer(what, STATE)
          if (!read) return
          expect(read.state).toBe(STATE)
          const error = answerError(read, { isSilent: true })
          if (error) {
            expect(explained(error).remedy).toBeTruthy()
            return
          }
          expect(read.code).toBeTruthy()
          expect(read.iss ?? ISSUER).toBe(ISSUER)
          expect(read.error).toBeUndefined()
          if (typeof what !== 'string') return
          // The part that the code stands in brings nothing of another flow.
          const parts = [new URL(what).search, new URL(what).hash].map(
            (part) => new URLSearchParams(part.slice(1)),
          )
          const part = parts.find((candidate) => candidate.getAll('state').join() === STATE)
          expect(part?.has('id_token')).toBe(false)
        }),
      )
    },
    LIMIT_MS,
  )
})
