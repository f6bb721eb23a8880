// The demo as the documentation shows it: files on a plain host, servers in a service worker, nothing that leaves the origin.

// @module-tag thorough

import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { screenPaths } from '../../../demo/tryIt/build.ts'
import { builtTryIt } from '../../../scripts/builtApp.ts'
import { type ServedFolder, serveFolder } from '../../../scripts/serveFolder.ts'
import { useBrowsers } from '../fixture.ts'
import { expectEventually, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { signIn } from '../user.ts'

describe('the demo on the documentation site', () => {
  const browsers = useBrowsers()
  let folder = ''
  let site: ServedFolder
  let start = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-try-it-'))
    // The build of the documentation's own site.
    await cp(await builtTryIt('/try/'), join(folder, 'try'), { recursive: true })
    site = await serveFolder(folder, '.')
    start = `${site.origin}/try/`
  })
  afterAll(async () => {
    await site.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** A browser that notes every request to another origin, its workers' too. */
  async function open(options = {}): Promise<{ context: BrowserContext; elsewhere: string[] }> {
    const context = await browsers.openBrowser(options)
    const elsewhere: string[] = []
    context.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== site.origin)
        elsewhere.push(request.url())
    })
    return { context, elsewhere }
  }
  const expectAddress = async (page: Page, address: string) => expectEventually(() => page.url(), address)

  it('signs in, comes back to the deep page, and keeps the session over a reload', async () => {
    const { context, elsewhere } = await open()
    const page = await context.newPage()
    await page.goto(`${start}link-map/index.html`)
    await expectHeading(page, 'Who is signing in?')
    await signIn(page, 'anna')
    await expectAddress(page, `${start}link-map/index.html`)
    await expectHeading(page, 'Link map')
    await expectVisible(page.getByText('Bram Jansen').first())
    // The devtools are open, with the session in them.
    await expectVisible(page.getByRole('region', { name: 'Latchkey devtools' }))

    await page.getByRole('link', { name: 'Cloud account' }).click()
    await expectAddress(page, `${start}cloud-account/`)
    await page.reload()
    await expectHeading(page, 'Cloud account')
    await expectVisible(page.getByText('Anna de Vries').first())
    expect(elsewhere).toEqual([])
  })

  it('promises nothing on the sign-in page that is not so here', async () => {
    const { context } = await open()
    const page = await context.newPage()
    await page.goto(start)
    await expectHeading(page, 'Who is signing in?')
    const text = await page.locator('body').innerText()
    expect(text).toContain('This server runs in your browser')
    expect(text).not.toMatch(/listens on this computer|nothing is kept|Keep me signed in/)
  })

  it('does what the screens say: links an account in a window, saves the firm, and remembers both', async () => {
    const { context, elsewhere } = await open()
    const page = await context.newPage()
    await page.goto(`${start}cloud-account/`)
    await signIn(page, 'anna')
    const opening = page.waitForEvent('popup')
    await page
      .getByRole('button', { name: /^Connect|^Link/ })
      .first()
      .click()
    const popup = await opening
    await popup.getByRole('combobox').selectOption('cumulus-shared')
    await popup.getByRole('button', { name: 'Approve' }).click()
    await expectVisible(page.getByText('office@cumulus.example').first())

    await page.goto(`${start}firm/`)
    await page.getByRole('combobox').selectOption('nimbus')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectVisible(page.getByText('The provider is saved'))

    // The browser stops a worker that has nothing to do: what it knew is still there.
    await stopWorkers(page)
    await page.goto(`${start}cloud-account/`)
    await expectVisible(page.getByText('office@cumulus.example').first())
    await page.goto(`${start}firm/`)
    await expectVisible(page.getByText('nimbus').first())
    expect(elsewhere).toEqual([])
  })

  it('shares the session with a second tab, and a sign-out reaches both', async () => {
    const { context, elsewhere } = await open()
    const [page, second] = [await context.newPage(), await context.newPage()]
    await page.goto(start)
    await signIn(page, 'bram')
    await expectHeading(page, /, Bram$/)
    await second.goto(`${start}activity/`)
    await expectSignedIn(second)
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await expectHeading(second, 'You are signed out')
    await expectVisible(page.getByText('here and at the server'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signIn(page, 'anna')
    await expectHeading(page, /, Anna$/)
    expect(elsewhere).toEqual([])
  })

  it('has a file for every screen, so that a deep link needs nothing of its host', async () => {
    const first = await (await fetch(start)).text()
    expect(screenPaths().length).toBeGreaterThan(9)
    for (const path of screenPaths()) {
      const response = await fetch(`${start}${path}/`)
      expect([path, response.status, (await response.text()) === first]).toEqual([path, 200, true])
    }
  })

  it.each([
    ['scripts', { javaScriptEnabled: false }],
    ['service workers', { serviceWorkers: 'block' as const }],
  ])('shows a picture where %s are off', async (_, options) => {
    browsers.expectOnConsole(/registration blocked by Playwright/)
    const { context, elsewhere } = await open(options)
    const page = await context.newPage()
    await page.goto(start)
    await expectHeading(page, 'The demo, in a picture')
    const picture = page.getByRole('img', { name: /^The demo as it runs here/ })
    await expectEventually(
      async () => picture.evaluate((it) => (it as HTMLImageElement).naturalWidth > 0),
      true,
    )
    expect(elsewhere).toEqual([])
  })
})

/** As the browser does after half a minute without work. */
async function stopWorkers(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.stopAllWorkers')
  await devtools.detach()
}
