// What the tabs of a browser call a session: the same name in every tab and in every version of an app, and no other session's.
import { expect, it } from 'vitest'
import type { Claims } from '../../../src/protocol/claims.ts'
import { sessionName } from '../../../src/protocol/identity.ts'

const ADA = { userId: 7, firmId: 12, impersonatorId: undefined, sessionId: 'abc' } as unknown as Claims
const named = (change: object, beginning = '') => sessionName({ ...ADA, ...change }, beginning)

it('never changes: a tab with the version of yesterday knows the session by it', () => {
  expect([
    named({}),
    named({ sessionId: undefined }, '1700000000000'),
    named({ userId: 8 }),
    named({ impersonatorId: 3 }),
    named({ userId: 'ü', firmId: undefined, sessionId: '' }),
  ]).toEqual(['hznjc95l33ne', '1e48jkbvv7tw2', '17egzr0speq8j', 'k8zzu9jxf6pb', '1kbf2cm1nzztw0'])
})

it('is another for another user, firm, impersonator, session or beginning', () => {
  const names = [
    named({}),
    named({ userId: 8 }),
    named({ firmId: 13 }),
    named({ impersonatorId: 3 }),
    named({ sessionId: 'abd' }),
    named({ sessionId: undefined }, '1'),
    named({ sessionId: undefined }, '2'),
    // The parts do not run into each other.
    named({ userId: 71, firmId: 2 }),
    named({ userId: '7 12', firmId: undefined }),
  ]
  expect(new Set(names).size).toBe(names.length)
})

it('holds nothing of the beginning where the token names its session', () => {
  expect(named({}, '1')).toBe(named({}, '2'))
})
