// Signing in again in a window, in real Chromium: the page and what was typed into it stay, with and without an opener policy of the server.
import type { BrowserContext, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { authOf } from '../authOf.ts'
import { useDemo } from '../fixture.ts'
import { addressOf, expectEventually, expectVisible } from '../page.ts'
import { comeBack, openAndSignIn, pick } from '../user.ts'
import { closeBy, openPopup } from '../popups/popup.ts'

const TYPED = 'HELP-1234 🚲 “half a sentence” ·  and so on'

const HOSTILE = 'http://hostile.localhost'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Your session ended' })
const field = (page: Page) => page.getByLabel('Request code')
const userOf = async (page: Page) =>
  (await authOf(page)).evaluate((auth) => {
    const state = auth.getState()
    return state.status === 'authenticated' ? state.user.userId : state.status
  })

async function openWindow(page: Page): Promise<Page> {
  const popup = await openPopup(page, dialogOf(page).getByRole('button', { name: 'Sign in', exact: true }))
  await popup.locator('button[value="anna"]').waitFor()
  return popup
}

/** The server's pages in windows cut themselves off, as those of many providers do. */
const cutOff = (context: BrowserContext, authHost: string) =>
  context.route(`${authHost}/**`, async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    await route.fulfill({
      response,
      headers: { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' },
    })
  })

const HEADS = { without: false, with: true }

for (const [head, hasEarly] of Object.entries(HEADS))
  describe(
    `signing in again in a window, ${head} latchkey/early`,
    { tags: hasEarly ? ['thorough'] : [] },
    () => {
      const demo = useDemo({ hasEarly })

      /** Something is typed into a form, and then the session ends. */
      async function typeAndExpire(open = async (context: BrowserContext) => context.newPage()) {
        const context = await demo.openBrowser()
        const page = await open(context)
        await openAndSignIn(page, `${demo.origin}/support-access?a=b#c`)
        // A frame of this browser finds the session: from then on a frame that finds nobody says that it has ended.
        await comeBack(page)
        await field(page).fill(TYPED)
        // Where the mark is, the element is the same.
        await field(page).evaluate((element) => element.setAttribute('data-marked', ''))
        demo.authServer.revokeAllSessions()
        await context.clearCookies()
        const auth = await authOf(page)
        await auth.evaluate((own) => own.renew({ force: true }).catch(() => {}))
        await expectVisible(dialogOf(page))
        demo.authServer.requests.clear()
        return { context, page }
      }
      const typed = (page: Page) => page.locator('input[data-marked]').inputValue()

      it.each([false, true])(
        'keeps every character and the focus; the server cuts off: %s',
        async (isCutOff) => {
          const { context, page } = await typeAndExpire()
          if (isCutOff) await cutOff(context, demo.authServer.origin)
          const popup = await openWindow(page)
          await closeBy(popup, () => pick(popup, 'anna'))
          await dialogOf(page).waitFor({ state: 'detached' })
          expect(await typed(page)).toBe(TYPED)
          expect([await userOf(page), await addressOf(page)]).toEqual([
            'anna',
            `${demo.origin}/support-access?a=b#c`,
          ])
          const isFocused = () => page.evaluate(() => document.activeElement?.hasAttribute('data-marked'))
          await expectEventually(isFocused, true)
          expect(context.pages()).toHaveLength(1)
          expect(demo.tokenCalls('authorization_code')).toBe(1)
        },
      )

      it(
        'gives nothing to a hostile page that has opened the app, not where it knows the window’s name and state',
        { tags: ['thorough'] },
        async () => {
          let hostile: Page | undefined
          const { context, page } = await typeAndExpire(async (opened) => {
            await opened.route(`${HOSTILE}/**`, async (route) =>
              route.fulfill({ contentType: 'text/html', body: '<title>Hostile</title>' }),
            )
            hostile = await opened.newPage()
            await hostile.goto(HOSTILE)
            const [app] = await Promise.all([
              hostile.waitForEvent('popup'),
              hostile.evaluate((url) => {
                const heard: unknown[] = []
                addEventListener('message', ({ data }) => heard.push(data))
                Object.assign(globalThis, { heard, app: open(url, 'app') })
              }, `${demo.origin}/support-access`),
            ])
            return app
          })
          expect(await page.evaluate(() => opener !== null)).toBe(true)
          let state: string | null = null
          context.on('request', (request) => {
            if (request.url().includes('/oauth/authorize?'))
              state = new URL(request.url()).searchParams.get('state')
          })
          const popup = await openWindow(page)
          const name = await popup.evaluate(() => window.name)
          const forged = `${demo.origin}/?code=of-the-attacker&state=${state}`
          expect(name).toMatch(/ popup sign-in$/)

          // What a page can say to the app that it has opened, and on channels of its own origin.
          await hostile!.evaluate(
            ([address, channel]) => {
              const app = Reflect.get(globalThis, 'app') as Window
              const own = new BroadcastChannel(channel)
              for (const message of [{ type: 'signInAnswer', address }, 'closeMe', address]) {
                app.postMessage(message, '*')
                own.postMessage(message)
              }
            },
            [forged, name] as const,
          )
          // It cannot send the window on: only who has opened it can, or a page of its origin.
          demo.expectOnConsole(/^Unsafe attempt to initiate navigation/)
          const signInPage = popup.url()
          await hostile!.evaluate(([url, known]) => void open(url, known), [
            `${HOSTILE}/taken`,
            name,
          ] as const)
          await hostile!.evaluate((known) => void open('', known), name)
          expect([popup.url(), popup.isClosed()]).toEqual([signInPage, false])
          expect([await userOf(page), await typed(page)]).toEqual(['unauthenticated', TYPED])
          expect(await hostile!.evaluate(() => Reflect.get(globalThis, 'heard') as unknown)).toEqual([])
          // A page of the app that it goes to itself does not keep the name, and hands over nothing.
          await hostile!.evaluate(
            ([url, known]) => {
              window.name = known
              location.assign(url)
            },
            [forged, name] as const,
          )
          await hostile!.locator('button[value="anna"]').waitFor()
          expect([await userOf(page), await typed(page)]).toEqual(['unauthenticated', TYPED])
          expect(demo.authServer.requests.matching({ method: 'POST', path: '/oauth/token' })).toEqual([])

          // The window is still that of the user.
          await closeBy(popup, () => pick(popup, 'anna'))
          await dialogOf(page).waitFor({ state: 'detached' })
          expect([await userOf(page), await typed(page)]).toEqual(['anna', TYPED])
        },
      )

      it('takes no window that its sign-in page opens for its own', { tags: ['thorough'] }, async () => {
        const { context, page } = await typeAndExpire()
        const popup = await openWindow(page)
        const openFrom = async (url: string) => {
          const [opened] = await Promise.all([
            context.waitForEvent('page'),
            popup.evaluate((address) => void open(address), url),
          ])
          return opened
        }
        // It begins with a copy of the window's session storage, and the mark in it.
        const plain = await openFrom(`${demo.origin}/support-access`)
        await plain.locator('button[value="anna"]').waitFor()
        expect(popup.isClosed()).toBe(false)
        const forged = await openFrom(`${demo.origin}/?code=of-the-attacker&state=of-the-attacker`)
        if (!forged.isClosed()) await forged.waitForEvent('close')
        // Nobody but a page of the app would be told.
        demo.expectOnConsole(/^Failed to execute 'postMessage' on 'DOMWindow': The target origin provided/)
        expect([await userOf(page), await typed(page)]).toEqual(['unauthenticated', TYPED])
        expect(demo.authServer.requests.matching({ method: 'POST', path: '/oauth/token' })).toEqual([])
        // Who signs in in the one that was opened is signed in here too; the window is done with.
        await closeBy(popup, () => pick(plain, 'anna'))
        await dialogOf(page).waitFor({ state: 'detached' })
        expect([await userOf(page), await typed(page)]).toEqual(['anna', TYPED])
        await plain.locator('#content').waitFor()
      })

      // The script in the head has no part in these.
      if (hasEarly) return

      it('shows another user nothing of the one before', async () => {
        const { page } = await typeAndExpire()
        const popup = await openWindow(page)
        await closeBy(popup, () => pick(popup, 'chiara'))
        await dialogOf(page).waitFor({ state: 'detached' })
        await expectEventually(() => userOf(page), 'chiara')
        await expectEventually(() => field(page).inputValue(), '')
        expect(await page.locator('[data-marked]').count()).toBe(0)
      })

      it('in a window that is blocked asks before it leaves the page', async () => {
        const { page } = await typeAndExpire()
        await page.evaluate(() => {
          window.open = () => null
        })
        await dialogOf(page).getByRole('button', { name: 'Sign in', exact: true }).click()
        await expectVisible(dialogOf(page).getByText(/^Your browser blocked the window/))
        expect(await typed(page)).toBe(TYPED)
        await dialogOf(page).getByRole('button', { name: 'Leave this page and sign in' }).click()
        await pick(page, 'anna')
        await expectVisible(field(page))
        expect(await addressOf(page)).toBe(`${demo.origin}/support-access?a=b#c`)
      })

      it('in a window that is closed by hand says so, and the text stays; the next one is brought to the front, and tells another tab', async () => {
        const { context, page } = await typeAndExpire()
        await (await openWindow(page)).close()
        await expectVisible(dialogOf(page).getByText('The window was closed before anything changed.'))
        await expectVisible(dialogOf(page).getByRole('button', { name: 'Leave this page and sign in' }))
        expect([await typed(page), await userOf(page)]).toEqual([TYPED, 'unauthenticated'])
        const popup = await openWindow(page)
        await dialogOf(page).getByRole('button', { name: 'Show the window' }).click()
        expect(context.pages()).toHaveLength(2)
        await page.keyboard.press('Escape')
        await expectVisible(dialogOf(page))
        await closeBy(popup, () => pick(popup, 'anna'))
        await dialogOf(page).waitFor({ state: 'detached' })
        const other = await context.newPage()
        await other.goto(demo.origin)
        await other.locator('#content').waitFor()
        expect([await userOf(other), demo.tokenCalls('authorization_code')]).toEqual(['anna', 1])
      })
    },
  )
