// The random texts of a sign-in: right length, right alphabet, no bias, and never a weaker way in silence.
import { describe, expect, it } from 'vitest'
import {
  createChallenge,
  createStateKey,
  createVerifier,
  type CryptoPort,
} from '../../../src/protocol/pkce.ts'
import { base64Url } from '../../../src/protocol/pkce.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { CONFIG, createScene, startScene } from '../session/sessionScene.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createChance } from '../../chance.ts'

const real = createFakeHost('https://app.test/').platform.crypto

/** A seeded source, so that the counts below are the same on every run. */
function seededBytes(seed: number) {
  const chance = createChance(seed)
  return (length: number) => Uint8Array.from({ length }, () => Math.floor(chance() * 256))
}

function chiSquare(text: string, alphabetSize: number): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  const expected = text.length / alphabetSize
  const missing = (alphabetSize - counts.size) * expected
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, missing)
}

const manyOf = (make: (crypto: CryptoPort) => string, count: number) => {
  const crypto = { ...real, randomBytes: seededBytes(7) }
  return Array.from({ length: count }, () => make(crypto)).join('')
}

describe('the verifier', () => {
  it('has 64 characters that RFC 7636 allows', () => {
    for (let round = 0; round < 200; round += 1)
      expect(createVerifier(real)).toMatch(/^[A-Za-z0-9\-._~]{64}$/)
  })

  it('favours no character: chi-square over 128,000 characters of 64 stays below the 99.9 % bound', () => {
    const text = manyOf(createVerifier, 2000)
    expect(new Set(text).size).toBe(64)
    expect(chiSquare(text, 64)).toBeLessThan(104)
  })

  it('is another one every time', () => {
    expect(new Set(Array.from({ length: 500 }, () => createVerifier(real))).size).toBe(500)
  })
})

describe('the state key', () => {
  it('has 6 alphanumeric characters', () => {
    for (let round = 0; round < 200; round += 1) expect(createStateKey(real)).toMatch(/^[A-Za-z0-9]{6}$/)
  })

  it('favours no character: chi-square over 60,000 characters of 62 stays below the 99.9 % bound', () => {
    const text = manyOf(createStateKey, 10_000)
    expect(new Set(text).size).toBe(62)
    expect(chiSquare(text, 62)).toBeLessThan(102)
  })

  it('would be caught if it took the remainder of a byte', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
    const biased = Array.from(seededBytes(7)(60_000), (byte) => alphabet[byte % 62]).join('')
    expect(chiSquare(biased, 62)).toBeGreaterThan(200)
  })

  it('leaves out what is not alphanumeric, wherever it stands', () => {
    // '-_A9_-Bz' and then nothing but 'A'.
    const bytes = [251, 240, 61, 255, 224, 115]
    const randomBytes = (length: number) => Uint8Array.from({ length }, () => bytes.shift() ?? 0)
    expect(createStateKey({ ...real, randomBytes })).toBe('A9BzAA')
  })
})

describe('the challenge', () => {
  it('is that of RFC 7636 appendix B', async () => {
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const value = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    expect(await createChallenge(verifier, real)).toEqual({ value, method: 'S256' })
  })

  it('is the plain verifier only on a page that is not secure and has no hash', async () => {
    const crypto = { ...real, subtle: undefined, isSecureContext: false }
    expect(await createChallenge('verifier', crypto)).toEqual({ value: 'verifier', method: 'plain' })
  })

  it('is S256 on a page that is not secure but has a hash', async () => {
    expect(await createChallenge('verifier', { ...real, isSecureContext: false })).toMatchObject({
      method: 'S256',
    })
  })

  it('is refused on a secure page without a hash', async () => {
    await expect(createChallenge('verifier', { ...real, subtle: undefined })).rejects.toMatchObject({
      code: 'proof-key-unavailable',
    })
  })

  it.each([true, false])('is refused when the hash fails, secure context: %s', async (isSecureContext) => {
    const cause = new Error('replaced by an extension')
    const subtle = { ...real.subtle!, digest: () => Promise.reject(cause) }
    await expect(createChallenge('v', { ...real, subtle, isSecureContext })).rejects.toMatchObject({
      code: 'proof-key-unavailable',
      cause,
    })
  })

  it('is URL-safe base64 without padding', () => {
    expect(base64Url(Uint8Array.from([251, 255, 190]))).toBe('-_--')
    expect(base64Url(Uint8Array.from([0]))).toBe('AA')
    expect(base64Url(new Uint8Array())).toBe('')
  })
})

describe('a browser without randomness', () => {
  it.each([createVerifier, createStateKey])('%o fails with the error about getRandomValues', (make) => {
    expect(() => make({ ...real, randomBytes: undefined })).toThrow(
      expect.objectContaining({
        code: 'random-unavailable',
        message: 'crypto.getRandomValues() not supported',
      }),
    )
  })

  it('signs nobody in, shows why, and leaves the page where it is', async () => {
    const { host, auth } = await startScene({ host: { without: ['random'] } })
    expect(auth.getState()).toMatchObject({
      status: 'failed',
      error: { code: 'random-unavailable', message: 'crypto.getRandomValues() not supported' },
    })
    expect(host.navigations).toEqual([])
    expect(host.requests).toEqual([])
    expect(host.frames).toEqual([])
  })
})

describe('a page without the hash', () => {
  it('goes on with the plain verifier where the page is not secure, explicitly, and warns once', async () => {
    const scene = createScene({
      host: { without: ['sha256'], isSecureContext: false },
      server: { user: undefined },
      config: { autoLogin: false },
    })
    void scene.auth.start()
    await scene.host.settle()
    await scene.auth.login()
    const address = new URL(scene.host.navigations[0] ?? '')
    expect(address.searchParams.get('code_challenge_method')).toBe('plain')
    expect(address.searchParams.get('code_challenge')).toHaveLength(64)
    expect(scene.host.warnings.map(({ message }) => message)).toEqual([
      'PKCE is plain: the page is no secure context: serve it by https.',
    ])
  })

  it('refuses to sign in where the page is secure', async () => {
    const { host, auth } = await startScene({ host: { without: ['sha256'] } })
    expect(auth.getState()).toMatchObject({ status: 'failed', error: { code: 'proof-key-unavailable' } })
    expect(host.navigations).toEqual([])
    expect(host.requests).toEqual([])
  })

  it('matters not before it is used: the auth object can be made', () => {
    const { platform } = createFakeHost('https://app.test/', { without: ['sha256', 'random'] })
    expect(createAuth(CONFIG, { platform }).getState().status).toBe('initializing')
  })
})
