// What stays in sight while a page scrolls, and what opens in little room: banner, devtools, the editor's find box.

// @module-tag night

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectEventually, expectHeading, expectVisible } from '../page.ts'
import { button, openSignedIn } from '../user.ts'
import { coveredOf } from './looks.ts'

const PHONE = { width: 360, height: 740 }

describe('the bars and boxes of the app', { timeout: 120_000 }, () => {
  const demo = useDemo({ realtime: true, environments: true })

  async function open(path: string, { viewport = PHONE, who = 'anna' } = {}): Promise<Page> {
    const page = await demo.openPage({ viewport })
    await openSignedIn(page, demo.origin + path, who)
    return page
  }
  const widerBy = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

  it('the word that there is no network stays in sight and covers nothing, on a desk and a phone', async () => {
    const page = await open('/cloud-account', { viewport: { width: 1280, height: 620 } })
    await expectHeading(page, 'Cloud account')
    await expectSeenAndFree(page, { hasMenu: false })
    await page.setViewportSize(PHONE)
    await expectSeenAndFree(page, { hasMenu: true })
  })

  async function expectSeenAndFree(page: Page, { hasMenu }: { hasMenu: boolean }): Promise<void> {
    const follow = async (name: string) => {
      if (hasMenu) await page.getByRole('button', { name: 'Open the menu' }).click()
      await page.getByRole('link', { name, exact: true }).filter({ visible: true }).click()
    }
    await follow('Home')
    await page.getByText('anna@noorderlicht.example').first().waitFor()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.context().setOffline(true)
    const banner = page.getByRole('status').filter({ hasText: 'You are offline' })
    await expectVisible(banner)
    const topOf = async () => (await banner.boundingBox())?.y
    expect(await topOf()).toBe(0)
    await page.evaluate(() => scrollTo(0, 300))
    expect(await topOf()).toBe(0)
    expect(await coveredOf(page)).toEqual([])
    await follow('Cloud account')
    await expectHeading(page, 'Cloud account')
    const heading = page.getByRole('heading', { level: 1 })
    const isSeen = await heading.evaluate((element) => {
      const { x, y } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + 4, y + 4))
    })
    expect(isSeen).toBe(true)
    expect(await topOf()).toBe(0)
    expect(await widerBy(page)).toBe(0)
    await page.context().setOffline(false)
    await banner.waitFor({ state: 'detached' })
  }

  it.each([
    ['/cloud-account', 'anna', 'Access token', 'No account is linked'],
    ['/cloud-account', 'bram', 'Access token', 'Confirm it is me'],
    ['/sessions', 'anna', 'Send a message', 'No other sessions'],
  ] as const)('what is slow to come moves nothing on a phone: %s of %s', async (path, who, below, comes) => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString()
    const account = { id: 'cumulus-bram', email: 'bram.jansen@cumulus.example', name: 'Bram Jansen' }
    demo.authServer.accounts.links.delete('anna')
    demo.authServer.accounts.links.set('bram', { account, linkedAt: yesterday, confirmedAt: yesterday })
    // Of a test before, whose browser was closed in the middle of something.
    const service = demo.realtimeServer!
    for (const id of service.occupants('auth-session-anna')) service.expire('auth-session-anna', id)
    const page = await demo.openPage({ viewport: PHONE })
    await openSignedIn(page, demo.origin, who)
    await expectHeading(page, new RegExp(`, ${who}$`, 'i'))
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/(?:cloudprovider|api)\/userinfo$|\/token$/, async (route) => {
      if (!route.request().url().includes('/oauth/')) await released
      await route.continue()
    })
    await page.goto(demo.origin + path)
    const heading = page.getByRole('heading', { level: 2, name: below })
    await expectVisible(heading)
    const top = async () => heading.evaluate((element) => element.getBoundingClientRect().top + scrollY)
    const before = await top()
    expect(await page.getByText(comes).count()).toBe(0)
    release()
    await expectVisible(page.getByText(comes))
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(2)
  })

  it.each([360, 1000])(
    'what comes begins where its place was held, and the foot of the page is out of sight from the start: %i px',
    async (width) => {
      demo.authServer.accounts.links.delete('anna')
      const page = await demo.openPage({ viewport: { width, height: 740 } })
      await openSignedIn(page, demo.origin, 'anna')
      await expectHeading(page, /, Anna$/)
      const topOf = async (place: string) =>
        page.locator(place).evaluate((element) => element.getBoundingClientRect().top + scrollY)
      for (const [path, held, come] of [
        ['/cloud-account', '.account-place > .facts', '.account-place > .nothing'],
        ['/admin-consent', '[aria-label="Reading the consent"]', 'dl.facts'],
      ] as const) {
        let release = () => {}
        const released = new Promise<void>((resolve) => {
          release = resolve
        })
        const isRead = /\/cloudprovider\/(?:userinfo|adminconsent\/status)(?:\?|$)/
        await page.route(isRead, async (route) => {
          await released
          await route.continue()
        })
        await page.goto(demo.origin + path)
        await expectVisible(page.locator(held))
        const before = await topOf(held)
        const below = page.locator('main .card').nth(1)
        const isLast = (await below.count()) === 0
        const belowBefore = isLast ? 0 : (await below.boundingBox())?.y
        const dock = await page.locator('.dock').boundingBox()
        release()
        await expectVisible(page.locator(come))
        expect([path, await topOf(come)]).toEqual([path, before])
        expect([path, isLast ? 0 : (await below.boundingBox())?.y]).toEqual([path, belowBefore])
        // In a wide page it stays at the foot of the window.
        expect([path, width < 640 && dock!.y < 740]).toEqual([path, false])
        await page.unroute(isRead)
      }
    },
  )

  it('a screen that cannot be loaded without a network says so in its place, and comes with it', async () => {
    demo.expectOnConsole(/preload CSS|dynamically imported module|<ScreenBoundary>|error boundary/)
    const page = await open('/', { viewport: { width: 1280, height: 900 } })
    await expectHeading(page, /, Anna$/)
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Cloud account' }).click()
    await expectHeading(page, 'This screen could not be shown')
    expect(await button(page, 'Load again').isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Home' }).click()
    await expectHeading(page, /, Anna$/)
    await page.goBack()
    await page.context().setOffline(false)
    await button(page, 'Load again').click()
    await expectHeading(page, 'Cloud account')
  })

  it('the query devtools are reached to their last button on a phone, and the page stays as wide as the screen', async () => {
    const page = await open('/')
    await page.getByRole('button', { name: 'Query devtools' }).click()
    const last = page.getByRole('button', { name: 'Open settings' })
    await last.waitFor({ state: 'attached' })
    const { x, y } = (await page.locator('.dock-panel').boundingBox())!
    await page.mouse.move(x + 40, y + 100)
    await page.mouse.wheel(900, 0)
    const isReached = async () => ((await last.boundingBox())?.x ?? 900) < 340
    await expectEventually(isReached, true)
    const isSeen = await last.evaluate((element) => {
      const { left, right, y: top, height } = element.getBoundingClientRect()
      const middle = document.elementFromPoint((left + right) / 2, top + height / 2)
      return left >= 0 && right <= innerWidth && element.contains(middle)
    })
    expect(isSeen).toBe(true)
    expect(await widerBy(page)).toBe(0)
  })

  it('the find box of the full editor is whole, with room for words, on a desk and a phone', async () => {
    const page = await open('/link-map', { who: 'daan' })
    await page.getByRole('radio', { name: 'JSON' }).check()
    await expectVisible(page.locator('.lkje[data-surface=full]'))
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await button(page, 'Find').click()
      const field = page.getByRole('textbox', { name: 'Find', exact: true })
      await field.fill('e')
      const box = page.locator('.find-widget.visible')
      // It comes sliding.
      await box.evaluate(async (element) =>
        Promise.all(element.getAnimations().map(async ({ finished }) => finished)),
      )
      for (const isReplacing of [false, true]) {
        if (isReplacing) await page.getByRole('button', { name: 'Toggle Replace' }).click()
        const { left, right, top, bottom } = await box.evaluate(
          (element) => element.getBoundingClientRect().toJSON() as DOMRect,
        )
        const names = await box
          .getByRole('button')
          .filter({ visible: true })
          .evaluateAll(
            (buttons, around) =>
              buttons.map((one) => {
                const { x, y, width: wide, height } = one.getBoundingClientRect()
                const isIn =
                  x >= around.left &&
                  y >= around.top &&
                  x + wide <= around.right &&
                  y + height <= around.bottom
                return `${one.getAttribute('aria-label')}${isIn ? '' : ' is cut'}`
              }),
            { left, right, top, bottom },
          )
        expect(names.filter((name) => name.endsWith(' is cut'))).toEqual([])
        expect(names.join()).toMatch(/Previous Match.*Next Match.*Close/)
        expect((await field.boundingBox())?.width).toBeGreaterThanOrEqual(110)
      }
      expect(await widerBy(page)).toBe(0)
      await page.keyboard.press('Escape')
    }
  })
})
