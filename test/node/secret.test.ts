// Secrets stay out of sight: wrapped ones in every way a value is printed, those of server bodies by name and by look (spec §8).
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { redact } from '../../src/protocol/redaction.ts'
import { Secret } from '../../src/protocol/secret.ts'
import { createAccessToken } from '../../src/testing/tokens.ts'

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
  const NAMES = [
    'access_token',
    'accessToken',
    'refresh_token',
    'id_token',
    'token',
    'jwt',
    'authToken',
    'authorization',
    'code',
    'code_verifier',
    'verifier',
    'nonce',
    'jti',
    'assertion',
    'requestCode',
    'client_secret',
    'password',
    'Access_Token',
  ]
  it.each(NAMES)('loses its member %s, at every depth', (name) => {
    const body = { [name]: 'canary', deep: [{ [name]: { inner: 'canary' } }] }
    expect(JSON.stringify(redact(body))).not.toContain('canary')
  })

  it.each(NAMES)('that is a broken JSON text loses its member %s', (name) => {
    expect(redact(`{"x":1,"${name}" : "canary","y":`)).not.toContain('canary')
    expect(redact(`{"${name}":"canary`)).not.toContain('canary')
  })

  it('loses whatever looks like a token, wherever it stands', () => {
    const token = createAccessToken()
    const body = { message: `token ${token} is old`, list: [token], [`x`]: { note: `Bearer ${token}` } }
    expect(JSON.stringify(redact(body))).not.toContain('eyJ')
    expect(redact(`<p>${token}</p>`)).toBe('<p>[redacted]</p>')
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

  it('keeps the codes of an error, which are no secret: null stays null', () => {
    expect(redact({ code: null })).toEqual({ code: null })
  })

  it('cannot poison prototypes and cannot overflow the stack', () => {
    const poisoned = redact(JSON.parse('{"__proto__":{"isAdmin":true}}')) as Record<string, unknown>
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
    expect(Object.getPrototypeOf(poisoned)).toBe(null)
    const deep = JSON.parse(`${'['.repeat(50_000)}"canary"${']'.repeat(50_000)}`) as unknown
    expect(JSON.stringify(redact(deep))).not.toContain('canary')
  })
})
