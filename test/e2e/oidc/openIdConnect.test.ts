// The demo's app on npm oidc-provider as it comes: sign-in, reload, tabs, renewal, logout, and the screens that it has no calls for.
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { stopLongTimers } from '../clock.ts'
import { useBrowsers } from '../fixture.ts'
import {
  addressOf,
  expectEventually,
  expectHeading,
  expectSignedIn,
  expectVisible,
  expectHappened,
} from '../page.ts'
import { button } from '../user.ts'
import { enterName as enter, signInAtProvider as signIn, useOidcDemo } from './oidcDemo.ts'

const PATHS = [
  '/',
  '/tour',
  '/activity',
  '/cloud-account',
  '/sessions',
  '/security',
  '/firm',
  '/admin-consent',
  '/link-map',
  '/support-access',
  '/addresses',
]

/** What the app has drawn in hidden frames; nothing, if all is well. The page's own first screen stands there without it. */
async function watchFrames(page: Page): Promise<readonly string[]> {
  const drawn: string[] = []
  await page.exposeFunction('tellDrawn', (text: string) => drawn.push(text))
  await page.addInitScript(() => {
    if (parent === window) return
    const tell = (globalThis as unknown as { tellDrawn(text: string): void }).tellDrawn
    new MutationObserver(() => {
      const drawn = document.querySelector('#root > :not(.first-screen)')
      if (drawn) tell(drawn.outerHTML)
    }).observe(document, { childList: true, subtree: true })
  })
  return drawn
}

const SIGNED_OUT = 'You are signed out'
const DISCOVERY = 'GET /.well-known/openid-configuration'

const HEADS = { without: false, with: true }

for (const [head, hasEarly] of Object.entries(HEADS))
  describe(`${head} latchkey/early in the head of the page`, { tags: hasEarly ? ['thorough'] : [] }, () => {
    const demo = useOidcDemo({ hasEarly, auth: { betweenPages: false } })
    const browsers = useBrowsers()
    const openSignedIn = async (path = '/', { hasTabs = false } = {}) => {
      const page = hasTabs ? await (await browsers.openBrowser()).newPage() : await browsers.openPage()
      await page.goto(demo.origin + path)
      await signIn(page)
      return { context: page.context(), page }
    }

    it('signs in from nothing without the hidden frame, with one request for the metadata, and leads back to the very place; finds the session again after a reload, by a frame in which nothing of the app is drawn; draws nothing in its own frame, however long that stays', async () => {
      const { page } = await openSignedIn('/security?a=b#c')
      expect(await addressOf(page)).toBe(`${demo.origin}/security?a=b#c`)
      await expectVisible(page.getByRole('complementary').getByText('anna', { exact: true }))
      // The sign-in page; what follows there are the provider's own pages.
      const asked = [DISCOVERY, 'GET /auth', 'POST /token', 'OPTIONS /token'].map(demo.count)
      expect(asked).toEqual([1, 1, 1, 0])

      const drawn = await watchFrames(page)
      demo.forget()
      for (let count = 1; count <= 3; count += 1) {
        await page.reload()
        await expectSignedIn(page)
        expect(await addressOf(page), 'the address after a reload').toBe(`${demo.origin}/security?a=b#c`)
        expect(demo.count('GET /auth'), 'frames after a reload').toBe(count)
        expect(demo.count('POST /token'), 'exchanges after a reload').toBe(count)
      }
      // Beside the frame: no code goes anywhere by what an earlier visit remembered.
      expect(demo.count(DISCOVERY), 'metadata after a reload').toBe(3)
      expect(drawn, 'drawn in the frame of a reload').toEqual([])
      await expectEventually(() => page.locator('iframe[name=agent-iframe]').count(), 0)

      await page.evaluate(() => {
        const frame = document.createElement('iframe')
        frame.name = 'agent-iframe'
        frame.title = 'a copy that stays'
        frame.src = '/security?a=b'
        document.body.append(frame)
      })
      const element = page.locator('iframe[title="a copy that stays"]')
      const inside = (await (await element.elementHandle()).contentFrame())!
      await inside.waitForURL('**/security?a=b', { waitUntil: 'commit' })
      await inside.waitForFunction(() => document.readyState === 'complete')
      // The demo has a place for its devtools there, which stays empty.
      expect(await inside.locator('#root :not(:empty)').count(), 'drawn in a frame that stays').toBe(0)
      expect(await inside.evaluate(() => document.body?.innerText.trim() ?? '')).toBe('')
      // With the script in the head, the page was stopped before the app.
      expect(await inside.locator('#root').count(), 'the app in its own frame').toBe(hasEarly ? 0 : 1)
    })

    it(
      'finds the session again where a script of the page rewrites the URL at once, in the frame too',
      { tags: ['thorough'] },
      async () => {
        const { page } = await openSignedIn('/security')
        // Playwright cannot change the response to a redirect: the provider sends the frame back by a script instead.
        await page.route(`${demo.issuer}/auth?prompt=none&*`, async (route) => {
          const { location } = (await route.fetch({ maxRedirects: 0 })).headers()
          const body = `<script>location.replace(${JSON.stringify(location)})</script>`
          await route.fulfill({ contentType: 'text/html', body })
        })
        await page.route(`${demo.origin}/?*`, async (route) => {
          const response = await route.fetch()
          const rewrite = "<head><script>history.replaceState(null, '', '/dashboard')</script>"
          const headers = { ...response.headers(), 'content-security-policy': '' }
          await route.fulfill({ response, headers, body: (await response.text()).replace('<head>', rewrite) })
        })
        demo.forget()
        await page.reload()
        await expectSignedIn(page)
        expect(await addressOf(page)).toBe(`${demo.origin}/security`)
        expect([demo.count('GET /auth'), demo.count('POST /token')]).toEqual([1, 1])
      },
    )

    it('opens a second tab signed in, without a question to the provider but who the user is; signs out in every tab and at the provider, and comes back with the reason', async () => {
      const { context, page } = await openSignedIn('/', { hasTabs: true })
      await expectEventually(() => demo.count('GET /me'), 1)
      demo.forget()
      const second = await context.newPage()
      await stopLongTimers(second)
      await second.goto(`${demo.origin}/security`)
      await expectSignedIn(second)
      await expectVisible(second.getByRole('complementary').getByText('anna', { exact: true }))
      const others = demo.asked().filter((request) => !request.endsWith(' /me'))
      expect(others, 'asked for a second tab').toEqual([])

      const leaving = page.waitForRequest((request) =>
        request.url().startsWith(`${demo.issuer}/session/end?`),
      )
      await button(page, 'Sign out').click()
      const { searchParams } = new URL((await leaving).url())
      expect(Object.fromEntries(searchParams)).toEqual({
        client_id: 'admin',
        post_logout_redirect_uri: `${demo.origin}/`,
        state: expect.stringMatching(/^\S{6,}$/) as string,
        id_token_hint: expect.stringMatching(/^eyJ/) as string,
      })
      await expectHeading(second, SIGNED_OUT)
      await page.getByRole('button', { name: 'Yes, sign me out' }).click()
      await expectHeading(page, SIGNED_OUT)
      expect(await addressOf(page)).toBe(`${demo.origin}/`)
      // The provider's own session has ended too: it asks who it is.
      await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.locator('input[name=login]').waitFor()
    })

    // The script in the head has no part in these.
    if (hasEarly) return

    it('says so when the user turns back on the page of the provider', { tags: ['thorough'] }, async () => {
      const page = await browsers.openPage()
      await page.goto(`${demo.origin}/security`)
      await enter(page)
      await page.getByRole('link', { name: 'Cancel' }).click()
      await expectHeading(page, 'The sign-in was cancelled')
      expect(await addressOf(page)).toBe(`${demo.origin}/security`)
      expect(demo.count('POST /token')).toBe(0)
    })

    it('explains a screen that only the firm’s own server has, and leaves it out of the menu; renews on the button, with one request and no preflight', async () => {
      const { page } = await openSignedIn('/link-map')
      await expectHeading(page, 'Link map')
      await expectVisible(page.getByText('This server does not have: Link map'))
      const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
      expect(await links.allTextContents()).toEqual(['Home', 'Guided tour', 'Activity', 'Sessions'])
      expect(demo.asked().filter((request) => request.includes('/api/'))).toEqual([])

      await links.first().click()
      demo.forget()
      await button(page, 'Renew now').click()
      await expectVisible(page.getByText('1 in this tab'))
      const renewal = demo.asked().filter((request) => request.endsWith(' /token'))
      expect(renewal, 'asked for a renewal').toEqual(['POST /token'])
    })
  })

describe('a slow page with latchkey/early in its head', { tags: ['thorough'] }, () => {
  const demo = useOidcDemo({ hasEarly: true, auth: { betweenPages: false } })
  const browsers = useBrowsers()

  it('has its tokens before the app’s files have come, after a reload', async () => {
    const page = await browsers.openPage()
    await page.goto(demo.origin)
    await signIn(page)
    demo.forget()
    // No file of the app comes before: whatever is asked for until then, the script in the head has asked for.
    await page.route('**/assets/*.js', async (route) => {
      await expectEventually(() => demo.count('POST /token'), 1)
      await route.continue()
    })
    await page.reload()
    await expectSignedIn(page)
    expect(
      demo
        .asked()
        .filter((request) => !request.endsWith(' /me'))
        .toSorted(),
    ).toEqual([DISCOVERY, 'GET /auth', 'POST /token'])
  })
})

describe('every screen', { tags: ['thorough'] }, () => {
  const demo = useOidcDemo()
  const browsers = useBrowsers()

  it('opens without a fault; says why no other browser shows up: this demo has no messaging service; calls an interface of the provider with the token of the session', async () => {
    const page = await browsers.openPage()
    await page.goto(demo.origin)
    await signIn(page)
    const go = async (path: string) => {
      await page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    for (const path of PATHS) {
      await go(path)
      expect(await page.getByRole('alert').allTextContents(), path).toEqual([])
    }
    await go('/sessions')
    await expectVisible(page.getByText('runs without a messaging service', { exact: false }))
    await expectVisible(page.getByText('This browser only'))
    await expectEventually(() => page.getByText('Warn me instead of signing out').count(), 0)
    await go('/tour')
    await page.getByRole('button', { name: 'Call an API' }).click()
    await expectVisible(page.getByText('It answered 3 fields.'))
  })
})

describe('a policy of the app that keeps its own page out of frames', { tags: ['thorough'] }, () => {
  const demo = useOidcDemo({ policy: () => "frame-ancestors 'none'", auth: { autoLogin: false } })
  const browsers = useBrowsers()

  it('costs the silent check, which says what to change, and no sign-in', async () => {
    browsers.expectOnConsole(/^Framing '\S+' violates .* "frame-ancestors 'none'"/)
    const page = await browsers.openPage()
    await page.goto(demo.origin)
    await expectHappened(page, 'agent-iframe timeout')
    await expectHappened(page, /of the server and of your page\./)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signIn(page)
  })
})

describe.each([
  ['the provider', (issuer: string) => `frame-src ${issuer}/nowhere/`],
  ['the app itself', (issuer: string) => `frame-src ${issuer}`],
])('a policy of the app without %s in frame-src', { tags: ['thorough'] }, (_what, policy) => {
  const demo = useOidcDemo({ policy, auth: { autoLogin: false } })
  const browsers = useBrowsers()

  it('costs the silent check, which says what to add, and no sign-in', async () => {
    browsers.expectOnConsole(/frame-src/)
    const page = await browsers.openPage()
    await page.goto(demo.origin)
    // Nobody is signed in at the provider yet: its frame comes back all the same.
    await expectHappened(page, 'agent-iframe blocked: csp')
    await expectHappened(page, /frame-src of the page's CSP.*'self'/)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signIn(page)
  })
})

describe('a policy of the app without the provider in connect-src', { tags: ['thorough'] }, () => {
  const demo = useOidcDemo({ policy: () => "connect-src 'self'" })
  const browsers = useBrowsers()

  it('ends in a failure that names connect-src, and can be repeated', async () => {
    browsers.expectOnConsole(/connect-src/)
    browsers.expectOnConsole(/Fetch API cannot load/)
    const page = await browsers.openPage()
    await page.goto(demo.origin)
    await expectHappened(page, /did not reach the server/)
    await expectHappened(page, /connect-src/)
    expect(demo.asked()).toEqual([])
  })
})

describe('a policy of the app without the provider in form-action', { tags: ['thorough'] }, () => {
  const demo = useOidcDemo({ policy: () => "form-action 'none'" })
  const browsers = useBrowsers()

  it('keeps no user from signing out: a long ID token goes by the address then, and the console names form-action', async () => {
    browsers.expectOnConsole(/form-action/)
    const page = await browsers.openPage()
    const warnings: string[] = []
    page.on('console', (message) => warnings.push(message.text()))
    await page.goto(demo.origin)
    // The name is a claim: the ID token is too long for an address.
    await enter(page, 'a'.repeat(3_500))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectSignedIn(page)
    await button(page, 'Sign out').click()
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await expectHeading(page, SIGNED_OUT)
    expect(warnings.join('\n')).toContain(`[latchkey] Add ${demo.issuer} to form-action of the page's CSP`)
  })
})
