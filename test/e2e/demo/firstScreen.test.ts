// On a slow network the demo is no blank page: a first screen stands there, and nothing moves when the app takes over.

// @module-tag thorough

import { mkdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { useDemo } from '../fixture.ts'
import { expectHeading, expectVisible } from '../page.ts'
import { signIn } from '../user.ts'

/** For who wants to look: a folder for the pictures. */
const PICTURES = process.env['LATCHKEY_PICTURES']

describe('the demo on a slow network', { timeout: 120_000 }, () => {
  const demo = useDemo({ auth: { verifyFirstVisit: true } })

  // No colour depends on the width.
  it.each([
    ['light', 360, 740],
    ['dark', 1280, 800],
  ] as const)('shows itself before its files come (%s, %i px)', async (colorScheme, width, height) => {
    const page = await demo.openPage({ viewport: { width, height }, colorScheme })
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const held = [/\/assets\/.*\.css$/, /\/assets\/.*\.js$/, /\/oauth\/authorize\?.*prompt=none/].map(
      (what) => {
        let release = () => {}
        const released = new Promise<void>((resolve) => (release = resolve))
        return { what, released, release }
      },
    )
    for (const { what, released } of held)
      await page.route(what, async (route) => released.then(async () => route.continue()))
    const look = async (name: string) => {
      if (PICTURES === undefined) return
      await mkdir(PICTURES, { recursive: true })
      await page.screenshot({ path: `${PICTURES}/${colorScheme}-${width}-${name}.png` })
    }
    const boxesOf = async (parts: string) =>
      page
        .locator(parts)
        .evaluateAll((all) =>
          (all as HTMLElement[]).map((one) => [
            one.offsetLeft,
            one.offsetTop,
            one.offsetWidth,
            one.offsetHeight,
          ]),
        )
    /** The words change, the rest stays as it is: the ring only begins to turn. */
    const places = async () => [
      await boxesOf('.brand, .spinner'),
      (await boxesOf('.splash p')).map(([, top, , height]) => [top, height]),
    ]
    const ground = async () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

    await page.goto(demo.origin, { waitUntil: 'commit' })
    await expectVisible(page.getByText('Loading…'))
    const first = [await places(), await ground()]
    // A browser may paint a page of which it has read the half.
    await page.evaluate(() => void (Reflect.get(window, 'shifts') as number[]).splice(0))
    expect(await page.getByText('This takes longer than usual').isVisible()).toBe(false)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await look('1-page')
    held[0]!.release()
    await page.waitForFunction(() => document.styleSheets.length > 1)
    await look('2-styles')
    expect([await places(), await ground()]).toEqual(first)
    held[1]!.release()
    await expectVisible(page.getByText('Checking your session…'))
    await look('3-app')
    expect([await places(), await ground()]).toEqual(first)
    expect(await page.evaluate(() => Reflect.get(window, 'shifts') as number[])).toEqual([])
    held[2]!.release()
    await signIn(page, 'anna')
    await expectHeading(page, /, Anna$/)
  })

  it('offers to load the page again where the files do not come', async () => {
    const page = await demo.openPage()
    await page.route(/\/assets\//, async (route) => route.abort())
    await page.goto(demo.origin, { waitUntil: 'commit' })
    await expectVisible(page.getByText('Loading…'))
    // Twenty seconds later.
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    await expectVisible(page.getByText('This takes longer than usual'))
    await page.unroute(/\/assets\//)
    await page.getByRole('link', { name: 'Load it again' }).click()
    await signIn(page, 'anna')
  })
})
