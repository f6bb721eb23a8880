// Walks through the demo, look by look: every screen of its navigation, what is outside the app, the windows of its servers.
import type { Browser, BrowserContext, Page } from 'playwright'
import { type Demo, startDemo } from '../../demo/startDemo.ts'
import { builtApp } from '../builtApp.ts'
import { type Finding, inspect, type Look, LOOKS, watchRequests } from './inspect.ts'

type See = (page: Page, name: string) => Promise<void>

export async function inspectDemo(browser: Browser): Promise<Finding[]> {
  const folder = await builtApp()
  const demo = await startDemo({ app: { from: 'build', folder }, realtime: true, environments: true })
  const findings: Finding[] = []
  try {
    for (const look of LOOKS) {
      demo.authServer.revokeAllSessions()
      await outside(browser, look, demo, findings)
      await inside(browser, look, demo, findings)
    }
  } finally {
    await demo.close()
  }
  return findings
}

async function open(browser: Browser, look: Look, findings: Finding[]) {
  const { name, ...options } = look
  const context: BrowserContext = await browser.newContext(options)
  context.setDefaultTimeout(30_000)
  const elsewhere = watchRequests(context)
  const see: See = async (page, title) => {
    findings.push(await inspect(page, { part: 'demo', page: title, look: name }, elsewhere))
  }
  return { context, page: await context.newPage(), see }
}

/** Waits for a page of the app or of a server with this main heading. */
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()

async function outside(browser: Browser, look: Look, demo: Demo, findings: Finding[]): Promise<void> {
  const { context, page, see } = await open(browser, look, findings)
  await page.goto(demo.origin)
  await heading(page, 'Who is signing in?')
  await see(page, 'Sign-in page of the server')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await heading(page, 'The sign-in was cancelled')
  await page.getByText('What happened').click()
  await see(page, 'The sign-in was cancelled')
  demo.authServer.faults.add({ path: '/oauth/token', method: 'POST', status: 503 })
  await press(page, 'Sign in')
  await page.locator('button[value="anna"]').click()
  await heading(page, 'We could not sign you in')
  await see(page, 'We could not sign you in')
  demo.authServer.faults.clear()
  await context.close()
}

async function inside(browser: Browser, look: Look, demo: Demo, findings: Finding[]): Promise<void> {
  const { context, page, see } = await open(browser, look, findings)
  await page.goto(demo.origin)
  await page.locator('button[value="anna"]').click()
  await heading(page, /, Anna$/)

  const links = page.getByRole('navigation', { name: 'Screens', includeHidden: true }).first().locator('a')
  const screens = await links.evaluateAll((found) =>
    found.map((link) => [new URL((link as HTMLAnchorElement).href).pathname, link.textContent?.trim() ?? '']),
  )
  if (screens.length < 11) throw new Error(`only ${screens.length} screens found in the navigation`)
  for (const [path = '', title = ''] of screens) {
    await page.goto(demo.origin + path)
    await heading(page, path === '/' ? /, Anna$/ : title)
    await see(page, title)
  }
  await page.goto(`${demo.origin}/nowhere`)
  await heading(page, 'There is nothing here')
  await see(page, 'No such screen')

  await page.goto(`${demo.origin}/link-map`)
  await page.getByRole('radio', { name: 'JSON' }).check()
  await page.locator('.lkje[data-surface=full]').waitFor()
  await page.getByText('Valid JSON').waitFor()
  await see(page, 'Link map as JSON')

  await page.goto(`${demo.origin}/activity`)
  await page.getByRole('button', { name: 'Session devtools' }).click()
  await page.getByRole('region', { name: 'Latchkey devtools' }).waitFor()
  await see(page, 'Session devtools')

  await windowOf(page, '/cloud-account', 'Link my account', async (popup) => {
    await see(page, 'Cloud account, a window is open')
    await see(popup, 'Window of the cloud provider')
  })
  await windowOf(page, '/admin-consent', /^(Grant consent|Consent again)$/, (popup) =>
    see(popup, 'Window for the consent'),
  )
  await windowOf(page, '/security', 'Change my password', (popup) => see(popup, 'Window for the password'))

  await page.goto(demo.origin)
  await heading(page, /, Anna$/)
  await press(page, 'Sign out')
  await heading(page, 'You are signed out')
  await see(page, 'You are signed out')
  await context.close()

  async function windowOf(
    opener: Page,
    path: string,
    action: string | RegExp,
    then: (popup: Page) => Promise<void>,
  ) {
    await opener.goto(demo.origin + path)
    const [popup] = await Promise.all([opener.waitForEvent('popup'), press(opener, action)])
    await popup.getByRole('heading', { level: 1 }).waitFor()
    await then(popup)
    await popup.close()
  }
}
