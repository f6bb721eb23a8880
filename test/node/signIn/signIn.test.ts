// The words of a sign-in: what is sent to authorize, whose answer counts, and that everything else in an address stays.

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseConfig, type AuthConfig } from '../../../src/protocol/config.ts'
import { withoutParameters } from '../../../src/protocol/address.ts'
import {
  answerError,
  authorizeUrl,
  isNoSession,
  parseAttempt,
  readAnswer,
  readFrameAnswer,
  asAuthError,
} from '../../../src/protocol/signIn.ts'
import { CONFIG } from '../session/sessionScene.ts'
import { checkGenerated } from '../../generated.ts'
import { AuthError } from '../../../src/base/errors.ts'
import { errorOf } from '../thrownError.ts'

const settings = parseConfig(CONFIG)
const AUTH = 'https://auth.test'
const challenge = { value: 'the-challenge', method: 'S256' } as const
const request = { redirectUri: 'https://app.test/', state: 'abc123', challenge }

describe('the address of authorize', () => {
  it('holds exactly the parameters of the contract', () => {
    const address = new URL(authorizeUrl(settings, request))
    expect(address.origin + address.pathname).toBe('https://auth.test/oauth/authorize')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'admin',
      redirect_uri: 'https://app.test/',
      scope: 'openid,profile',
      state: 'abc123',
      code_challenge: 'the-challenge',
      code_challenge_method: 'S256',
    })
  })

  it('asks the frame for a message and for no screen', () => {
    const { searchParams } = new URL(authorizeUrl(settings, { ...request, isSilent: true }))
    expect(searchParams.get('prompt')).toBe('none')
    expect(searchParams.get('response_mode')).toBe('web_message')
  })

  it('asks the server to remember the user only when the app wants it', () => {
    const remembering = parseConfig({ ...CONFIG, rememberMe: true })
    expect(new URL(authorizeUrl(remembering, request)).searchParams.get('remember_me')).toBe('true')
    expect(new URL(authorizeUrl(settings, request)).searchParams.has('remember_me')).toBe(false)
  })
})

describe('an answer in an address', () => {
  it('is read with its issuer', () => {
    const address = `https://app.test/?code=c1&state=abc123&iss=${encodeURIComponent(AUTH)}`
    expect(readAnswer(address)).toMatchObject({ code: 'c1', state: 'abc123', iss: AUTH })
  })

  it('may be an error', () => {
    const address = 'https://app.test/?error=access_denied&error_description=No+thanks&state=abc123'
    expect(readAnswer(address)).toMatchObject({ error: 'access_denied', errorDescription: 'No thanks' })
  })

  it.each([
    ['no query', 'https://app.test/'],
    ['no state', 'https://app.test/?code=c1'],
    ['an empty state', 'https://app.test/?code=c1&state='],
    ['a state of 5 characters', 'https://app.test/?code=c1&state=abc12'],
    ['a state of 7 characters', 'https://app.test/?code=c1&state=abc1234'],
    ['a state with a dash', 'https://app.test/?code=c1&state=abc-12'],
    ['a state that names a builtin', 'https://app.test/?code=c1&state=__proto__'],
    ['a state that names the constructor', 'https://app.test/?code=c1&state=constructor'],
    ['neither code nor error', 'https://app.test/?state=abc123'],
    ['an empty code', 'https://app.test/?code=&state=abc123'],
    ['an empty error', 'https://app.test/?error=&state=abc123'],
    ['two codes', 'https://app.test/?code=c1&code=c2&state=abc123'],
    ['the same code twice', 'https://app.test/?code=c1&code=c1&state=abc123'],
    ['two states', 'https://app.test/?code=c1&state=abc123&state=abc124'],
    ['two issuers', 'https://app.test/?code=c1&state=abc123&iss=a&iss=b'],
    ['two errors', 'https://app.test/?error=a&error=b&state=abc123'],
    ['the answer in the hash', 'https://app.test/#code=c1&state=abc123'],
    ['the answer in the query of a hash route', 'https://app.test/#/home?code=c1&state=abc123'],
    ['names of other case', 'https://app.test/?Code=c1&State=abc123'],
    ['the answer in the path', 'https://app.test/code=c1&state=abc123'],
  ])('with %s is none of ours', (_what, address) => {
    expect(readAnswer(address)).toBeUndefined()
  })

  it('is found under an encoded name, as servers may write it', () => {
    expect(readAnswer('https://app.test/?c%6Fde=c1&st%61te=abc123')).toMatchObject({
      code: 'c1',
      state: 'abc123',
    })
  })
})

describe('an address without parameters of ours', () => {
  const without = (address: string, names: string[]) =>
    withoutParameters(address, (name) => names.includes(name))
  const own = ['code', 'state', 'iss']
  const piece = fc.stringMatching(/^[A-Za-z0-9%+=._~!$'()*,;:@/?\\-]{0,12}$/)
  const foreign = piece.filter((text) => !own.includes([...new URLSearchParams(`?${text}`).keys()][0] ?? ''))
  const ours = fc
    .tuple(fc.constantFrom(...own), fc.stringMatching(/^[A-Za-z0-9%]{0,8}$/))
    .map(([name, value]) => `${name}=${value}`)
  const hash = fc.option(
    fc.stringMatching(/^[A-Za-z0-9%+=&?#/!.-]{0,20}$/).map((text) => `#${text}`),
    { nil: '' },
  )
  const path = fc.stringMatching(/^(\/[a-z0-9%.~-]{0,5}){1,4}$/)

  it('keeps every other byte: 5,000 generated addresses', { tags: ['generated'] }, async () => {
    await checkGenerated(
      'addresses to clean',
      fc.property(
        path,
        fc.array(fc.tuple(fc.boolean(), ours, foreign), { maxLength: 6 }),
        hash,
        (path, mixed, hash) => {
          const all = mixed.map(([isOurs, our, other]) => (isOurs ? our : other))
          const kept = mixed.filter(([isOurs]) => !isOurs).map(([, , other]) => other)
          const front = `https://app.test${path}`
          const address = `${front}${all.length > 0 ? `?${all.join('&')}` : ''}${hash}`
          const hasOurs = all.length > kept.length
          const cleaned = `${front}${kept.length > 0 ? `?${kept.join('&')}` : ''}${hash}`
          expect(without(address, own)).toBe(hasOurs ? cleaned : address)
        },
      ),
    )
  })

  it.each([
    ['https://app.test/?a=1&code=c&b=2#code=x', 'https://app.test/?a=1&b=2#code=x'],
    ['https://app.test/?code=c', 'https://app.test/'],
    ['https://app.test/?a=%20+%2B&&state=s&=x', 'https://app.test/?a=%20+%2B&&=x'],
    ['https://app.test/?', 'https://app.test/?'],
    ['https://app.test/?codes=1&code[]=2', 'https://app.test/?codes=1&code[]=2'],
    ['https://app.test/#?code=c', 'https://app.test/#?code=c'],
    ['https://app.test/??code=c&code=d', 'https://app.test/??code=c'],
  ])('%s becomes %s', (address, cleaned) => {
    expect(without(address, own)).toBe(cleaned)
  })
})

describe('a message of the frame', () => {
  const message = (response: unknown, type: unknown = 'authorization_response') => ({ type, response })

  it('is read when type, shape and state are right', () => {
    expect(readFrameAnswer(message({ code: 'c1', state: 'abc123', iss: AUTH }), 'abc123')).toMatchObject({
      code: 'c1',
    })
    expect(readFrameAnswer(message({ error: 'login_required', state: 'abc123' }), 'abc123')).toMatchObject({
      error: 'login_required',
    })
  })

  const inherited: unknown = Object.create(message({ code: 'c1', state: 'abc123' }))
  const trap = new Proxy(message({ code: 'c1', state: 'xxxxxx' }), {})
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'authorization_response'],
    ['a number', 5],
    ['an array', [message({ code: 'c1', state: 'abc123' })]],
    ['a function', () => {}],
    ['another type', message({ code: 'c1', state: 'abc123' }, 'other')],
    ['a type that is no text', message({ code: 'c1', state: 'abc123' }, ['authorization_response'])],
    ['no response', { type: 'authorization_response' }],
    ['a response that is null', message(null)],
    ['a response that is a text', message('code=c1&state=abc123')],
    ['another state', message({ code: 'c1', state: 'abc124' })],
    ['no state', message({ code: 'c1' })],
    ['a state that is a list', message({ code: 'c1', state: ['abc123'] })],
    ['neither code nor error', message({ state: 'abc123' })],
    ['an empty code', message({ code: '', state: 'abc123' })],
    ['a code that is an object', message({ code: {}, state: 'abc123' })],
    ['a code of 5,000 characters', message({ code: 'c'.repeat(5000), state: 'abc123' })],
    ['members by the prototype only', inherited],
    ['a response by the prototype only', message(Object.create({ code: 'c1', state: 'abc123' }))],
    ['a proxy with another state', trap],
  ])('%s is no answer', (_what, data) => {
    expect(readFrameAnswer(data, 'abc123')).toBeUndefined()
  })

  it(
    'never throws and is never taken with another state, whatever comes',
    { tags: ['generated'] },
    async () => {
      const responses = fc.record(
        { code: fc.anything(), state: fc.anything(), error: fc.anything(), iss: fc.anything() },
        { requiredKeys: [] },
      )
      const messages = fc.oneof(
        fc.anything(),
        fc.record({
          type: fc.constantFrom('authorization_response', 'x'),
          response: fc.oneof(responses, fc.anything()),
        }),
      )
      await checkGenerated(
        'messages of the frame',
        fc.property(messages, (data) => {
          expect(readFrameAnswer(data, 'abc123')?.state ?? 'abc123').toBe('abc123')
        }),
      )
    },
  )
})

describe('what an answer means', () => {
  const state = 'abc123'
  it('a code of the right issuer, or of none, is no error', () => {
    expect(answerError({ state, code: 'c', iss: AUTH }, AUTH)).toBeUndefined()
    expect(answerError({ state, code: 'c' }, AUTH)).toBeUndefined()
  })

  it.each(['https://evil.test', 'https://auth.test/', 'https://AUTH.test', 'auth.test', ''])(
    'the issuer %s is another one: the whole answer is refused, an error included',
    (iss) => {
      expect(answerError({ state, code: 'c', iss }, AUTH)).toMatchObject({ code: 'issuer-mismatch' })
      expect(answerError({ state, error: 'access_denied', iss }, AUTH)).toMatchObject({
        code: 'issuer-mismatch',
      })
    },
  )

  it('access_denied is a cancelled sign-in', () => {
    expect(answerError({ state, error: 'access_denied' }, AUTH)).toMatchObject({ code: 'access-denied' })
  })

  it.each(['login_required', 'interaction_required', 'consent_required', 'account_selection_required'])(
    '%s means that there is no session',
    (error) => {
      expect(isNoSession({ state, error })).toBe(true)
    },
  )

  it.each(['server_error', 'temporarily_unavailable'])('%s may pass by itself', (error) => {
    expect(isNoSession({ state, error })).toBe(false)
    expect(answerError({ state, error }, AUTH)).toMatchObject({
      code: 'authorization-refused',
      retryable: true,
    })
  })

  it('any other error is told in the words of the server, made fit for a screen', () => {
    const errorDescription = `Wrong\u202e scope\n<b>\u0000${'x'.repeat(1_000_000)}`
    const error = answerError({ state, error: 'invalid_scope', errorDescription }, AUTH)
    expect(error).toMatchObject({ code: 'authorization-refused', retryable: false })
    expect(error?.message).toContain('Wrong scope <b>xxx')
    expect(error?.message.length).toBeLessThan(400)
  })

  it('a refused scope says what to correct', () => {
    const error = answerError({ state, error: 'invalid_scope', errorDescription: 'no' }, AUTH)
    expect(error?.remedy).toBe('Ask for scopes that this client may have.')
  })

  it('a text of the server is cut to 300 characters without control and direction characters', () => {
    const tell = (errorDescription?: string) =>
      answerError({ state, error: 'invalid_scope', errorDescription }, AUTH)?.message
    expect(tell('a\u0007b\u202ec\u2067d\u009fe')).toBe('The server refused: invalid_scope: abcde')
    expect(tell('x'.repeat(301))).toBe(`The server refused: invalid_scope: ${'x'.repeat(299)}…`)
    expect(tell('\u0000')).toBe('The server refused: invalid_scope')
    expect(tell()).toBe('The server refused: invalid_scope')
  })
})

describe('a stored attempt', () => {
  const NOW = 1_000_000
  const good = {
    verifier: 'v'.repeat(64),
    authHost: AUTH,
    clientId: 'admin',
    redirectUri: 'https://app.test/',
    returnTo: '/firms?page=2#top',
    createdAtMs: NOW,
  }
  const parse = (value: unknown, nowMs = NOW) =>
    parseAttempt(value, { settings, redirectUri: 'https://app.test/', nowMs })

  it('is taken when it is whole and ours', () => {
    expect(parse(good)).toEqual(good)
  })

  it.each<[object, object]>([
    [{ nonce: 'n1' }, { nonce: 'n1' }],
    [{ nonce: 7 }, {}],
    [{ isAutomatic: true }, { isAutomatic: true }],
    [{ isAutomatic: false }, {}],
    [{ isAutomatic: 'yes' }, {}],
  ])('with %j has %j', (more, expected) => {
    expect(parse({ ...good, ...more })).toStrictEqual({ ...good, ...expected })
  })

  it('is worth ten minutes, and not a millisecond more', () => {
    expect(parse(good, NOW + 600_000)).toEqual(good)
    expect(parse(good, NOW + 600_001)).toBeUndefined()
  })

  it('is taken when the clock was set back meanwhile', () => {
    expect(parse(good, NOW - 86_400_000)).toEqual(good)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', JSON.stringify(good)],
    ['an array', Object.values(good)],
    ['of another server', { ...good, authHost: 'https://evil.test' }],
    ['of another client', { ...good, clientId: 'other' }],
    ['of another redirect URI', { ...good, redirectUri: 'https://app.test/other' }],
    ['without verifier', { ...good, verifier: undefined }],
    ['with an empty verifier', { ...good, verifier: '' }],
    ['with a verifier that is no text', { ...good, verifier: 5 }],
    ['without an instant', { ...good, createdAtMs: undefined }],
    ['with an instant that is a text', { ...good, createdAtMs: String(NOW) }],
    ['with NaN as instant', { ...good, createdAtMs: NaN }],
    ['that returns to another origin', { ...good, returnTo: 'https://evil.test/' }],
    ['that returns to a script', { ...good, returnTo: 'javascript:alert(1)' }],
    ['that returns beside this origin', { ...good, returnTo: '.evil.test/' }],
    ['that returns nowhere', { ...good, returnTo: undefined }],
    ['whose members are inherited', Object.create(good)],
  ])('%s is refused', (_what, value) => {
    expect(parse(value)).toBeUndefined()
  })
})

describe('an answer of the sign-in page', () => {
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
})

describe('an address with its parameters', () => {
  it.each(['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state'])(
    'with %s twice is no answer',
    (name) => {
      const address = 'https://app.test/?code=c&state=Ab1Ab1'
      expect(readAnswer(address)).toBeDefined()
      expect(readAnswer(`${address}&${name}=x&${name}=x`)).toBeUndefined()
    },
  )
})
