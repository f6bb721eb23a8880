// Several tabs of one browser: one renewal for all of them, whatever the browser lacks and whoever dies, and an end that reaches each.
import type { BrowserContext, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { alikeTabsName } from '../../../src/protocol/storageKeys.ts'
import { stopLongTimers } from '../clock.ts'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectVisible } from '../page.ts'
import { button, openOtherTab, openSignedIn, signIn } from '../user.ts'

const HOUR = 3_600_000
describe('the tabs of a browser', () => {
  const demo = useDemo({
    accessTokenLifetimeSeconds: 600,
    auth: { autoLogout: false, verifyFirstVisit: true },
  })

  async function openTabs(context: BrowserContext, count: number): Promise<Page[]> {
    const first = await context.newPage()
    await openSignedIn(first, demo.origin)
    await expectHeading(first, /, Anna$/)
    const tabs = [first]
    while (tabs.length < count) tabs.push(await openOtherTab(first))
    return tabs
  }

  /** As after a sleep: the wall clock has gone on, and every tab is told that it is looked at again. */
  async function wake(tabs: readonly Page[]) {
    await Promise.all(
      tabs.map(async (tab) =>
        tab.evaluate((ms) => {
          const { now } = Date
          Date.now = () => now() + ms
        }, HOUR),
      ),
    )
    await Promise.all(tabs.map(async (tab) => tab.evaluate(() => dispatchEvent(new Event('focus')))))
  }

  const renewals = (tab: Page, count: number) => expectVisible(tab.getByText(`${count} in this tab`))

  const LACKS = {
    locks: () => Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }),
    channels: () => Reflect.deleteProperty(globalThis, 'BroadcastChannel'),
  }

  describe.each([
    ['a browser with everything', [], 1],
    // Tabs that do not share have a grant each.
    ['a browser without both', ['locks', 'channels'], 3],
  ] as const)('%s', { tags: ['thorough'] }, (_which, lacks, expected) => {
    it('renews once for each grant when all tabs wake, twice over, and uses no refresh token twice', async () => {
      const context = await demo.openBrowser()
      for (const part of lacks) await context.addInitScript(LACKS[part])
      await stopLongTimers(context)
      const tabs = await openTabs(context, 3)
      const { reuseDetected, familiesRevoked } = demo.authServer.counts
      for (let round = 1; round <= 2; round += 1) {
        await wake(tabs)
        for (const tab of tabs) await renewals(tab, round)
        expect(demo.tokenCalls('refresh_token')).toBe(expected * round)
      }
      expect(demo.authServer.counts).toMatchObject({ reuseDetected, familiesRevoked })
    })
  })

  describe.each([
    [
      'a database of our name without its store',
      (name: string) => {
        if (location.protocol === 'http:') indexedDB.open(name, 1)
      },
    ],
    [
      'a database of our name that somebody keeps in a change of its version',
      (name: string) => {
        if (location.protocol !== 'http:') return
        const opening = indexedDB.open(name, 1)
        opening.addEventListener('upgradeneeded', () => {
          const store = opening.result.createObjectStore('of somebody else')
          // A transaction lives as long as somebody asks it for something.
          const ask = () => store.get('nothing').addEventListener('success', ask)
          ask()
        })
      },
    ],
    [
      'a database that throws',
      () => {
        IDBFactory.prototype.open = () => {
          throw new DOMException('denied', 'SecurityError')
        }
      },
    ],
  ] as const)('%s', { tags: ['thorough'] }, (_which, spoil) => {
    it('costs no sign-in, no new tab and no renewal', async () => {
      const context = await demo.openBrowser()
      const name = alikeTabsName({
        authHost: demo.authServer.origin,
        clientId: 'demo-admin',
        asked: 'demo-admin  offline_access openid profile',
      })
      await context.addInitScript(spoil, name)
      const tabs = await openTabs(context, 2)
      for (const tab of tabs) {
        await button(tab, 'Renew now').click()
        await expectVisible(tab.getByText('in this tab'))
      }
      await tabs[0]!.reload()
      await expectHeading(tabs[0]!, /, Anna$/)
    })
  })

  describe('the tab that renews for all', () => {
    it('is closed in the middle: the next one finds the session again, and no refresh token is used twice', async () => {
      const context = await demo.openBrowser()
      const [winner, next, third] = (await openTabs(context, 3)) as [Page, Page, Page]
      const { reuseDetected, refreshes } = demo.authServer.counts
      // The server has rotated the token, and its answer never comes.
      demo.authServer.faults.add({
        path: '/oauth/token',
        grant: 'refresh_token',
        stage: 'after',
        hang: true,
        times: 1,
      })
      await button(winner, 'Renew now').click()
      await expectEventually(() => demo.tokenCalls('refresh_token'), 1)
      await winner.close()
      await button(next, 'Renew now').click()
      await renewals(next, 1)
      await renewals(third, 1)
      expect(demo.authServer.counts.reuseDetected).toBe(reuseDetected)
      expect(demo.authServer.counts.refreshes - refreshes).toBeLessThanOrEqual(1)
      expect(demo.authorizeVisits('redirect')).toBe(0)
    })
  })

  describe('a server that wants to be left alone', () => {
    it(
      'is asked by no tab before the time, not by one that opens in between either',
      { tags: ['thorough'] },
      async () => {
        const context = await demo.openBrowser()
        const [first, second] = (await openTabs(context, 2)) as [Page, Page]
        demo.authServer.faults.add({
          path: '/oauth/token',
          grant: 'refresh_token',
          status: 429,
          // Longer than a busy machine takes for the rest.
          retryAfter: 120,
        })
        await button(first, 'Renew now').click()
        await expectVisible(first.getByRole('main').getByText(/^Code rate-limited/))
        const late = await openOtherTab(first)
        for (const tab of [second, late]) {
          await button(tab, 'Renew now').click()
          await expectVisible(tab.getByRole('main').getByText(/^Code rate-limited/))
        }
        expect(demo.tokenCalls('refresh_token')).toBe(1)
      },
    )
  })

  describe('a tab that is opened beside a signed-in one', () => {
    it('is signed in without one request for a session, also as a copy of the other', async () => {
      const context = await demo.openBrowser()
      const [first] = (await openTabs(context, 1)) as [Page]
      await stopLongTimers(context)
      demo.authServer.requests.clear()
      const [copy] = await Promise.all([
        context.waitForEvent('page'),
        first.evaluate(() => void open(location.href)),
      ])
      await expectHeading(copy, /, Anna$/)
      const session = demo.authServer.requests.all().filter(({ path }) => path.startsWith('/oauth/'))
      expect(session).toEqual([])
      expect(await copy.evaluate(() => Object.keys(sessionStorage))).toEqual([])
    })
  })

  describe('a sign-out in one tab', () => {
    it('is seen by a frozen tab as soon as it thaws', async () => {
      const context = await demo.openBrowser()
      const [first, frozen] = (await openTabs(context, 2)) as [Page, Page]
      const engine = await context.newCDPSession(frozen)
      await engine.send('Page.setWebLifecycleState', { state: 'frozen' })
      await button(first, 'Sign out').click()
      await expectHeading(first, 'You are signed out')
      await engine.send('Page.setWebLifecycleState', { state: 'active' })
      await expectHeading(frozen, 'You are signed out')
      expect(await frozen.getByText('Anna').count()).toBe(0)
    })

    it('is followed by another user: the other tab shows that one, and nothing of the first, however late an answer comes', async () => {
      const context = await demo.openBrowser()
      const [first, other] = (await openTabs(context, 2)) as [Page, Page]
      demo.authServer.faults.add({ path: '/api/userinfo', delayMs: 2_000, times: 1 })
      await other.reload()
      await expectEventually(
        () => demo.authServer.requests.count({ path: '/api/userinfo', method: 'GET' }) > 2,
        true,
      )
      await button(first, 'Sign out').click()
      await expectHeading(other, 'You are signed out')
      await other.evaluate(() => {
        const seen: string[] = []
        Object.assign(window, { seen })
        new MutationObserver(() => {
          if (document.body.innerText.includes('Anna')) seen.push(document.body.innerText)
        }).observe(document.body, { childList: true, subtree: true, characterData: true })
      })
      await button(first, 'Sign in').click()
      await signIn(first, 'bram')
      await expectHeading(other, /, Bram$/)
      await button(other, 'Renew now').click()
      await expectVisible(other.getByTestId('renewals').getByText(/^[1-9]/))
      expect(await other.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
    })
  })
})
