// What a tab remembers across a navigation, in a storage that may be poisoned, full or denied (F23-F25).
import { describe, expect, it } from 'vitest'
import { createTabRecords } from '../../../src/session/signIn/tabRecords.ts'
import { createFakeStorage } from '../../../src/testing/fakeStorage.ts'

const CLIENT = { authHost: 'https://auth.test', clientId: 'admin' }
const KEY = 'latchkey https://auth.test admin tab'
const attempt = (name: string) => ({ verifier: name })
const create = (initial?: string) => {
  const storage = createFakeStorage(initial === undefined ? {} : { [KEY]: initial })
  const records = createTabRecords(storage, CLIENT)
  return { storage, records }
}

describe('a sign-in attempt', () => {
  it('can be taken once', () => {
    const { records } = create()
    expect(records.keepAttempt('abc123', attempt('a'))).toBe(true)
    expect(records.takeAttempt('abc123')).toEqual(attempt('a'))
    expect(records.takeAttempt('abc123')).toBeUndefined()
  })

  it('is found by the next page of the tab', () => {
    const { storage, records } = create()
    records.keepAttempt('abc123', attempt('a'))
    expect(createTabRecords(storage, CLIENT).takeAttempt('abc123')).toEqual(attempt('a'))
  })

  it('is not found by another client', () => {
    const { storage, records } = create()
    records.keepAttempt('abc123', attempt('a'))
    expect(createTabRecords(storage, { ...CLIENT, clientId: 'other' }).takeAttempt('abc123')).toBeUndefined()
  })

  it('stays beside the four newest others; the oldest gives way', () => {
    const { records } = create()
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six'])
      records.keepAttempt(name, attempt(name))
    expect(records.takeAttempt('one')).toBeUndefined()
    expect(['two', 'three', 'four', 'five', 'six'].map((name) => records.takeAttempt(name))).toEqual(
      ['two', 'three', 'four', 'five', 'six'].map(attempt),
    )
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
    'is never found under %s',
    (name) => {
      const { records } = create()
      records.keepAttempt('abc123', attempt('a'))
      expect(records.takeAttempt(name)).toBeUndefined()
    },
  )

  it('keeps no secret when it is older than ten minutes, and not before; its answer is recognised by the rest', () => {
    const { storage, records } = create()
    const stepUp = { user: { userId: 'alice' } }
    records.keepAttempt('abc123', { verifier: 'a', nonce: 'n', stepUp, returnTo: '/a', createdAtMs: 1000 })
    records.keepAttempt('abc124', { verifier: 'b', returnTo: '/b', createdAtMs: 2000 })
    const verifiers = () => storage.entries()[KEY]?.match(/"verifier":"."/g)
    records.forgetOld(601_000)
    expect(verifiers()).toEqual(['"verifier":"a"', '"verifier":"b"'])
    records.forgetOld(601_001)
    expect(verifiers()).toEqual(['"verifier":"b"'])
    records.forgetOld(602_001)
    expect(records.read().attempts).toEqual({
      abc123: { returnTo: '/a', createdAtMs: 1000, isOver: true },
      abc124: { returnTo: '/b', createdAtMs: 2000, isOver: true },
    })
    expect(Object.values(storage.entries()).join()).not.toMatch(/verifier|nonce|alice/)
  })

  it('that nobody waits for makes room before one that is awaited', () => {
    const { records } = create()
    records.keepAttempt('awaited', attempt('a'))
    for (const state of ['one', 'two', 'three', 'four', 'five', 'six']) records.keepTrace(state, {})
    expect(Object.keys(records.read().attempts)).toContain('awaited')
    expect(Object.keys(records.read().attempts)).toHaveLength(5)
  })

  it('leaves nothing in the storage when it was the last thing', () => {
    const { storage, records } = create()
    records.keepAttempt('abc123', attempt('a'))
    records.takeAttempt('abc123')
    expect(storage.entries()).toEqual({})
  })
})

describe('the redirect-loop counter', () => {
  it('allows three automatic navigations in a minute, then none, then again', () => {
    const { records } = create()
    expect([0, 10_000, 20_000].map((atMs) => records.countNavigation(atMs))).toEqual([true, true, true])
    expect(records.countNavigation(30_000)).toBe(false)
    expect(records.countNavigation(59_999)).toBe(false)
    expect(records.countNavigation(60_000)).toBe(true)
  })

  it('counts across pages of the tab', () => {
    const { storage } = create()
    const count = () => createTabRecords(storage, CLIENT).countNavigation(0)
    expect([count(), count(), count(), count()]).toEqual([true, true, true, false])
  })

  it('leaves nothing in the storage once a session has lived for a minute', () => {
    const { records, storage } = create()
    for (let round = 0; round < 3; round += 1) records.countNavigation(0)
    records.forgetOld(59_999)
    expect(records.read().navigations).toEqual([0, 0, 0])
    records.forgetOld(60_000)
    expect(storage.entries()).toEqual({})
  })

  it('does not lock the user out when the clock is set back by a day', () => {
    const { records } = create()
    for (let round = 0; round < 3; round += 1) records.countNavigation(86_400_000)
    expect(records.countNavigation(0)).toBe(true)
  })

  it('still counts within a page when the storage is denied', () => {
    const { storage, records } = create()
    storage.fault = 'denied'
    expect([1, 2, 3, 4].map(() => records.countNavigation(0))).toEqual([true, true, true, false])
  })
})

describe('a storage that fails', () => {
  it.each(['denied', 'throws', 'full'] as const)('%s: an attempt is refused clearly', (fault) => {
    const { storage, records } = create()
    storage.fault = fault
    expect(records.keepAttempt('abc123', attempt('a'))).toBe(false)
    expect(records.takeAttempt('abc123')).toBeUndefined()
  })

  it.each(['denied', 'throws', 'full'] as const)(
    '%s: frames that failed are remembered in memory',
    (fault) => {
      const { storage, records } = create()
      storage.fault = fault
      const silentSignIn = { failures: 2, offUntilMs: 300_000 }
      records.change({ silentSignIn })
      expect(records.read().silentSignIn).toEqual(silentSignIn)
      records.change({ silentSignIn: undefined })
      expect(records.read().silentSignIn).toBeUndefined()
    },
  )

  it('full: our own older attempts give way, entries of others never', () => {
    const { storage, records } = create()
    storage.set('of the app', 'x'.repeat(100))
    for (const name of ['one', 'two', 'three']) records.keepAttempt(name, attempt(name))
    storage.fault = 'full'
    expect(records.keepAttempt('four', attempt('four'))).toBe(true)
    expect(records.takeAttempt('four')).toEqual(attempt('four'))
    expect(storage.get('of the app')).toBe('x'.repeat(100))
  })

  it('cleared in the middle: what was there counts as absent', () => {
    const { storage, records } = create()
    records.keepAttempt('abc123', attempt('a'))
    storage.clear()
    expect(records.takeAttempt('abc123')).toBeUndefined()
    expect(records.countNavigation(0)).toBe(true)
  })
})

describe('a poisoned entry', () => {
  it.each([
    '',
    'null',
    'true',
    '7',
    '"text"',
    '[]',
    '{',
    '{}',
    '[object Object]',
    'undefined',
    'NaN',
    '\u0000',
    '{"attempts":null}',
    '{"attempts":[]}',
    '{"attempts":"x"}',
    '{"attempts":7}',
    '{"navigations":{}}',
    '{"navigations":"0,0,0"}',
    '{"navigations":[null,"0",{},true]}',
    '{"isFrameDoomed":true}',
    '{"silentSignIn":true}',
    '{"silentSignIn":[2,300000]}',
    '{"silentSignIn":{"failures":2}}',
    '{"silentSignIn":{"offUntilMs":300000}}',
    '{"silentSignIn":{"failures":"2","offUntilMs":300000}}',
    '{"silentSignIn":{"failures":0,"offUntilMs":300000}}',
    '{"silentSignIn":{"failures":1.5,"offUntilMs":300000}}',
    '{"silentSignIn":{"failures":2,"offUntilMs":"300000"}}',
    '{"silentSignIn":{"failures":2,"offUntilMs":1e999}}',
    '{"__proto__":{"silentSignIn":{"failures":2,"offUntilMs":300000}}}',
    '{"version":99,"attempts":{"abc123":{"verifier":"x"}},"unknown":{}}'.replace('abc123', 'zzz999'),
    `{"attempts":${'['.repeat(1000)}${']'.repeat(1000)}}`,
  ])('%j counts as absent and harms nobody', (text) => {
    const { records } = create(text)
    expect(records.takeAttempt('abc123')).toBeUndefined()
    expect(records.read().silentSignIn).toBeUndefined()
    expect([1, 2, 3, 4].map(() => records.countNavigation(0))).toEqual([true, true, true, false])
    expect(records.keepAttempt('abc123', attempt('a'))).toBe(true)
    expect(records.takeAttempt('abc123')).toEqual(attempt('a'))
    expect(({} as Record<string, unknown>)['silentSignIn']).toBeUndefined()
  })

  it('with forged navigations cannot do more than ask the user for a click', () => {
    const { records } = create('{"navigations":[1,2,3,4,5,6,7,8,9]}')
    expect(records.countNavigation(10)).toBe(false)
    expect(records.countNavigation(60_010)).toBe(true)
  })
})
