// A server that is away, in real Chromium: whatever the user does, the app stays on its own page.
import type { BrowserContext, Cookie, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { AuthError } from '../../../src/base/errors.ts'
import { authOf } from '../authOf.ts'
import { type TestBrowsers, useBrowsers, useDemo } from '../fixture.ts'
import { expectHeading, expectSignedIn } from '../page.ts'
import { button, comeBack, openAndSignIn, openSignedIn, pick } from '../user.ts'
import { enterName, signInAtProvider, useOidcDemo } from '../oidc/oidcDemo.ts'

type Fault = 'refuses' | 'hangs' | 'resets'
/** Longest wait for one thing, with several browsers at work. */
const WAIT_MS = 60_000

/** The app and a server of one kind, as the moments below use them. */
interface Place extends Pick<TestBrowsers, 'openBrowser'> {
  readonly origin: string
  readonly server: string
  /** Opens the app where the server knows the browser already. */
  openSignedIn(page: Page): Promise<void>
  /** On the sign-in page: gives the credentials, and does not wait. */
  giveCredentials(page: Page): Promise<void>
}

/** Stands between a browser and the server, from the network's side of the browser. */
async function standBetween(context: BrowserContext, server: string, fault: Fault) {
  let isAway = false
  /** What a call of the app comes to. */
  const outcomeOf = async (page: Page, name: CallName) => {
    await begin(page, name)
    let outcome: string | undefined
    await expect
      .poll(
        async () => {
          if (fault === 'hangs' && isAway) await page.clock.fastForward(2_000)
          outcome = await page.evaluate(() => (globalThis as { outcome?: string }).outcome)
          return outcome
        },
        { timeout: WAIT_MS, interval: 100 },
      )
      .toBeDefined()
    return outcome
  }
  const visits: string[] = []
  await context.route(`${server}/**`, async (route) => {
    const request = route.request()
    if (!isAway) return route.fallback()
    if (request.isNavigationRequest() && !request.frame().parentFrame())
      visits.push(new URL(request.url()).pathname)
    if (fault === 'refuses') return route.abort('connectionrefused')
    if (fault === 'resets') return route.abort('connectionreset')
    // A server that hangs: no answer.
  })
  return {
    /** Where windows were sent while it was away. */
    visits,
    goAway: () => {
      isAway = true
    },
    comeBack: () => {
      isAway = false
    },
    /** Waits for this status; for a server that hangs the page's clock runs faster than this machine's. */
    async waitFor(page: Page, status: string) {
      await expect
        .poll(
          async () => {
            if (fault === 'hangs') await page.clock.fastForward(2_000)
            return statusOf(page)
          },
          { timeout: WAIT_MS, interval: 100 },
        )
        .toBe(status)
    },
    outcomeOf,
    /** The server is heard of, and away again: what it was a moment ago decides nothing. */
    async goAwayAnew(page: Page) {
      isAway = false
      expect(await outcomeOf(page, 'renew')).toBe('done')
      isAway = true
    },
  }
}
type Between = Awaited<ReturnType<typeof standBetween>>

const statusOf = async (page: Page) => (await authOf(page)).evaluate((auth) => auth.getState().status)
type CallName = 'popup' | 'renew' | 'stepUp' | 'logout'
/** Makes a call of the app, whose outcome is then a global of the page. */
const begin = async (page: Page, name: CallName) =>
  (await authOf(page)).evaluate((auth, what) => {
    const globals = globalThis as { outcome?: string | undefined }
    globals.outcome = undefined
    const settle = (outcome: string) => {
      globals.outcome = outcome
    }
    const work = {
      popup: async () => auth.login({ display: 'popup' }),
      renew: async () => auth.renew({ force: true }),
      logout: async () => auth.logout(),
      stepUp: async () =>
        auth.stepUp((await auth.fetch('/strong').catch((error: unknown) => error)) as AuthError),
    }
    void work[what]().then(
      () => settle('done'),
      (error: unknown) => settle((error as { code?: string }).code ?? String(error)),
    )
  }, name)
const AWAY = /^(?:network|timeout|unexpected-status)$/

interface Story {
  readonly place: Place
  readonly context: BrowserContext
  readonly between: Between
  readonly page: Page
}
type Moment = (story: Story) => Promise<void>

// A response that comes later than the fault would be a sign of life.
const heardAll = (page: Page) => page.waitForLoadState('networkidle')
/** Each is one browser's, moment by moment: the app's page costs most of a moment's time, and each moment is judged by itself. */
const WALKS: readonly Readonly<Record<string, Moment>>[] = [
  {
    async 'a fresh visit'({ place, page, between }) {
      between.goAway()
      await page.goto(place.origin)
      await between.waitFor(page, 'failed')
    },
    async 'the return with a code'({ place, page, between }) {
      between.comeBack()
      page.on('request', (request) => {
        // Not the hidden frame, which has come back before.
        const isWindow = request.isNavigationRequest() && !request.frame().parentFrame()
        if (isWindow && request.url().startsWith(`${place.origin}/?`)) between.goAway()
      })
      await page.goto(`${place.origin}/activity`)
      await place.giveCredentials(page)
      await page.waitForURL(`${place.origin}/**`)
      await between.waitFor(page, 'failed')
    },
  },
  {
    async 'a next visit'({ place, page, between }) {
      await place.openSignedIn(page)
      await heardAll(page)
      between.goAway()
      await comeBack(page)
      await between.waitFor(page, 'failed')
    },
    async 'a renewal'({ page, between }) {
      between.comeBack()
      await page.reload()
      await expectSignedIn(page)
      await heardAll(page)
      between.goAway()
      expect(await between.outcomeOf(page, 'renew')).toMatch(AWAY)
      expect(await statusOf(page)).toBe('authenticated')
    },
    async 'a step-up'({ page, between }) {
      await between.goAwayAnew(page)
      await page.route('**/strong', async (route) =>
        route.fulfill({
          status: 401,
          headers: { 'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age="60"' },
        }),
      )
      expect(await between.outcomeOf(page, 'stepUp')).toMatch(AWAY)
      expect(await statusOf(page)).toBe('authenticated')
    },
    async 'a second tab'({ place, context, page, between }) {
      await between.goAwayAnew(page)
      const other = await context.newPage()
      await other.goto(place.origin)
      await between.waitFor(other, 'authenticated')
      expect(new URL(other.url()).origin).toBe(place.origin)
      await other.close()
    },
    async 'a logout'({ page, between }) {
      await between.goAwayAnew(page)
      expect(await between.outcomeOf(page, 'logout')).toBe('done')
      await expectHeading(page, 'You are signed out')
    },
    async 'a sign-in in a window'({ context, page, between }) {
      expect(await between.outcomeOf(page, 'popup')).toMatch(AWAY)
      await expect.poll(() => context.pages().length, { timeout: WAIT_MS }).toBe(1)
    },
  },
]
const MOMENTS = WALKS.flatMap((walk) => Object.keys(walk))

function describeMoments(what: string, fault: Fault, usePlace: () => Place): void {
  describe(`with ${what}, a server that`, () => {
    const place = usePlace()
    it(`${fault} leaves the app where it is at ${MOMENTS.join(', ')}`, async () => {
      const outcomes: Record<string, string> = {}
      const walk = async (moments: Readonly<Record<string, Moment>>) => {
        const context = await place.openBrowser()
        context.setDefaultTimeout(WAIT_MS)
        await context.clock.install()
        const between = await standBetween(context, place.server, fault)
        const page = await context.newPage()
        for (const [name, moment] of Object.entries(moments)) {
          const outcome = await moment({ place, context, between, page }).then(
            () => (new URL(page.url()).origin === place.origin ? 'stays' : `is at ${page.url()}`),
            String,
          )
          // Where the windows were sent meanwhile.
          outcomes[name] = [outcome, ...between.visits.splice(0)].join(', ')
          if (outcome !== 'stays') break
        }
        await context.close()
      }
      // Beside each other, each in a browser of its own: most of the time is waiting.
      await Promise.all(WALKS.map(walk))
      expect(outcomes).toEqual(Object.fromEntries(MOMENTS.map((name) => [name, 'stays'])))
    })
  })
}

describe('at every moment', { tags: ['thorough'], timeout: 5 * WAIT_MS }, () => {
  // A walk is longer than the demo's tokens live.
  const app = {
    accessTokenLifetimeSeconds: 3_600,
    auth: { iframeTimeoutInSeconds: 10, verifyFirstVisit: true },
  }

  // One fault at each server, of those that answer at once and those that do not: on a fake host both meet all, at each of these moments.
  describeMoments('authHost', 'resets', () => {
    const demo = useDemo(app)
    return {
      get origin() {
        return demo.origin
      },
      get server() {
        return demo.authServer.origin
      },
      openBrowser: demo.openBrowser,
      openSignedIn: (page) => openSignedIn(page, demo.origin),
      giveCredentials: (page) => pick(page, 'anna'),
    }
  })

  describeMoments('openIdConnect', 'hangs', () => {
    const demo = useOidcDemo(app)
    const browsers = useBrowsers()
    /** What the provider knows a browser by. */
    let signingIn: Promise<Cookie[]> | undefined
    const signInOnce = async () => {
      const context = await browsers.openBrowser()
      const page = await context.newPage()
      await page.goto(demo.origin)
      await signInAtProvider(page)
      const cookies = await context.cookies(demo.issuer)
      await context.close()
      return cookies
    }
    return {
      get origin() {
        return demo.origin
      },
      get server() {
        return new URL(demo.issuer).origin
      },
      openBrowser: browsers.openBrowser,
      async openSignedIn(page) {
        signingIn ??= signInOnce()
        await page.context().addCookies(await signingIn)
        await page.goto(demo.origin)
        await expectSignedIn(page)
      },
      async giveCredentials(page) {
        await enterName(page)
        await page.getByRole('button', { name: 'Continue' }).click()
      },
    }
  })
})

describe('a server that refuses connections', () => {
  const demo = useDemo()

  it('at a next visit leaves the app where it is, which signs in by itself once it is back', async () => {
    const page = await demo.openPage()
    await openAndSignIn(page, `${demo.origin}/activity`)
    await page.route(`${demo.authServer.origin}/**`, async (route) => route.abort('connectionrefused'))
    await comeBack(page)
    await expectHeading(page, 'We could not sign you in')
    await page.unrouteAll()
    await expectHeading(page, 'Activity')
  })

  it('at a logout leaves the app where it is, which goes to the logout page once it is back', async () => {
    const context = await demo.openBrowser()
    await context.clock.install()
    const { goAway, comeBack, visits } = await standBetween(context, demo.authServer.origin, 'refuses')
    const page = await context.newPage()
    await openSignedIn(page, demo.origin)
    goAway()
    await button(page, 'Sign out').click()
    await expectHeading(page, 'You are signed out')
    expect([visits, new URL(page.url()).origin]).toEqual([[], demo.origin])
    comeBack()
    const atLogout = page.waitForRequest((request) => new URL(request.url()).pathname === '/oauth/logout')
    await page.clock.fastForward(3_000)
    await atLogout
    await expectHeading(page, 'You are signed out')
  })
})
