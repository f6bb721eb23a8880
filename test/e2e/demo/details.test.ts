// What a designer would look at in the demo: nothing alarms without need, moves, lies over something else, or stands askew.
import type { Locator } from 'playwright'
import { describe, expect, it } from 'vitest'
import { button, expectHeading, expectVisible, openSignedIn, signIn, useDemo } from '../fixture.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }

describe('the demo in its details', { timeout: 120_000 }, () => {
  const demo = useDemo({ realtime: true })

  const boxOf = async (locator: Locator) => {
    const box = await locator.boundingBox()
    if (!box) throw new Error('it is not on the page')
    return box
  }
  type Box = Awaited<ReturnType<typeof boxOf>>
  const doOverlap = (a: Box, b: Box) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

  it('a sign-in that the user cancelled is told without an alarm', async () => {
    const page = await demo.openPage()
    await page.goto(demo.origin)
    await button(page, 'Cancel').click()
    await expectHeading(page, 'The sign-in was cancelled')
    expect(await page.locator('.notice-bad').count()).toBe(0)
    await button(page, 'Sign in').click()
    await signIn(page, 'anna')
    await expectHeading(page, /, Anna$/)
  })

  it('the id of the session stands on one line, and its button copies the whole of it', async () => {
    const context = await demo.openBrowser({
      viewport: PHONE,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    await openSignedIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    const id = page.getByRole('region', { name: 'Session' }).locator('.long-id')
    expect((await boxOf(id.locator('code'))).height).toBeLessThan(30)
    await button(page, 'Copy the id of the session').click()
    await expectVisible(id.locator('svg'))
    const copied = await page.evaluate(async () => navigator.clipboard.readText())
    expect(copied).toBe(await id.locator('code').getAttribute('title'))
  })

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('the buttons of the tour say what came of it and move nothing, on %s', async (_name, viewport) => {
    const page = await demo.openPage({ viewport })
    await openSignedIn(page, `${demo.origin}/tour`)
    await expectHeading(page, 'Guided tour')
    const stops = page.getByRole('main').locator('.stops > li')
    const tops = async () =>
      stops.evaluateAll((items) =>
        items.map((item) => Math.round(item.getBoundingClientRect().top + scrollY)),
      )
    const outputs = stops.filter({ has: page.locator('output') }).filter({ has: page.getByRole('button') })
    const before = await tops()
    for (const stop of await outputs.all()) {
      await stop.getByRole('button').click()
      await expectVisible(stop.locator('output:not(:empty)'))
      expect(await tops()).toEqual(before)
    }
    expect(await outputs.count()).toBeGreaterThan(8)
  })

  it('toasts lie beside the menu and above the devtools, on neither', async () => {
    const page = await demo.openPage({ viewport: DESK })
    await openSignedIn(page, `${demo.origin}/tour`)
    await button(page, 'Six toasts at once').click()
    const toasts = page.locator('.latchkey-toast').filter({ hasText: 'The firm was saved.' })
    await expectVisible(toasts)
    const lying = await boxOf(toasts.first())
    for (const name of ['.account', '.dock']) {
      expect([name, doOverlap(lying, await boxOf(page.locator(name).first()))]).toEqual([name, false])
    }
  })

  it('the faults of the devtools stand on one grid', async () => {
    const page = await demo.openPage({ viewport: DESK })
    await openSignedIn(page, demo.origin)
    await page.getByRole('button', { name: 'Session devtools' }).click()
    const rows = page.getByRole('region', { name: 'Latchkey devtools' }).locator('.latchkey-dt-faults li')
    await expectVisible(rows.first())
    const edges = async (part: string) =>
      new Set(
        await rows.locator(part).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left)),
      )
    expect((await edges('button')).size).toBe(1)
    expect((await edges('span')).size).toBe(1)
  })

  it.each([
    ['2026-03-01T02:00:00', 'Good evening'],
    ['2026-03-01T09:00:00', 'Good morning'],
    ['2026-03-01T14:00:00', 'Good afternoon'],
    ['2026-03-01T23:00:00', 'Good evening'],
  ])('at %s people are greeted with %s', async (time, words) => {
    const { greeting } = await import('../../../demo/app/words.ts')
    expect(greeting(new Date(time))).toBe(words)
  })
})
