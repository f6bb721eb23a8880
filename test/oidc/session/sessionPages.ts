// What a user does in an app with the played provider: opens a page, signs in, follows where the browser is sent.
import { createAuth } from '../../../src/session/createAuth.ts'
import { APP } from '../scene.ts'
import { answerFrame, type OidcScene, type Page } from './sessionScene.ts'

/** Opens a page and waits until start-up has ended. */
export async function start(scene: OidcScene, address?: string): Promise<Page> {
  const page = scene.open(address)
  void page.auth.start()
  await page.host.settle()
  return page
}

/** The next page of the same tab, at the address that the browser is sent to. */
export async function follow(
  scene: OidcScene,
  { host }: Page,
  address = scene.provider.authorize(host.navigations.at(-1)!),
): Promise<Page> {
  const next = host.openNext(address, {
    onFrame: (frame) => queueMicrotask(() => answerFrame(scene.provider, frame)),
  })
  const page = { host: next, auth: createAuth(scene.config(), { platform: scene.platformOf(next) }) }
  void page.auth.start()
  await next.settle()
  return page
}

/** Where the logout page sends the browser back to. */
export const wayBackFromLogout = ({ host }: Page): string =>
  `${APP}?state=${new URL(host.navigations.at(-1)!).searchParams.get('state')}`

/** Signed in on the sign-in page that a click leads to. */
export async function signedInByClick(scene: OidcScene): Promise<Page> {
  const first = await start(scene)
  void first.auth.login()
  await first.host.settle()
  scene.provider.user = 'ada'
  return follow(scene, first)
}

/** Signed in on the sign-in page. */
export async function signedIn(scene: OidcScene): Promise<Page> {
  const first = await start(scene)
  scene.provider.user ??= 'ada'
  return follow(scene, first)
}

/** Two tabs of one browser, signed in: the second has the session of the first. */
export async function signedInTwice(scene: OidcScene): Promise<readonly [first: Page, second: Page]> {
  const first = await signedIn(scene)
  const second = await start(scene)
  await scene.browser.clock.advance(1000)
  return [first, second]
}
