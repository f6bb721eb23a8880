// The rule that an app gives to its own QueryClient: what a repeat can cure is repeated, what was refused is not.
import { expect, it } from 'vitest'
import { AuthError } from '../../../src/base/errors.ts'
import { retryUnlessRefused } from '../../../src/queries/authed.ts'

const failed = (status: number) => new AuthError('unexpected-status', 'refused', { status })

it.each([401, 403, 404, 422])('a %i is not repeated', (status) => {
  expect(retryUnlessRefused(0, failed(status))).toBe(false)
  // As ofetch, axios and ky throw it.
  expect(retryUnlessRefused(0, { statusCode: status })).toBe(false)
  expect(retryUnlessRefused(0, { response: { status } })).toBe(false)
})

it.each([429, 500, 503])('a %i is repeated twice', (status) => {
  expect([0, 1, 2].map((count) => retryUnlessRefused(count, failed(status)))).toEqual([true, true, false])
})

it('an error without a response is repeated twice, one that says no repeat can help is not', () => {
  expect(retryUnlessRefused(0, new TypeError('Failed to fetch'))).toBe(true)
  expect(retryUnlessRefused(0, new AuthError('network', 'away', { retryable: true }))).toBe(true)
  expect(retryUnlessRefused(0, new AuthError('not-authenticated', 'nobody'))).toBe(false)
})

it('an AuthError has its status by the name that component kits read, too', () => {
  expect(failed(403).statusCode).toBe(403)
  expect(new AuthError('offline', 'offline').statusCode).toBeUndefined()
})
