// The matchers of latchkey/testing: they pass and fail where they should, and say what the session is instead.
import { describe, expect, it } from 'vitest'
import { createAuthError } from '../../../src/testing/errors.ts'
import { authMatchers, type AuthMatchers } from '../../../src/testing/matchers.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'

declare global {
  namespace Chai {
    interface Assertion extends AuthMatchers {}
  }
}

expect.extend(authMatchers)

describe('toBeSignedIn', () => {
  it('passes for anybody, for this user, and compares ids as strings', () => {
    expect(createTestAuth()).toBeSignedIn()
    expect(createTestAuth()).toBeSignedIn({ userId: 'alice', firmId: 'f1' })
    expect(createTestAuth({ user: { userId: 7 } })).toBeSignedIn({ userId: '7' })
    expect(createTestAuth()).not.toBeSignedIn({ userId: 'bob' })
    expect(createTestAuth({ state: { status: 'unauthenticated' } })).not.toBeSignedIn()
  })

  it.each([
    [
      { status: 'unauthenticated', reason: 'idle' },
      'expected to be signed in, but it is: unauthenticated (idle)',
    ],
    [{ status: 'redirecting', to: 'login' }, 'expected to be signed in, but it is: redirecting to login'],
    [
      { status: 'initializing' },
      'expected to be signed in, but it is: initializing: wait for start-up to end',
    ],
  ] as const)('says what the session is instead: %j', (state, message) => {
    expect(() => expect(createTestAuth({ state })).toBeSignedIn()).toThrow(message)
  })

  it('says who is signed in instead, and what is no session', () => {
    expect(() => expect(createTestAuth()).toBeSignedIn({ userId: 'bob' })).toThrow(
      'expected to be signed in as userId bob, but it is: authenticated, userId alice, firmId f1',
    )
    expect(() => expect(undefined).toBeSignedIn()).toThrow('no Auth, but undefined')
  })
})

describe('toBeSignedOut', () => {
  it('passes for any reason, and for this one', () => {
    const auth = createTestAuth({ state: { status: 'unauthenticated', reason: 'expired' } })
    expect(auth).toBeSignedOut()
    expect(auth).toBeSignedOut('expired')
    expect(auth).not.toBeSignedOut('idle')
    expect(createTestAuth()).not.toBeSignedOut()
    expect(() => expect(auth).toBeSignedOut('idle')).toThrow('unauthenticated (expired)')
  })
})

describe('toBeAuthError', () => {
  it('passes for the code, also of what a promise rejects with', async () => {
    expect(createAuthError('offline')).toBeAuthError('offline')
    expect(createAuthError('offline')).not.toBeAuthError('network')
    expect(new Error('offline')).not.toBeAuthError()
    const auth = createTestAuth({ state: { status: 'unauthenticated' } })
    await expect(auth.renew()).rejects.toBeAuthError('not-authenticated')
    expect(() => expect(new TypeError('no')).toBeAuthError('offline')).toThrow(
      'expected to be an AuthError offline, but it is: TypeError: no',
    )
  })
})
