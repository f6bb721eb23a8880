// Many tabs of one browser: one renewal for all, no refresh token used twice, a sign-out that reaches every tab.
import type { BrowserContext, Page } from 'playwright'
import { CONTESTANTS } from './peers/contestants.ts'
import { askAfterSleep, openTabs } from './peers/measures/tokens.ts'
import { inState, openScene, openSignedIn, type Scene } from './peers/scene.ts'
import { atMost, type Findings, median } from './report.ts'

const TABS = 20
const ROTATIONS = 50
/** Longer than a token lives; all sleeps together are shorter than the session. */
const SLEEP_MS = 700_000
const LOGOUTS = 7

export async function measureTabs(): Promise<Findings> {
  const scene = await openScene(CONTESTANTS.find(({ name }) => name === 'latchkey (authHost)')!)
  try {
    const context = await scene.openBrowser({ signsIn: true })
    const { requests, reuses, unanswered, tookMs } = await rotate(scene, context)
    const logouts = await measureLogouts(scene)
    const what = `${TABS} tabs, ${ROTATIONS} times with an expired token, all asking`
    return {
      figures: [
        atMost(`${what}: token requests, the most of one time`, Math.max(...requests), 1),
        atMost(`${what}: refresh tokens used twice`, reuses, 0),
        atMost(`${what}: tabs without a token`, unanswered, 0),
        atMost(`${what}: until all have one, median`, median(tookMs), 2_000, ' ms'),
        atMost('Sign-out: visible in another tab, median', median(logouts), 200, ' ms'),
      ],
      raw: { requests, reuses, unanswered, tookMs, logouts },
    }
  } finally {
    await scene.close()
  }
}

/** Simulates sleep; all tabs request a token on wake-up, repeatedly. */
async function rotate(scene: Scene, context: BrowserContext) {
  const pages = await openTabs(scene, context, TABS)
  const [requests, tookMs]: [number[], number[]] = [[], []]
  const before = scene.server.reuses
  let unanswered = 0
  for (let round = 1; round <= ROTATIONS; round += 1) {
    scene.server.requests.clear()
    scene.server.aheadMs = round * SLEEP_MS
    const startMs = performance.now()
    const answers = await askAfterSleep(pages, { sleepMs: SLEEP_MS })
    tookMs.push(performance.now() - startMs)
    unanswered += answers.filter((isAnswered) => !isAnswered).length
    requests.push(scene.server.requests.all().filter(({ grant }) => grant !== undefined).length)
  }
  await context.close()
  scene.server.aheadMs = 0
  return { requests, tookMs, unanswered, reuses: scene.server.reuses - before }
}

async function measureLogouts(scene: Scene) {
  const found = []
  for (let round = 0; round < LOGOUTS; round += 1) {
    const context = await scene.openBrowser({ signsIn: true })
    const [acting, seeing] = [await openSignedIn(scene, context), await openSignedIn(scene, context)]
    found.push(await timeOf(acting, seeing))
    await inState(seeing, 'unauthenticated')
    await context.close()
  }
  return found
}

/** Time from one page's sign-out until the other page notices, by the wall clock of both. */
async function timeOf(acting: Page, seeing: Page): Promise<number> {
  await seeing.evaluate(() => {
    const root = document.documentElement
    const seen = new Promise<number>((resolve) => {
      new MutationObserver(() => {
        if (root.dataset['status'] !== 'authenticated') resolve(performance.timeOrigin + performance.now())
      }).observe(root, { attributes: true })
    })
    Object.assign(window, { seen })
  })
  const actedAtMs = await acting.evaluate(() => {
    const atMs = performance.timeOrigin + performance.now()
    void window.peer.signOut?.()
    return atMs
  })
  return (await seeing.evaluate(() => (window as unknown as { seen: Promise<number> }).seen)) - actedAtMs
}
