// The edges of what the protocol reads and writes: each is one that a small mistake in the code would move (found by npm run test:mutation).
import { describe, expect, it } from 'vitest'
import {
  DEFAULT_RETRY_AFTER_MS,
  LARGEST_ADDRESS_TOKEN_LENGTH,
  LARGEST_RETRY_AFTER_MS,
  LARGEST_TOKEN_LENGTH,
} from '../../../src/constants.ts'
import { AuthError } from '../../../src/errors.ts'
import { isTokenShaped } from '../../../src/protocol/address.ts'
import { assertWritten } from '../../../src/protocol/answers.ts'
import { decodeAccessToken } from '../../../src/protocol/claims.ts'
import { parseClash, shortAgentName } from '../../../src/protocol/clash.ts'
import { type AuthConfig, parseConfig } from '../../../src/protocol/config.ts'
import { cloudAccessTokenPath } from '../../../src/protocol/endpoints.ts'
import { checkFirmUpdate } from '../../../src/protocol/firm.ts'
import { sameId } from '../../../src/protocol/identity.ts'
import { applyLinkMap, type LinkMap, readLinkMap } from '../../../src/protocol/linkMap.ts'
import { textOf } from '../../../src/protocol/messages.ts'
import { parseOrigin } from '../../../src/protocol/origin.ts'
import { sameOriginPath } from '../../../src/protocol/sameOriginPath.ts'
import { checkDomain } from '../../../src/protocol/domain.ts'
import {
  channelNames,
  makeAnnouncementBody,
  newer,
  parseAnnouncement,
  parsePresenceId,
} from '../../../src/protocol/presence.ts'
import { redact } from '../../../src/protocol/redaction.ts'
import { readRefusal } from '../../../src/protocol/refusal.ts'
import { Secret } from '../../../src/protocol/secret.ts'
import { asAuthError, isNoSession, readAnswer, readFrameAnswer } from '../../../src/protocol/signIn.ts'
import { checkSupportRequest, readSupportAccess } from '../../../src/protocol/support.ts'
import { parseTokens } from '../../../src/protocol/tokens.ts'
import { userText } from '../../../src/protocol/userText.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeClock.ts'
import {
  createAccessToken,
  createClaims,
  createJwt,
  createTokenResponse,
} from '../../../src/testing/tokens.ts'

const errorOf = (work: () => unknown): AuthError => {
  try {
    work()
  } catch (error) {
    if (error instanceof AuthError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
const told = (work: () => unknown) => {
  const { code, message, remedy } = errorOf(work)
  return [code, message, remedy]
}

describe('an access token', () => {
  const ofLength = (length: number) => {
    const without = createAccessToken({ filler: '' }).length
    // Base64 writes three bytes as four characters.
    for (let size = Math.floor(((length - without) * 3) / 4) - 4; ; size += 1) {
      const token = createAccessToken({ filler: 'x'.repeat(size) })
      if (token.length >= length) return token
    }
  }

  it('is read at its largest and refused right above, though it could be read', () => {
    const token = ofLength(LARGEST_TOKEN_LENGTH - 3)
    const signature = 'x'.repeat(LARGEST_TOKEN_LENGTH - token.length)
    expect(decodeAccessToken(token + signature).claims.userId).toBe('alice')
    expect(told(() => decodeAccessToken(`${token}${signature}x`))[0]).toBe('invalid-access-token')
  })

  const lifeOf = (claims: object) =>
    decodeAccessToken(createJwt({ ...createClaims(), ...claims })).lifetimeInSeconds
  it.each<[string, object, number | undefined]>([
    ['exp after iat', { iat: 100, exp: 160 }, 60],
    ['exp at iat', { iat: 100, exp: 100 }, undefined],
    ['exp before iat', { iat: 100, exp: 40 }, undefined],
    ['no iat', { iat: undefined, exp: 160 }, undefined],
    ['no exp', { iat: 100, exp: undefined }, undefined],
    ['both as texts', { iat: '100', exp: '160' }, 60],
    ['an empty text', { iat: '', exp: 160 }, undefined],
    ['a text of spaces', { iat: '  ', exp: 160 }, undefined],
    ['a text that is no number', { iat: 'soon', exp: 160 }, undefined],
    ['both null', { iat: null, exp: null }, undefined],
  ])('with %s has the life that follows', (_what, claims, life) => {
    expect(lifeOf(claims)).toBe(life)
  })

  it.each<[string, object, number | undefined]>([
    ['auth_time', { auth_time: 50, iat: 100 }, 50_000],
    ['iat, where there is no auth_time', { iat: 100 }, 100_000],
    ['neither', { iat: undefined }, undefined],
  ])('says since when there is a session by %s, in milliseconds', (_what, claims, since) => {
    expect(decodeAccessToken(createJwt({ ...createClaims(), ...claims })).sinceMs).toBe(since)
  })

  it.each<[string, object]>([
    ['exp that is a list', { exp: [160] }],
    ['exp that is true', { exp: true }],
    ['iat that is an object', { iat: {} }],
    ['aud that is a number', { aud: 7 }],
    ['aud with a number in it', { aud: ['admin', 7] }],
    ['jti that is true', { jti: true }],
    ['firmId that is a list', { firmId: [] }],
  ])('with %s is refused', (_what, claims) => {
    expect(told(() => decodeAccessToken(createJwt({ ...createClaims(), ...claims })))[0]).toBe(
      'invalid-access-token',
    )
  })

  it('has no member by a prototype', () => {
    const claims = decodeAccessToken(createJwt({ userId: 'alice' })).claims
    expect(claims).toEqual({ userId: 'alice' })
    expect(claims.firmId).toBeUndefined()
    expect(
      decodeAccessToken(createJwt(JSON.parse('{"userId":"a","__proto__":{"firmId":"f"}}'))).claims.firmId,
    ).toBeUndefined()
  })

  it('in an address is one at its largest, and none right above or in another form', () => {
    const rest = 'a.b.'
    const longest = rest + 'c'.repeat(LARGEST_ADDRESS_TOKEN_LENGTH - rest.length)
    expect(isTokenShaped(longest)).toBe(true)
    expect(isTokenShaped(`${longest}c`)).toBe(false)
    expect(['a.b', 'a.b.c.d', 'a.b.c ', ' a.b.c', 'a..c', 'a.b.c\n'].filter(isTokenShaped)).toEqual([])
  })
})

describe('a token answer', () => {
  it('names its address when it is refused', () => {
    for (const answer of [null, {}]) {
      expect(told(() => parseTokens(answer))).toEqual([
        'unexpected-answer',
        'POST /oauth/token got an unexpected answer',
        'Try again. A proxy or portal may have answered.',
      ])
    }
  })

  it.each([
    ['  ', undefined],
    ['', undefined],
    [' 7 ', 7],
    ['7', 7],
  ])('with the life %j lives for %s seconds', (expires_in, seconds) => {
    expect(parseTokens({ ...createTokenResponse(), expires_in }).expiresInSeconds).toBe(seconds)
  })
})

describe('a config', () => {
  const GOOD = { authHost: 'https://auth.test', clientId: 'admin', scopes: ['openid'] }
  const OWN: readonly [name: string, wrong: unknown, expected: string][] = [
    ['authHost', 'http://auth.test', 'an https origin, or http on loopback'],
    ['clientId', 7, 'a plain text'],
    ['autoLogin', 'yes', 'true or false'],
    ['rememberMe', 1, 'true or false'],
    ['idleTimeoutInMinutes', 0, 'a number above 0'],
    ['iframeTimeoutInSeconds', '60', 'a number above 0'],
    ['hooks', 'afterLogin', 'an object'],
    ['initToken', 5, 'a plain text'],
    ['redirectUri', '/home', 'an https address without a hash'],
    ['audience', ['admin'], 'a plain text'],
    ['redirectionsUrl', 'http://cdn.test/file.json', 'an https address or a path'],
    ['redirectionsUrl', '//cdn.test/file.json', 'an https address or a path'],
    ['redirectionsUrl', 7, 'an https address or a path'],
    ['redirectionsUrl', 'file.json', 'an https address or a path'],
    ['allowedEnvironmentHosts', 'https://auth.test', 'an array of https origins'],
    ['allowedEnvironmentHosts', ['https://auth.test/'], 'an array of https origins'],
    ['apiOrigins', ['http://api.test'], 'an array of https origins'],
    ['realtime', 'pubnub', 'an object'],
    ['realtime', true, 'an object'],
    ['firmChannel', 'firm', 'a function'],
    ['firmChannel', {}, 'a function'],
    ['sessionType', '4', "'1', '2' or '3'"],
    ['messages', 'none', 'texts by name'],
    ['messages', true, 'texts by name'],
    ['messages', { signIn: 7 }, 'texts by name'],
    ['messages', { signIn: 'Anmelden', signedOut: [] }, 'texts by name'],
  ]

  it.each(OWN)('with a wrong %s, %j, says what it expects', (name, wrong, expected) => {
    const [code, message, remedy] = told(() => parseConfig({ ...GOOD, [name]: wrong }))
    expect([code, message]).toEqual(['invalid-config', `Invalid config parameter : ${name}`])
    expect(remedy).toContain(expected)
  })

  it('takes each of them right', () => {
    const settings = parseConfig({
      ...GOOD,
      scopes: ['openid', 'profile', 'openid'],
      redirectionsUrl: '/redirections.json',
      allowedEnvironmentHosts: ['https://us-auth.test'],
      firmChannel: (firm) => `tenant_${firm}`,
      messages: { signIn: 'Anmelden', signedOut: () => 'Abgemeldet', signInHere: undefined },
      idleTimeoutInMinutes: 0.001,
      hooks: { afterLogin: undefined } as never,
    })
    expect(settings).toMatchObject({
      scopes: ['openid', 'profile'],
      redirectionsUrl: '/redirections.json',
      allowedEnvironmentHosts: ['https://us-auth.test'],
      messages: { signIn: 'Anmelden' },
      idleTimeoutInMinutes: 0.001,
      hooks: {},
    })
    expect(settings.firmChannel?.('7')).toBe('tenant_7')
    expect(parseConfig({ ...GOOD, redirectionsUrl: 'https://cdn.test/r.json' }).redirectionsUrl).toBe(
      'https://cdn.test/r.json',
    )
  })
})

describe('a refusal of a server', () => {
  const waitOf = (status: number, retryAfter: string | null) =>
    readRefusal({ status, text: '', secrets: [], retryAfter }, FAKE_START_MS).retryAfterMs
  const inSeconds = (seconds: number) => new Date(FAKE_START_MS + seconds * 1000).toUTCString()

  it.each<[number, string | null, number | undefined]>([
    [429, null, DEFAULT_RETRY_AFTER_MS],
    [503, null, undefined],
    [500, null, undefined],
    [503, '7', 7000],
    [429, '0', 0],
    [429, '-1', DEFAULT_RETRY_AFTER_MS],
    [429, 'soon', DEFAULT_RETRY_AFTER_MS],
    [429, '86400', LARGEST_RETRY_AFTER_MS],
    [429, inSeconds(9), 9000],
    [429, inSeconds(-9), DEFAULT_RETRY_AFTER_MS],
    [503, inSeconds(9), 9000],
  ])('%i with Retry-After %j: left alone for %s ms', (status, retryAfter, waitMs) => {
    expect(waitOf(status, retryAfter)).toBe(waitMs)
  })
})

describe('what a server repeats', () => {
  const nested = (depth: number, inside: unknown): unknown =>
    depth === 0 ? inside : { in: nested(depth - 1, inside) }
  const lists = (depth: number, inside: unknown): unknown =>
    depth === 0 ? inside : [lists(depth - 1, inside)]

  it.each([
    ['objects', nested],
    ['lists', lists],
  ] as const)('is kept to 32 levels of %s, and given up below', (_what, wrap) => {
    expect(JSON.stringify(redact(wrap(32, { note: 'kept' })))).toContain('kept')
    expect(JSON.stringify(redact(wrap(33, { note: 'kept' })))).not.toContain('kept')
    expect(JSON.stringify(redact(wrap(33, { note: 'kept' })))).toContain('[redacted]')
    expect(JSON.stringify(redact(wrap(32, { note: 'kept' }), ['secret']))).toContain('kept')
    expect(JSON.stringify(redact(wrap(33, { note: 'kept' }), ['secret']))).not.toContain('kept')
  })

  it('loses a secret of four letters, and keeps one of three, which stands in half the words', () => {
    expect(redact('a code abcd here', ['abcd'])).toBe('a code [redacted] here')
    expect(redact('a code abc here', ['abc'])).toBe('a code abc here')
    expect(redact({ abcd: ['abcd', 7, null] }, ['abcd'])).toEqual({
      '[redacted]': ['[redacted]', 7, null],
    })
  })

  it('loses what a server hands out anew, in capitals and in broken JSON too', () => {
    const opaque = 'Zm9yLW5vYm9keQ_0123'
    expect(redact({ ACCESS_TOKEN: opaque, note: opaque.slice(0, 15), nonce: null })).toEqual({
      ACCESS_TOKEN: '[redacted]',
      note: opaque.slice(0, 15),
      nonce: null,
    })
    expect(redact(`{"Refresh_Token" : "${opaque}", "note": "kept", "jti":"${opaque}`)).toBe(
      '{"Refresh_Token" : "[redacted]", "note": "kept", "jti":"[redacted]',
    )
    expect(redact('a eyJhbGciOi.eyJzdWIi.c2ln b')).toBe('a [redacted] b')
  })

  it.each(['<p>no', ' {"error":1}', '["no"]', '"no"'])('%j after a write is no success', (answer) => {
    expect(told(() => assertWritten('PUT /x', answer))).toEqual([
      'unexpected-answer',
      'PUT /x got an unexpected answer',
      'Try again. A proxy or portal may have answered.',
    ])
  })

  it.each(['', 'OK', null, undefined, 7, {}, []])('%j after a write is one', (answer) => {
    expect(() => assertWritten('PUT /x', answer)).not.toThrow()
  })
})

describe('support access', () => {
  it('asks for what is missing, in plain words', () => {
    expect(told(() => checkSupportRequest({ requestCode: ' ', duration: 5 }))).toEqual([
      'invalid-argument',
      'requestCode is required',
      'Ask the supporter for the code.',
    ])
    expect(told(() => checkSupportRequest({ requestCode: 'x', duration: 0 }))).toEqual([
      'invalid-argument',
      'duration must be whole minutes from 1 to 1440',
      'Choose a shorter or longer time.',
    ])
  })

  it('reveals a hidden code to the request alone', () => {
    expect(checkSupportRequest({ requestCode: new Secret('CODE'), duration: 5 })).toEqual({
      requestCode: 'CODE',
      duration: 5,
    })
  })

  it.each<[string, unknown, number]>([
    ['a date', { endsAt: '2026-01-02T03:04:05Z' }, Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['no date', {}, 301_000],
    ['a text that is none', { endsAt: 'soon' }, 301_000],
    ['a number', { endsAt: 7 }, 301_000],
    ['nothing at all', null, 301_000],
    ['a list', ['2026-01-02'], 301_000],
  ])('that answers with %s ends when it says', (_what, answer, endsAtMs) => {
    expect(readSupportAccess(answer, { requestCode: 'CODE-1', duration: 5, nowMs: 1000 }).endsAtMs).toBe(
      endsAtMs,
    )
  })

  it('answered by a page is no access', () => {
    expect(
      told(() => readSupportAccess('<h1>portal', { requestCode: 'CODE-1', duration: 5, nowMs: 0 }))[1],
    ).toBe('POST /support/authorization got an unexpected answer')
  })
})

describe('a firm, an id, a domain', () => {
  it.each([undefined, null, '', '  ', {}, [], true, Number.NaN, Number.POSITIVE_INFINITY])(
    'the cloud provider %j is none',
    (cloudProviderId) => {
      expect(
        errorOf(() => checkFirmUpdate({ id: 'f1', cloudProviderId: cloudProviderId as string })).code,
      ).toBe('cloud-provider-id-required')
    },
  )
  it.each(['x', 0, 7])('the cloud provider %j is one', (cloudProviderId) => {
    expect(checkFirmUpdate({ id: 'f1', cloudProviderId })).toEqual({ id: 'f1', cloudProviderId })
  })

  it('an id that cannot stand in an address is named with what to do', () => {
    const [code, message, remedy] = told(() => cloudAccessTokenPath('..'))
    expect([code, message, remedy]).toEqual([
      'invalid-argument',
      expect.stringMatching(/ cannot stand in an address$/),
      expect.stringMatching(/^Pass the .+ as the server gave it\.$/),
    ])
    for (const id of [Number.NaN, Number.POSITIVE_INFINITY, {}, true] as never[])
      expect(told(() => cloudAccessTokenPath(id))[0]).toBe('invalid-argument')
  })

  it('a domain that is none is named with an example', () => {
    expect(told(() => checkDomain('a b'))).toEqual([
      'invalid-argument',
      'domain is not a domain name',
      'Pass a name like firm.example.',
    ])
    expect(checkDomain('a'.repeat(253))).toHaveLength(253)
    expect(() => checkDomain('a'.repeat(254))).toThrow('domain is not a domain name')
  })
})

describe('origins and ids', () => {
  it.each(['ws://localhost', 'ftp://127.0.0.1', 'ftp://localhost:21', 'wss://auth.test', 'http://auth.test'])(
    '%s is no origin of ours, on this machine either',
    (origin) => {
      expect(parseOrigin(origin)).toBeUndefined()
    },
  )
  it.each(['https://auth.test', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080'])(
    '%s is one',
    (origin) => {
      expect(parseOrigin(origin)).toBe(origin)
    },
  )
  it('what is no text is no address', () => {
    for (const value of [7, null, undefined, {}, ['/a'], new URL('https://app.test/a')])
      expect(sameOriginPath(value, 'https://app.test/')).toBeUndefined()
  })
  it('an id that is written like nothing is not nothing', () => {
    expect([sameId('undefined', undefined), sameId(undefined, 'undefined'), sameId(7, '7')]).toEqual([
      false,
      false,
      true,
    ])
  })
})

describe('a link map', () => {
  const alice = { internalUser: 'alice', externalUser: { id: 'c1' } }
  it.each<[string, unknown]>([
    ['one right and one wrong entry', [alice, { internalUser: {}, externalUser: 7 }]],
    ['an entry that is a text', [alice, 'bob']],
    ['an internal user alone that is none', [{ internalUser: true }]],
    ['a number that JSON does not know', [{ internalUser: Number.NaN, externalUser: null }]],
  ])('with %s is refused by the name of its address', (_what, answer) => {
    expect(told(() => readLinkMap(answer))[1]).toBe('GET /cloudprovider/linkmap got an unexpected answer')
  })

  it('shows who is not in the saved map as not linked: null, not undefined', () => {
    const all = [alice] as LinkMap
    expect(applyLinkMap(all, [])).toEqual([{ internalUser: 'alice', externalUser: null }])
    expect(applyLinkMap(all, [])[0]?.externalUser).toBeNull()
  })
})

describe('presence', () => {
  const agentId = '3f2b8d0c-1111-4222-8333-444455556666'
  const claim = { authHost: 'https://auth.test', clientId: 'app', sessionId: 's1', agentId, since: 5 }

  it('names an impersonator, and nobody where there is none', () => {
    expect(parseAnnouncement({ ...claim, impersonatorId: 9 })?.impersonatorId).toBe('9')
    expect(parseAnnouncement({ ...claim, impersonatorId: '' })?.impersonatorId).toBeUndefined()
    expect(
      makeAnnouncementBody(parseAnnouncement({ ...claim, impersonatorId: '9' })!)['impersonatorId'],
    ).toBe('9')
    expect(makeAnnouncementBody(parseAnnouncement(claim)!)['impersonatorId']).toBeNull()
  })

  it('orders sessions of one instant by their ids, and never a session before itself', () => {
    const [a, b] = [
      { since: 5, sessionId: 'a' },
      { since: 5, sessionId: 'b' },
    ]
    expect([newer(b, a), newer(a, b), newer(a, a)]).toEqual([true, false, false])
  })

  it('takes no name of another presence channel, wherever the ending stands', () => {
    expect(channelNames({ userId: 'u', firmId: 'f', firmChannel: () => 'x-pnpres' })?.firm).toBeUndefined()
    expect(channelNames({ userId: '-pnpres-u', firmId: 'f' })).toMatchObject({ user: 'user_-pnpres-u' })
    expect(channelNames({ userId: 'u', firmId: 'f', firmChannel: () => '-pnpres-f' })?.firm).toBe('-pnpres-f')
  })

  it('reads an identifier of 92 characters', () => {
    const longest = `1:00000000-0000-0000-0000-000000000000:${'a'.repeat(53)}`
    expect(longest).toHaveLength(92)
    expect(parsePresenceId(longest)?.agentId).toHaveLength(53)
    expect(parsePresenceId(`${longest}a`)).toBeUndefined()
  })
})

describe('a clash that was left behind', () => {
  it.each<[unknown, unknown]>([
    [undefined, undefined],
    [null, undefined],
    ['x', undefined],
    [{}, undefined],
    [{ sinceMs: 0 }, undefined],
    [{ sinceMs: -1 }, undefined],
    [{ sinceMs: Number.POSITIVE_INFINITY }, undefined],
    [{ sinceMs: '5' }, undefined],
    [{ agentId: '' }, undefined],
    [{ agentId: 'a'.repeat(65) }, undefined],
    [{ sinceMs: 5 }, { sinceMs: 5 }],
    [{ agentId: 'ab-1', more: 1 }, { agentId: 'ab-1' }],
    [{ sinceMs: 5, agentId: 'a b' }, { sinceMs: 5 }],
  ])('as %j is read as %j', (value, clash) => {
    expect(parseClash(value)).toEqual(clash)
  })

  it('names the browser by four letters', () => {
    expect(shortAgentName('c0ffee-babe')).toBe('c0ff')
  })
})

describe('words of the server and of the app', () => {
  it('an answer without a state is none, and one without an issuer has none', () => {
    expect(readAnswer('https://app.test/?code=c1')).toBeUndefined()
    expect(readAnswer('https://app.test/?code=c1&state=abc123')).toMatchObject({ iss: undefined })
  })

  it('a message of the frame brings its issuer and the words of an error along', () => {
    const response = { state: 'abc123', error: 'x', error_description: 'why', iss: 'https://auth.test' }
    expect(readFrameAnswer({ type: 'authorization_response', response }, 'abc123')).toEqual({
      state: 'abc123',
      code: undefined,
      error: 'x',
      errorDescription: 'why',
      iss: 'https://auth.test',
    })
  })

  it('a code of 4,096 characters is one, and one character more is none', () => {
    const read = (code: string) =>
      readFrameAnswer({ type: 'authorization_response', response: { state: 'abc123', code } }, 'abc123')
    expect(read('c'.repeat(4096))?.code).toHaveLength(4096)
    expect(read('c'.repeat(4097))).toBeUndefined()
  })

  it('an answer without an error says nothing about a session', () => {
    expect(isNoSession({ state: 'abc123', code: 'c1' })).toBe(false)
  })

  it('an error that is not ours becomes one, and ours stays', () => {
    const ours = errorOf(() => parseConfig({} as AuthConfig))
    expect(asAuthError(ours)).toBe(ours)
    const other = asAuthError(new TypeError('x is not a function'))
    expect(other).toBeInstanceOf(AuthError)
    expect(other.code).toBe('internal')
  })

  it('a text is put together from what there is', () => {
    expect(textOf({}, 'waitingToasts', { count: 3 })).toBe('3 more')
    expect(textOf({}, 'waitingToasts', {})).toBe('{count} more')
    expect(textOf({}, 'sessionClash', { time: '10:00' })).toContain('another browser (10:00)')
    expect(textOf({}, 'sessionClash', { browser: 'c0ff', time: '10:00' })).toContain(
      'another browser (c0ff, 10:00)',
    )
    expect(textOf({ signIn: 'Anmelden' }, 'signIn')).toBe('Anmelden')
    expect(textOf({ signIn: (() => 7) as never }, 'signIn')).toBe('Sign in')
    expect(
      textOf(
        {
          signIn: () => {
            throw new Error('no')
          },
        },
        'signIn',
      ),
    ).toBe('Sign in')
  })

  it.each<[Partial<AuthError>, string]>([
    [{ code: 'offline' }, 'errorOffline'],
    [{ code: 'network' }, 'errorNetwork'],
    [{ code: 'timeout' }, 'errorTimeout'],
    [{ code: 'rate-limited' }, 'errorBusy'],
    [{ code: 'not-authenticated' }, 'errorNotSignedIn'],
    [{ code: 'login-required' }, 'errorNotSignedIn'],
    [{ code: 'invalid-grant' }, 'errorNotSignedIn'],
    [{ code: 'popup-blocked' }, 'errorPopupBlocked'],
    [{ code: 'popup-closed' }, 'errorPopupClosed'],
    [{ code: 'popup-timeout' }, 'errorPopupClosed'],
    [{ code: 'storage-unavailable' }, 'errorStorage'],
    [{ code: 'redirect-loop' }, 'errorRedirectLoop'],
    [{ code: 'internal' }, 'errorOther'],
    [{ code: 'unexpected-status', status: 401 }, 'errorNotSignedIn'],
    [{ code: 'unexpected-status', status: 403 }, 'errorForbidden'],
    [{ code: 'unexpected-status', status: 499 }, 'errorOther'],
    [{ code: 'unexpected-status', status: 500 }, 'errorBusy'],
  ])('the error %j is told as %s', (members, name) => {
    const { code = 'internal', status } = members
    const error = new AuthError(code, 'technical words', {
      remedy: 'do',
      ...(status !== undefined && { status }),
    })
    expect(userText(error, (wanted) => wanted)).toBe(name)
  })

  it('any other error is told as that, without its words', () => {
    expect(userText(new Error('https://auth.test/?token=x'), (wanted) => wanted)).toBe('errorOther')
  })
})
