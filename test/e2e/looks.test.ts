// Everybody can use the demo: by keyboard, with a screen reader, on a small screen, in light and dark.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { button, expectHeading, expectVisible, openSignedIn, useDemo } from './fixture.ts'

const SIZES = [
  ['a phone, light', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
  ['a phone, dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ['a desk, light', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['a desk, dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
] as const

/** What axe finds on the page as it is now. */
async function findBarriers(page: Page): Promise<string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  await page.evaluate(await readFile(path, 'utf8'))
  const { violations } = await page.evaluate(async () =>
    (window as unknown as { axe: { run(context: object): Promise<AxeResults> } }).axe.run({
      exclude: ['[data-third-party]'],
    }),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

const overflowOf = async (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe.each(SIZES)('on %s', (_name, size) => {
  const demo = useDemo()

  it('every page is free of barriers and fits the screen', async () => {
    const page = await demo.openPage(size)
    await openSignedIn(page, demo.origin)
    await expectHeading(page, /, Anna$/)
    await page.getByText('anna@noorderlicht.example').first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.goto(`${demo.origin}/activity`)
    await expectHeading(page, 'Activity')
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.getByRole('button', { name: 'Session devtools' }).click()
    await expectVisible(page.getByRole('region', { name: 'Latchkey devtools' }))
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.goto(`${demo.origin}/tour`)
    await expectHeading(page, 'Guided tour')
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.goto(`${demo.origin}/nowhere`)
    await expectHeading(page, 'There is nothing here')
    expect(await findBarriers(page)).toEqual([])
  })

  it('the pages outside the app are free of barriers and fit the screen', async () => {
    const page = await demo.openPage(size)
    await page.goto(demo.origin)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectHeading(page, 'The sign-in was cancelled')
    await page.getByText('What happened').click()
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    demo.authServer.faults.add({ path: '/oauth/token', method: 'POST', status: 503 })
    await button(page, 'Sign in').click()
    await page.locator('button[value="anna"]').click()
    await expectHeading(page, 'We could not sign you in')
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })
})

describe('the keyboard alone', () => {
  const demo = useDemo({ auth: { autoLogin: false } })

  const tabTo = async (page: Page, name: string | RegExp) => {
    const wanted = page.getByRole('button', { name }).or(page.getByRole('link', { name })).first()
    for (let press = 0; press < 40; press += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`no way to ${String(name)} by Tab`)
  }

  it('signs in, walks to another screen, renews and signs out', async () => {
    const page = await demo.openPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(demo.origin)
    await expectHeading(page, 'Sign in to Deskwell')
    await tabTo(page, 'Sign in')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Who is signing in?' }).waitFor()
    await tabTo(page, /Daan Maas/)
    await page.keyboard.press('Enter')
    await expectHeading(page, /, Daan$/)
    await tabTo(page, 'Activity')
    await page.keyboard.press('Enter')
    await expectHeading(page, 'Activity')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    await page.goBack()
    await tabTo(page, 'Renew now')
    await page.keyboard.press('Enter')
    await page.getByText('1 in this tab').waitFor()
    await tabTo(page, 'Sign out')
    await page.keyboard.press('Enter')
    await expectHeading(page, 'You are signed out')
  })

  it('opens the menu of a small screen, and Escape closes it and goes back to its button', async () => {
    const page = await demo.openPage({ viewport: { width: 360, height: 740 } })
    await page.goto(demo.origin)
    await button(page, 'Sign in').click()
    await page.locator('button[value="anna"]').click()
    await expectHeading(page, /, Anna$/)
    const opener = page.getByRole('button', { name: 'Open the menu' })
    await opener.press('Enter')
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await expectVisible(menu)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
    await opener.press('Enter')
    await menu.getByRole('link', { name: 'Activity' }).click()
    await expectHeading(page, 'Activity')
    await menu.waitFor({ state: 'hidden' })
  })

  it('chooses the colours, and they stay after a reload', async () => {
    const page = await demo.openPage({ colorScheme: 'light' })
    await page.goto(demo.origin)
    await button(page, 'Sign in').click()
    await page.locator('button[value="anna"]').click()
    await expectHeading(page, /, Anna$/)
    await page.getByRole('radio', { name: 'As the system' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const schemeOf = async () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(await schemeOf()).toBe('dark')
    await page.reload()
    await expectHeading(page, /, Anna$/)
    expect(await schemeOf()).toBe('dark')
  })
})
