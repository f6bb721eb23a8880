// Two thousand wrong values in our own storage entries, and in what the tabs agree on: each counts as absent, and nobody notices (F47).

// @module-tag generated

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAuth } from '../../../src/session/createAuth.ts'
import { agentKey } from '../../../src/protocol/presence.ts'
import { activityKey, sessionMarkerKey, tabKey, alikeTabsName } from '../../../src/protocol/storageKeys.ts'
import { createFakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeBrowser, FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'
import { browserWorks } from '../../../src/testing/fakeTabs.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createFakeStorage } from '../../../src/testing/fakeStorage.ts'
import { parseConfig } from '../../../src/protocol/config.ts'
import { APP, CONFIG } from '../session/sessionScene.ts'

import { checkGenerated, generatedRuns } from '../../generated.ts'

const CLIENT = { authHost: 'https://auth.test', clientId: 'admin' }
const ENTRIES = {
  [tabKey(CLIENT)]: {
    attempts: {},
    navigations: [FAKE_START_MS],
    silentSignIn: { failures: 1, offUntilMs: 0 },
    marks: ['passthrough'],
  },
  [sessionMarkerKey(CLIENT)]: { tabs: ['AbCdEf'], began: { sessionId: 's1', sinceMs: FAKE_START_MS } },
  [activityKey(CLIENT)]: FAKE_START_MS,
  [agentKey(CLIENT)]: '5f0c5b1e-9d0a-4a57-9d2f-0a4a3b1f6a11',
}
const AGREED = { generation: 3, isPending: false }

const EVIL: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  '\u0000',
  '__proto__',
  'constructor',
  '<script>',
  '💥',
  [],
  {},
  [[]],
  [null],
  { length: 1e9 },
  { __proto__: null },
  { toString: 'no' },
  'x'.repeat(5_000),
]
const evil: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...EVIL) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** What was right once, with one member replaced, taken out or buried one level deeper. */
const spoiled = (right: unknown): fc.Arbitrary<unknown> =>
  typeof right === 'object' && right !== null && !Array.isArray(right)
    ? fc
        .tuple(fc.constantFrom(...Object.keys(right)), evil)
        .map(([name, value]) => ({ ...right, [name]: value }))
    : evil

/** A text as somebody else, an older version or a torn write may have left it. */
const textOf = (right: unknown) =>
  fc.oneof(
    { weight: 4, arbitrary: spoiled(right).map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: fc.constantFrom(...EVIL.map((value) => JSON.stringify(value))) },
    { weight: 1, arbitrary: fc.nat({ max: 200 }).map((length) => JSON.stringify(right).slice(0, length)) },
    { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
    { weight: 1, arbitrary: fc.constant('{"__proto__":{"tabs":["x"],"polluted":true}}') },
  )

const poison = fc.record({
  tab: textOf(ENTRIES[tabKey(CLIENT)]),
  hint: textOf(ENTRIES[sessionMarkerKey(CLIENT)]),
  activity: textOf(ENTRIES[activityKey(CLIENT)]),
  agent: textOf(ENTRIES[agentKey(CLIENT)]),
  agreed: fc.oneof(spoiled(AGREED), evil),
})

/** One start-up, one renewal, one sign-out on poisoned storages. */
async function live(
  values: { tab: string; hint: string; activity: string; agent: string; agreed: unknown },
  hasSession: boolean,
) {
  const browser = createFakeBrowser({
    localStorage: {
      [sessionMarkerKey(CLIENT)]: values.hint,
      [activityKey(CLIENT)]: values.activity,
      [agentKey(CLIENT)]: values.agent,
      theme: 'dark',
    },
  })
  await browserWorks(browser).update(
    alikeTabsName({ ...CLIENT, asked: parseConfig(CONFIG).asked }),
    () => values.agreed,
  )
  const server = createFakeAuthServer(hasSession ? {} : { user: undefined })
  const host = createFakeHost(APP, {
    browser,
    sessionStorage: createFakeStorage({ [tabKey(CLIENT)]: values.tab, theme: 'dark' }),
    server,
  })
  const auth = createAuth({ ...CONFIG, autoLogin: false }, { platform: host.platform })
  void auth.start()
  // Whoever seems to be a sibling is waited for.
  await browser.clock.advance(2_000)
  return { auth, host, browser, server }
}

describe('a start-up on poisoned storages', () => {
  it('finds the session, renews it and ends it as if nothing had been there: 400 browsers with 5 wrong values each', async () => {
    let livedCount = 0
    await checkGenerated(
      'poisoned values beside a session',
      fc.asyncProperty(poison, async (values) => {
        const { auth, host, browser } = await live(values, true)
        const { status } = auth.getState()
        // An idle time that is over is a right value too, and cannot be told from a wrong one.
        if (status !== 'authenticated') {
          const isIdle = Number(values.activity) > 0 && Number(values.activity) < FAKE_START_MS
          expect([isIdle && 'redirecting']).toContain(status)
          return
        }
        livedCount += 1
        const renewing = auth.renew({ force: true })
        await browser.clock.advance(2_000)
        await renewing
        const leaving = auth.logout()
        // Whoever seems to be a sibling is waited for here too.
        await browser.clock.advance(500)
        await leaving
        expect(host.navigations.map((address) => new URL(address).pathname)).toEqual(['/oauth/logout'])
        expect(host.warnings).toEqual([])
        for (const storage of [host.sessionStorage, host.localStorage]) {
          const { theme, ...ours } = storage.entries()
          expect(theme).toBe('dark')
          expect(Object.keys(ours).filter((key) => !key.startsWith('latchkey'))).toEqual([])
        }
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
      }),
    )
    expect(livedCount).toBeGreaterThan(generatedRuns('poisoned values beside a session') * 0.7)
  }, 120_000)

  it('without a session shows nobody signed in, and a click still signs in: 100 browsers', async () => {
    await checkGenerated(
      'poisoned values without a session',
      fc.asyncProperty(poison, async (values) => {
        const { auth, host } = await live(values, false)
        expect(auth.getState().status).toBe('unauthenticated')
        await auth.login()
        expect(host.navigations.map((address) => new URL(address).pathname)).toEqual(['/oauth/authorize'])
      }),
    )
  }, 60_000)
})
