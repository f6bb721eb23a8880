// A browser of a test that is watched for secrets, on a demo with everything that sends any.
import type { BrowserContextOptions, Page } from 'playwright'
import type { TestDemo } from '../fixture.ts'
import { type SecretWatch, watchSecrets } from './secretWatch.ts'

export interface SecretScene {
  readonly page: Page
  readonly watch: SecretWatch
  /** Another tab of the same browser. */
  openTab(): Promise<Page>
}

const OPTIONS: BrowserContextOptions = {
  viewport: { width: 1280, height: 900 },
  permissions: ['clipboard-read', 'clipboard-write'],
}

export async function openWatched(demo: TestDemo): Promise<SecretScene> {
  const browser = await demo.openBrowser(OPTIONS)
  const watch = await watchSecrets(browser, {
    [demo.origin]: 'the app',
    [demo.origin.replace('localhost', '127.0.0.1')]: 'the app',
    [demo.authServer.origin]: 'authHost',
    [demo.environments.us.origin]: 'authHost',
    [demo.environments.desk.origin]: 'a page with links',
    [demo.environments.redirections.origin]: 'the redirections file',
    [`http://${demo.realtimeServer!.origin}`]: 'real time',
    [await messageDeskOf(demo)]: 'the firm’s own server',
  })
  return { page: await browser.newPage(), watch, openTab: () => browser.newPage() }
}

/** The app is told where it is, and nobody else. */
async function messageDeskOf({ origin }: TestDemo): Promise<string> {
  const source = await (await fetch(`${origin}/app-config.js`)).text()
  const found = /"realtime":\{[^}]*"deskOrigin":"([^"]+)"/.exec(source)?.[1]
  if (found === undefined) throw new Error('this demo runs without real time')
  return found
}
