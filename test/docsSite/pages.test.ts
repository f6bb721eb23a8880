// Looks at the built site in real Chromium: no code is cut, diagrams fit, the first page has two tabs of one session.
import { globSync, readFileSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'
import { type ServedFolder, serveFolder } from '../../scripts/serveFolder.ts'

let browser: Browser
let site: ServedFolder
beforeAll(async () => {
  site = await serveFolder('site', 'dist')
  browser = await chromium.launch(chromiumLaunchOptions())
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

async function open(path: string, width: number, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, ...options })
  await page.goto(`${site.origin}/${path}`)
  return page
}

/** Those that a page had before lead on at once. */
const isFormer = (path: string) => readFileSync(`site/dist/${path}`, 'utf8').includes('http-equiv="refresh"')
const paths = globSync('**/*.html', { cwd: 'site/dist', exclude: ['try/**', '404.html'] }).filter(
  (path) => !isFormer(path),
)

it('cuts no code at 1280 and 1440 px, on any page', async () => {
  // The pages are whole without their scripts.
  const page = await open('index.html', 1280, { javaScriptEnabled: false })
  const cut: string[] = []
  let blocks = 0
  for (const path of paths) {
    await page.goto(`${site.origin}/${path}`, { waitUntil: 'domcontentloaded' })
    blocks += await page.locator('main pre').count()
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const wide = await page
        .locator('main pre, .VPDoc pre')
        .evaluateAll((blocks) =>
          blocks
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => textContent?.split('\n').toSorted((a, b) => b.length - a.length)[0]),
        )
      cut.push(...wide.map((line) => `${path} at ${width}: ${line}`))
    }
  }
  expect(paths.length).toBeGreaterThan(50)
  expect(blocks).toBeGreaterThan(150)
  expect(cut).toEqual([])
})

it.each([1280, 360])('shows the diagrams of "How it works" in whole at %d px', async (width) => {
  const page = await open('howItWorks.html', width)
  const shown = page.locator(width > 700 ? '.diagram svg' : '.diagram-steps')
  await expect.poll(async () => shown.count()).toBe(2)
  const room = await page.evaluate(() => document.documentElement.clientWidth)
  for (const one of await shown.all()) {
    const { x, width: wide } = (await one.boundingBox())!
    expect(x + wide).toBeLessThanOrEqual(room)
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(room)
})

it('has the entry of the page in sight, in a group that is open', async () => {
  const page = await open('servers/zitadel.html', 1280)
  const box = await page.locator('.VPSidebarItem.is-link.is-active').boundingBox()
  expect(box!.y).toBeGreaterThan(60)
  expect(box!.y).toBeLessThan(800)
})

it('has one stop of the keyboard for each group, which says whether it is open; Enter and Space fold it', async () => {
  const page = await open('servers/zitadel.html', 1280)
  const group = (name: string) => page.locator('.VPSidebar').getByRole('button', { name, exact: true })
  const isOpen = async () => group('Tools').getAttribute('aria-expanded')
  await expect.poll(isOpen).toBe('false')
  await group('Tools').focus()
  await page.keyboard.press('Enter')
  await expect.poll(isOpen).toBe('true')
  await page.keyboard.press('Space')
  await expect.poll(isOpen).toBe('false')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Help')
})

it.each([
  ['hooks/useLogin.html', 'hooks/signIn.html#uselogin'],
  ['browsers.html', 'compatibility.html#browsers'],
  ['servers/cognito.html', 'servers/more.html#amazon-cognito'],
  ['migration/', 'migration.html'],
  ['migration/keycloak-js.html', 'migration.html#keycloak-js'],
])('leads from %s to %s', async (from, to) => {
  const page = await open(from, 1280)
  await expect.poll(() => page.url()).toBe(`${site.origin}/${to}`)
})

it('shows two tabs of the demo on the first page: a sign-out in one is seen in the other', async () => {
  const page = await open('index.html', 1280)
  const [first, second] = [0, 1].map((index) => page.locator('.tab iframe').nth(index).contentFrame())
  for (const tab of [first!, second!]) await tab.getByText('Anna de Vries').first().waitFor()
  // Not by the mouse: Playwright reckons without the `zoom` of the frame.
  await first!.getByRole('button', { name: 'Sign out' }).first().dispatchEvent('click')
  const signedOut = second!.getByRole('heading', { name: 'You are signed out' })
  await expect.poll(async () => signedOut.isVisible()).toBe(true)
})
