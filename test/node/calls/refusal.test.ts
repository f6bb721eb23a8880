// What a refused or odd response of the server becomes.
import { describe, expect, it } from 'vitest'
import { DEFAULT_RETRY_AFTER_MS, LARGEST_RETRY_AFTER_MS } from '../../../src/base/constants.ts'
import { readRefusal } from '../../../src/protocol/answers.ts'
import { FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'
import { readText } from '../../../src/protocol/answers.ts'

/** A record some of whose members come from its prototype, as after somebody has polluted one. */
const inheriting = (inherited: object, own: object): object =>
  Object.assign(Object.create(inherited) as object, own)

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

describe('the body of a refusal', () => {
  const bodyOf = (text: string) =>
    readRefusal({ status: 400, text, secrets: ['sesame'], retryAfter: null }, 0).body
  const json = (length: number) => JSON.stringify({ error: 'x'.repeat(length - '{"error":""}'.length) })

  it('is JSON up to 256 KB, and text beyond', () => {
    expect(bodyOf(json(256 * 1024))).toEqual({ error: expect.any(String) as string })
    expect(bodyOf(json(256 * 1024 + 1))).toEqual(expect.any(String))
  })

  it('that is text is cut at 64 KB, after the secrets are out', () => {
    expect(bodyOf('x'.repeat(64 * 1024))).toHaveLength(64 * 1024)
    expect(bodyOf('x'.repeat(64 * 1024 + 1))).toHaveLength(64 * 1024)
    expect(bodyOf(`${'x'.repeat(64 * 1024 - 3)}sesame`)).not.toContain('ses')
  })
})

describe('an answer', () => {
  it.each([
    ['is empty', { link: '' }],
    ['is inherited', inheriting({ link: 'https://evil.test' }, {})],
  ])('whose text %s is unexpected', (_what, answer) => {
    expect(() => readText('GET /link', answer, 'link')).toThrow(
      expect.objectContaining({ code: 'unexpected-answer' }),
    )
  })
})
