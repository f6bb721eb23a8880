// A token's life counts from when it was asked for, however long the answer and the app's own files are on their way.
import { expect, it, vi } from 'vitest'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import type { TabsPort } from '../../../src/session/platform/platform.ts'
import { createFakeAuthServer, type FakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost, type FakeHost } from '../../../src/testing/fakeHost.ts'
import { earlyScript, type EarlyPage, openEarlyPage } from '../early/earlyScene.ts'
import { APP, CONFIG, createScene, isOpenIdConnect, startScene } from '../session/sessionScene.ts'

await earlyScript()

const LIFE_IN_SECONDS = 60
const renewalCount = ({ tokenRequests }: FakeAuthServer) =>
  tokenRequests.filter(({ grantType }) => grantType === 'refresh_token').length

const expiresInMs = (auth: Auth, { clock }: FakeHost) => {
  const state = auth.getState()
  return state.status === 'authenticated' ? (state.expiresAtMs ?? NaN) - clock.nowMs : undefined
}

/** A page that has started, whose server takes a while to answer with a token. */
function openSlowPage(answersAfterMs: number, autoRefreshToken = true) {
  const server = createFakeAuthServer({ expiresInSeconds: LIFE_IN_SECONDS })
  const scene = createScene({
    config: { autoRefreshToken },
    host: {
      server,
      async fetch(input, init) {
        const response = await server.fetch(input, init)
        await new Promise<void>((resolve) => scene.host.platform.setTimer(resolve, answersAfterMs))
        return response
      },
    },
  })
  void scene.auth.start()
  return { ...scene, server }
}

it('whose answer took ten seconds is ten seconds old, after a sign-in and after a renewal', async () => {
  const { host, server, auth } = openSlowPage(10_000)
  await host.clock.advance(10_000)
  expect(expiresInMs(auth, host)).toBe(50_000)
  // 30 seconds before it expires.
  await host.clock.advance(19_999)
  expect(renewalCount(server)).toBe(0)
  await host.clock.advance(1)
  expect(renewalCount(server)).toBe(1)
  await host.clock.advance(10_000)
  expect(expiresInMs(auth, host)).toBe(50_000)
})

it.each([true, false])(
  'that was on its way while the machine slept is replaced before anybody gets it (renewal by itself: %s)',
  async (autoRefreshToken) => {
    const { host, server, auth } = openSlowPage(1000, autoRefreshToken)
    await host.clock.advance(1000)
    const renewing = auth.renew({ force: true })
    await host.settle()
    expect(renewalCount(server)).toBe(1)
    host.clock.sleep(1_200_000)
    let token = ''
    const asking = auth.getAccessToken().then((given) => (token = given))
    await host.clock.advance(1000)
    await renewing
    expect(token).toBe('')
    await host.clock.advance(1000)
    await asking
    expect(renewalCount(server)).toBe(2)
    expect(expiresInMs(auth, host)).toBe(59_000)
    expect(token).toBe(await auth.getAccessToken())
  },
)

/** The script has asked for a token, and the app starts 20 s later. */
async function expectItsAge(page: EarlyPage) {
  expect(page.sent).toHaveLength(1)
  await page.host.clock.advance(20_000)
  const auth = page.createAuth()
  void auth.start()
  await page.host.settle()
  expect(page.host.requests).toEqual([])
  expect(expiresInMs(auth, page.host)).toBe(40_000)
}

// The early script of an OpenID Connect provider takes no code to the token endpoint.
it.skipIf(isOpenIdConnect)('that the page’s first script asked for is as old as that', async () => {
  const server = createFakeAuthServer({ expiresInSeconds: LIFE_IN_SECONDS })
  const page = await openEarlyPage({ server })
  await expectItsAge(page)
})

it.skipIf(isOpenIdConnect)(
  'that the page’s first script got for the code in the address is as old as that',
  async () => {
    const server = createFakeAuthServer({ expiresInSeconds: LIFE_IN_SECONDS })
    const left = await startScene({ server: { user: undefined } })
    const [authorizeAddress = ''] = left.host.navigations
    const page = await openEarlyPage({
      server,
      address: server.callbackOf(authorizeAddress),
      sessionStorage: left.host.sessionStorage.entries(),
    })
    await expectItsAge(page)
  },
)

it('that another tab hands over has the life that is left, counted from the question', async () => {
  const browser = createFakeBrowser({ whileSettling: () => vi.dynamicImportSettled() })
  const server = createFakeAuthServer({ expiresInSeconds: LIFE_IN_SECONDS })
  let tabCount = 0
  const open = () => {
    tabCount += 1
    const key = tabCount
    // Its browser takes ten milliseconds to read what the sibling has sealed.
    const slow = (real: TabsPort): TabsPort => ({
      ...real,
      seal: real.seal && {
        ...real.seal,
        async createKey() {
          const created = await real.seal!.createKey()
          const waiting = () => new Promise<void>((resolve) => host.platform.setTimer(resolve, 10))
          return { ...created, open: (sealed) => waiting().then(() => created.open(sealed)) }
        },
      },
    })
    const host = createFakeHost(APP, {
      browser,
      // The name of the tab.
      randomBytes: (length) => new Uint8Array(length).fill(key),
      server,
    })
    const platform = { ...host.platform, tabs: () => slow(host.platform.tabs()) }
    const auth = createAuth({ ...CONFIG, autoLogin: false }, { platform })
    void auth.start()
    return { host, auth }
  }
  const first = open()
  await first.host.settle()
  await browser.clock.advance(20_000)
  expect(expiresInMs(first.auth, first.host)).toBe(40_000)
  const second = open()
  await browser.clock.advance(500)
  expect(second.host.requests).toEqual([])
  expect(expiresInMs(second.auth, second.host)).toBe(39_500)
})

// With an ID token the own origin is asked for the time first (test/oidc/session).
it.skipIf(isOpenIdConnect)(
  'that was on its way while somebody set the clock back is as good as new',
  async () => {
    const { host, server, auth } = openSlowPage(1_000)
    await host.settle()
    host.clock.jump(-86_400_000)
    await host.clock.advance(1_000)
    expect(expiresInMs(auth, host)).toBe(60_000)
    // A token that is young when it comes has half of its life left when it is renewed.
    await host.clock.advance(30_000)
    expect(renewalCount(server)).toBe(1)
  },
)
