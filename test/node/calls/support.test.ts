// Support access: what is asked, and what an answer has to be.
import { describe, expect, it } from 'vitest'
import { told } from '../thrownError.ts'
import { Secret } from '../../../src/protocol/secret.ts'
import { checkSupportRequest, readSupportAccess } from '../../../src/protocol/support.ts'

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

  it('is told what the server says of it, without the code', () => {
    const answer = { endsAt: 'soon', note: 'CODE-1 is spent', by: 'Eve' }
    expect(readSupportAccess(answer, { requestCode: 'CODE-1', duration: 5, nowMs: 0 }).details).toEqual({
      endsAt: 'soon',
      note: '[redacted] is spent',
      by: 'Eve',
    })
  })

  it('answered by a page is no access', () => {
    expect(
      told(() => readSupportAccess('<h1>portal', { requestCode: 'CODE-1', duration: 5, nowMs: 0 }))[1],
    ).toBe('POST /support/authorization got an unexpected answer')
  })
})
