// Secrets stay out of sight: wrapped ones in every way a value is printed, those of server bodies by name and by look.
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { redact } from '../../../src/protocol/redaction.ts'
import { Secret } from '../../../src/protocol/secret.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { told } from '../thrownError.ts'
import { assertWritten } from '../../../src/protocol/answers.ts'

describe('a Secret', () => {
  const secret = new Secret('canary')
  it('is handed over on demand', () => {
    expect(secret.reveal()).toBe('canary')
  })

  it.each<[string, () => unknown]>([
    ['a template', () => `it is ${secret as unknown as string}`],
    ['String()', () => String(secret)],
    ['JSON', () => JSON.stringify({ secret })],
    ['inspect', () => inspect(secret, { depth: 9, showHidden: true })],
    ['inspect inside an object', () => inspect({ secret: [secret] }, { depth: 9 })],
    ['keys', () => Object.keys(secret)],
    ['own property names', () => Object.getOwnPropertyNames(secret)],
    ['a copy of its members', () => JSON.stringify(Object.assign({}, secret))],
    ['Object.prototype.toString', () => Object.prototype.toString.call(secret)],
    ['structured clone', () => JSON.stringify(structuredClone(secret))],
    ['an error message', () => new Error(`failed with ${secret as unknown as string}`).stack],
  ])('shows nothing in %s', (_where, print) => {
    expect(String(print())).not.toContain('canary')
  })

  it('prints as [redacted]', () => {
    expect(String(secret)).toBe('[redacted]')
    expect(JSON.stringify([secret])).toBe('["[redacted]"]')
  })
})

describe('the body of an answer', () => {
  const OPAQUE = 'canary-9f8e7d6c5b4a3210'
  const NAMES = ['access_token', 'refresh_token', 'id_token', 'nonce', 'jti', 'Access_Token']
  it.each(NAMES)('loses a new secret that the server hands out as %s, at every depth', (name) => {
    const body = { [name]: OPAQUE, deep: [{ [name]: OPAQUE }], text: `{"${name}": "${OPAQUE}"}` }
    expect(JSON.stringify(redact(body))).not.toContain('canary')
    expect(redact(`{"x":1,"${name}" : "${OPAQUE}","y":`)).not.toContain('canary')
    expect(redact(`{"${name}":"${OPAQUE}`)).not.toContain('canary')
  })

  it.each([
    { code: 'E_LOCKED', token: 'expired', error: { code: 'invalid_firm', jwt: 'malformed' } },
    { code: 42, verifier: 'missing', password: 'too short', authorization: 'required' },
    { refresh_token: 'revoked', access_token: ['is required'], nonce: 'is not known here' },
    { code: null, token: false, list: [{ code: 'a' }, { code: '' }] },
  ])('keeps what an app branches by, whatever the member is called: %j', (body) => {
    expect(redact(body, ['another-secret'])).toEqual(body)
    expect(redact(JSON.stringify(body))).toBe(JSON.stringify(body))
  })

  it('loses each secret that was sent or is held: as value, name, number, part of a text or address, and cut off', () => {
    const code = 'a+b/c=canary'
    const long = 'x'.repeat(30) + 'canary'.repeat(500)
    const body = {
      code,
      [code]: 1,
      pin: 482_913,
      seen: `The code ${code} is spent`,
      url: `https://auth.test/?code=${encodeURIComponent(code)}&x=1`,
      long,
      cut: `…${long.slice(0, 70)}`,
      shortest: `…${long.slice(0, 64)}`,
    }
    const clean = redact(body, [code, '482913', long])
    expect(clean).toEqual({
      code: '[redacted]',
      '[redacted]': 1,
      pin: '[redacted]',
      seen: 'The code [redacted] is spent',
      url: 'https://auth.test/?code=[redacted]&x=1',
      long: '[redacted]',
      cut: '…[redacted]',
      shortest: '…[redacted]',
    })
  })

  it('is cleaned in time in proportion to its length: 256 KB of each worst case', () => {
    const size = 256 * 1024
    const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)
    const secret = `b${'a'.repeat(16_000)}`
    const worst = [
      'eyJ',
      'eyJ-',
      'eyJa.',
      'eyJ.',
      '.',
      'a',
      ' ',
      '"code":"',
      '"access_token"',
      '"access_token":',
      '"access_token" : "',
      '"nonce":"aaaaaaaaaaaaaaa ',
      `"jti"${' '.repeat(1000)}`,
      secret.slice(0, 64),
      secret.slice(0, 63),
      'ab',
      '[',
      '\\"',
    ].map(fill)
    for (const text of worst) {
      const before = process.threadCpuUsage()
      redact(text, [secret, secret.slice(1), 'abababababababababababababababababac'])
      // The slow ones took minutes. The time is that of the processor, whatever else the machine does.
      const { user } = process.threadCpuUsage(before)
      expect([text.slice(0, 20), user / 1000 < 2_000]).toEqual([text.slice(0, 20), true])
    }
  })

  it('loses whatever looks like a token, wherever it stands', () => {
    const token = createAccessToken()
    const body = { message: `token ${token} is old`, list: [token], [`x`]: { note: `Bearer ${token}` } }
    expect(JSON.stringify(redact(body))).not.toContain('eyJ')
    expect(redact(`<p>${token}</p>`)).toBe('<p>[redacted]</p>')
  })

  it.each([
    ['eyJ.x', 'eyJ.x'],
    ['eyJhello', 'eyJhello'],
    ['eyJa.b', '[redacted]'],
    ['see x.eyJa.b now', 'see x.[redacted] now'],
  ])('makes of %s: %s', (text, cleaned) => {
    expect(redact(text)).toBe(cleaned)
  })

  it('loses a long secret to its last letter, and no more, also where it was cut off', () => {
    const secret = 'abcdefg'.repeat(11)
    expect(redact(`<${secret}>${secret.slice(0, 71)}tail`, [secret])).toBe('<[redacted]>[redacted]tail')
    expect(redact(secret, [secret])).toBe('[redacted]')
  })

  it('keeps a number under the name of a secret, which is none', () => {
    expect(redact({ nonce: 1_234_567_890_123_456 })).toEqual({ nonce: 1_234_567_890_123_456 })
  })

  it('keeps everything else as it was', () => {
    const body = {
      error: 'invalid_grant',
      error_description: 'Too old',
      status: 400,
      nothing: null,
      list: [1, 'a', true],
    }
    expect(redact(body)).toEqual(body)
    expect(redact('plain text')).toBe('plain text')
    expect(redact(5)).toBe(5)
    expect(redact(null)).toBe(null)
    expect(redact(undefined)).toBe(undefined)
  })

  it('cannot poison prototypes and cannot overflow the stack', () => {
    const poisoned = redact(JSON.parse('{"__proto__":{"isAdmin":true}}')) as Record<string, unknown>
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
    expect(Object.getPrototypeOf(poisoned)).toBe(null)
    const deep = JSON.parse(`${'['.repeat(50_000)}"canary"${']'.repeat(50_000)}`) as unknown
    expect(JSON.stringify(redact(deep))).not.toContain('canary')
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
      'Try again. A proxy or portal may have responded.',
    ])
  })

  it.each(['', 'OK', null, undefined, 7, {}, []])('%j after a write is one', (answer) => {
    expect(() => assertWritten('PUT /x', answer)).not.toThrow()
  })
})
