// What a member of staff does: signs in, picks a name, presses a button.
import type { BrowserContextOptions, Page } from 'playwright'
import { authServerOf, type TestDemo } from './fixture.ts'
import { expectHeading, expectSignedIn } from './page.ts'

/** Picks a member of staff on the sign-in page that is shown, or about to be, and waits for the app. */
export async function signIn(page: Page, who: string): Promise<void> {
  await pick(page, who)
  await expectSignedIn(page)
}

/** Picks a member of staff and does not wait. */
export async function pick(page: Page, who: string): Promise<void> {
  await page.locator(`button[value="${who}"]`).click()
}

/** From the other environment's passthrough page into its app: on one computer the client cannot move its address there. */
export async function goOnElsewhere(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Go on in the app of this environment' }).click()
}

/** Opens the app in a browser that the server knows already: signed in without the sign-in page. */
export async function openSignedIn(page: Page, address: string, who = 'anna'): Promise<void> {
  const authServer = authServerOf(page)
  const { hostname: domain } = new URL(authServer.origin)
  const cookie = await authServer.startSession(who)
  await page.context().addCookies([{ ...cookie, domain, path: '/', httpOnly: true, sameSite: 'Lax' }])
  await page.goto(address)
  await expectSignedIn(page)
}

/** Opens the app and signs in on the server's page, where the way in is what the test is about. */
export async function openAndSignIn(page: Page, address: string, who = 'anna'): Promise<void> {
  await page.goto(address)
  await signIn(page, who)
}

interface ScreenOptions extends BrowserContextOptions {
  path?: string
  heading?: string | RegExp
  who?: string
}

/** Opens a screen of the app, the home page unless told otherwise, in a browser that the server knows already. */
export async function openScreen(
  demo: TestDemo,
  { path = '/', heading = /, Anna$/, who = 'anna', ...browserOptions }: ScreenOptions = {},
): Promise<Page> {
  const page = await demo.openPage(browserOptions)
  await openSignedIn(page, demo.origin + path, who)
  await expectHeading(page, heading)
  return page
}

/** Opens an app without `autoLogin` in a browser that the server does not know: it waits for a click. */
export async function openSignedOut(demo: TestDemo, options?: BrowserContextOptions): Promise<Page> {
  const page = await demo.openPage(options)
  await page.goto(demo.origin)
  await expectHeading(page, 'Sign in to Deskwell')
  return page
}

/** Opens the home page in one more tab of a browser that Anna is signed in with. */
export async function openOtherTab(page: Page): Promise<Page> {
  const other = await page.context().newPage()
  await other.goto(new URL(page.url()).origin)
  await expectHeading(other, /, Anna$/)
  return other
}

/** Goes to another screen as a link of the app does: no page is loaded. */
export async function showScreen(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await expectHeading(page, heading)
}

/** Comes back from another site: the app asks the server for the session. After a reload the page before has left it. */
export async function comeBack(page: Page): Promise<void> {
  const address = page.url()
  await page.goto('about:blank')
  await page.goto(address)
}

/** The main session card's button. */
export const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
