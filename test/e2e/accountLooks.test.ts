// Every account screen is free of barriers and fits, on a phone and on a desk, in light and dark, in its ordinary and its worst state.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { button, expectHeading, expectVisible, openSignedIn, useDemo } from './fixture.ts'

const SCREENS = [
  ['/cloud-account', 'Cloud account', 'No account is linked'],
  ['/admin-consent', 'Admin consent', 'noorderlicht.example'],
  ['/link-map', 'Link map', '4165 users'],
  ['/firm', 'Firm', 'Groningen'],
  ['/support-access', 'Support access', 'For how long'],
  ['/security', 'Security', 'This session'],
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

describe.each([
  ['a phone, light', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
  ['a desk, dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
] as const)('on %s', (_name, size) => {
  const demo = useDemo()

  it.each(SCREENS)('%s is free of barriers and fits', async (path, title, content) => {
    const page = await demo.openPage(size)
    await openSignedIn(page, demo.origin + path)
    await expectHeading(page, title)
    await expectVisible(page.getByText(content).first())
    expect([await findBarriers(page), await overflowOf(page)]).toEqual([[], 0])
  })

  it('so is a refusal', async () => {
    const page = await demo.openPage(size)
    await openSignedIn(page, `${demo.origin}/link-map`, 'chiara')
    await page.getByRole('checkbox', { name: 'All users' }).check()
    await expectVisible(page.getByText('Not for you to see'))
    expect([await findBarriers(page), await overflowOf(page)]).toEqual([[], 0])
  })

  it('so are an error and a window that is open', async () => {
    const page = await demo.openPage(size)
    await openSignedIn(page, `${demo.origin}/cloud-account`, 'chiara')
    await button(page, 'Show the token').click()
    await expectVisible(page.getByText('There is no such cloud account'))
    await button(page, 'Link my account').click()
    await expectVisible(page.getByText('Go on in the other window'))
    expect([await findBarriers(page), await overflowOf(page)]).toEqual([[], 0])
  })

  it('so is a status that could not be read', async () => {
    demo.authServer.faults.add({ path: '/cloudprovider/adminconsent/status', method: 'GET', status: 404 })
    const page = await demo.openPage(size)
    await openSignedIn(page, `${demo.origin}/admin-consent`)
    await expectVisible(page.getByText('The consent could not be read'))
    expect([await findBarriers(page), await overflowOf(page)]).toEqual([[], 0])
  })
})
