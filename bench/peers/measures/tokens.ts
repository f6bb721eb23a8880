// Measures an expired token with many concurrent callers: fifty in one tab, many tabs of one browser.
import type { BrowserContext, Page } from 'playwright'
import { inState, openSignedIn, pause, type Scene } from '../scene.ts'

const CALLERS = 50
const TABS = 8
/** Longer than any token lives: all of them have expired. */
const SLEEP_MS = 3_600_000
/** Time for the page's own work after it woke. */
const SETTLE_MS = 1_500
const PATIENCE_MS = 15_000

export async function fiftyAsks(scene: Scene) {
  const context = await scene.openBrowser({ signsIn: true })
  const page = await openSignedIn(scene, context)
  const found = await watch(
    scene,
    async () => (await askAfterSleep([page], { times: CALLERS })).filter((is) => !is).length,
  )
  await context.close()
  scene.server.aheadMs = 0
  return found
}

/** Tabs that were opened one by one, or duplicates of the first with its session storage. */
export async function askInTabs(scene: Scene, kind: 'opened' | 'duplicated') {
  const context = await scene.openBrowser({ signsIn: true })
  const pages = await openTabs(scene, context, TABS, kind)
  const found = await watch(scene, async () => (await askAfterSleep(pages)).filter((is) => !is).length)
  // Tabs that can no longer get a token after another sleep.
  scene.server.aheadMs = 2 * SLEEP_MS
  let lost = 0
  for (const page of pages) lost += (await askAfterSleep([page])).includes(true) ? 0 : 1
  await context.close()
  scene.server.aheadMs = 0
  return { ...found, tabs: pages.length, lost }
}

export async function openTabs(
  scene: Scene,
  context: BrowserContext,
  count: number,
  kind: 'opened' | 'duplicated' = 'opened',
): Promise<Page[]> {
  const pages = [await openSignedIn(scene, context)]
  while (pages.length < count)
    pages.push(kind === 'opened' ? await openSignedIn(scene, context) : await duplicate(context, pages[0]!))
  return pages
}

async function watch(scene: Scene, work: () => Promise<number>) {
  await pause(SETTLE_MS)
  scene.server.requests.clear()
  const { reuses } = scene.server
  scene.server.aheadMs = SLEEP_MS
  const refused = await work()
  await pause(SETTLE_MS)
  return {
    tokenRequests: scene.server.requests.all().filter(({ grant }) => grant !== undefined).length,
    /** Refresh tokens that the server received twice, each of which revokes a grant. */
    reuses: scene.server.reuses - reuses,
    refused,
    asked: scene.asked(),
  }
}

async function duplicate(context: BrowserContext, page: Page): Promise<Page> {
  const [copy] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate(() => {
      window.open(location.href)
    }),
  ])
  await inState(copy, 'authenticated')
  return copy
}

/**
 * Advances the clocks of the pages, then all ask: every page is armed before the first one starts. Returns for each call whether
 * a token came; some libraries neither resolve nor reject.
 */
export async function askAfterSleep(
  pages: readonly Page[],
  { times = 1, sleepMs = SLEEP_MS } = {},
): Promise<boolean[]> {
  await Promise.all(
    pages.map((page) =>
      page.evaluate(
        ([aheadMs, patienceMs, count]) => {
          const go = new BroadcastChannel('bench')
          const asking = new Promise<boolean[]>((resolve) => {
            go.addEventListener('message', () => {
              window.gauges.sleep(aheadMs)
              const ask = async () =>
                Promise.race([
                  window.peer.ask().then(Boolean, () => false),
                  new Promise<boolean>((giveUp) => {
                    setTimeout(() => giveUp(false), patienceMs)
                  }),
                ])
              resolve(Promise.all(Array.from({ length: count }, ask)))
              go.close()
            })
          })
          Object.assign(window, { asking })
        },
        [sleepMs, PATIENCE_MS, times] as const,
      ),
    ),
  )
  // A second channel in the same page: a channel does not receive its own messages.
  await pages[0]?.evaluate(() => {
    const go = new BroadcastChannel('bench')
    go.postMessage('go')
    go.close()
  })
  const answers = await Promise.all(
    pages.map((page) =>
      page
        .evaluate(() => (window as unknown as { asking: Promise<boolean[]> }).asking)
        // The page navigated to the sign-in page meanwhile.
        .catch(() => [false]),
    ),
  )
  return answers.flat()
}
