// What happens when a token has expired and many ask at once: fifty callers in one tab, eight tabs of one browser.
import type { BrowserContext, Page } from 'playwright'
import { inState, openSignedIn, pause, type Scene } from '../scene.ts'

const CALLERS = 50
const TABS = 8
/** Longer than any token lives, so that all of them have expired. */
const SLEEP_MS = 3_600_000
/** Long enough for what a page does by itself after it woke. */
const SETTLE_MS = 1_500
const PATIENCE_MS = 15_000

export interface Asked {
  tokenRequests: number
  /** Refresh tokens that came to the server twice, each of which ends a grant. */
  reuses: number
  refused: number
  asked: string[]
}

export interface AskedByTabs extends Asked {
  tabs: number
  /** Tabs that can get no token any more, a while after. */
  lost: number
}

export async function askFiftyTimes(scene: Scene): Promise<Asked> {
  const context = await scene.openBrowser({ signsIn: true })
  const page = await openSignedIn(scene, context)
  const found = await watch(scene, () => {
    scene.server.aheadMs = SLEEP_MS
    return page.evaluate(
      async ([times, sleepMs, patienceMs]) => {
        window.gauges.sleep(sleepMs)
        const asking = Array.from({ length: times }, () =>
          Promise.race([
            window.peer.ask(),
            new Promise((_resolve, reject) => {
              setTimeout(() => reject(new Error('no answer')), patienceMs)
            }),
          ]),
        )
        const answers = await Promise.allSettled(asking)
        // Some libraries say nothing instead of refusing.
        return answers.filter((answer) => answer.status === 'rejected' || !answer.value).length
      },
      [CALLERS, SLEEP_MS, PATIENCE_MS] as const,
    )
  })
  await context.close()
  scene.server.aheadMs = 0
  return found
}

/** Tabs that were opened one by one, or that are copies of the first with what its session storage held. */
export async function askInTabs(scene: Scene, kind: 'opened' | 'duplicated'): Promise<AskedByTabs> {
  const context = await scene.openBrowser({ signsIn: true })
  const pages = [await openSignedIn(scene, context)]
  while (pages.length < TABS) {
    pages.push(kind === 'opened' ? await openSignedIn(scene, context) : await duplicate(context, pages[0]!))
  }
  const found = await watch(scene, () => {
    scene.server.aheadMs = SLEEP_MS
    return askTogether(pages)
  })

  scene.server.aheadMs = 2 * SLEEP_MS
  let lost = 0
  for (const page of pages) lost += (await askAlone(page)) ? 0 : 1
  await context.close()
  scene.server.aheadMs = 0
  return { ...found, tabs: pages.length, lost }
}

async function watch(scene: Scene, work: () => Promise<number>): Promise<Asked> {
  await pause(SETTLE_MS)
  scene.server.requests.clear()
  const before = scene.server.reuses
  const refused = await work()
  await pause(SETTLE_MS)
  const { requests, reuses } = scene.server
  return {
    tokenRequests: requests.all().filter(({ grant }) => grant !== undefined).length,
    reuses: reuses - before,
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

/** Every page is armed before the first one may go, so all of them ask with the old token in hand. */
async function askTogether(pages: readonly Page[]): Promise<number> {
  await Promise.all(
    pages.map((page) =>
      page.evaluate(
        ([sleepMs, patienceMs]) => {
          const go = new BroadcastChannel('bench')
          const asking = new Promise<boolean>((resolve) => {
            go.addEventListener('message', () => {
              window.gauges.sleep(sleepMs)
              window.peer
                .ask()
                .then(
                  (token) => resolve(Boolean(token)),
                  () => resolve(false),
                )
                .finally(() => go.close())
              setTimeout(() => resolve(false), patienceMs)
            })
          })
          Object.assign(window, { asking })
        },
        [SLEEP_MS, PATIENCE_MS] as const,
      ),
    ),
  )
  // A second channel in the same page: a message is not heard by the channel that sends it.
  await pages[0]?.evaluate(() => {
    const go = new BroadcastChannel('bench')
    go.postMessage('go')
    go.close()
  })
  const answers = await Promise.all(
    pages.map((page) =>
      page
        .evaluate(() => (window as unknown as { asking: Promise<boolean> }).asking)
        // The page left for the sign-in page while it was asked.
        .catch(() => false),
    ),
  )
  return answers.filter((isAnswered) => !isAnswered).length
}

/** After another sleep: can this tab still get a token? */
const askAlone = (page: Page): Promise<boolean> =>
  page
    .evaluate(
      async ([sleepMs, patienceMs]) => {
        window.gauges.sleep(sleepMs)
        const answered = window.peer.ask().then(
          (token) => Boolean(token),
          () => false,
        )
        const gaveUp = new Promise<boolean>((resolve) => {
          setTimeout(() => resolve(false), patienceMs)
        })
        return Promise.race([answered, gaveUp])
      },
      [SLEEP_MS, PATIENCE_MS] as const,
    )
    // The page went to the sign-in page while it was asked.
    .catch(() => false)
