// Counts sequential round trips between opening the page and being signed in: cold, after a reload, in a new tab.
import type { BrowserContext, Page } from 'playwright'
import type { PeerApp } from '../app.ts'
import { inState, openSignedIn, pause, type Scene } from '../scene.ts'

/** The shorter the latency, the more a busy machine distorts it, and the more rounds are needed. */
const LATENCIES = [
  { latencyMs: 0, rounds: 8 },
  { latencyMs: 50, rounds: 5 },
  { latencyMs: 400, rounds: 3 },
]
const SLOW_FILE_TRIPS = 3
/** Time for the page's work after sign-in. */
const SETTLE_MS = 300

export interface Journey {
  /** The growth of the time per latency. */
  roundTrips: number
  /** Requests to the authorization server, the maximum of all rounds. */
  requests: number
  fastestMs: { latencyMs: number; tookMs: number }[]
  asked: string[]
}

interface Step {
  take(): Promise<number>
  after?(): Promise<void>
}

export const journeys = {
  /** An empty browser: nothing cached, no session anywhere. */
  cold,
  /** The same, counting every file, even those that every app has. */
  coldAllFiles: (scene: Scene) => withApp(scene, { delaysOwnFiles: true }, cold),
  /** The same while the app's own files take three round trips before and after the sign-in page: those are not counted. */
  coldSlowFiles: async (scene: Scene) =>
    fewer(2 * SLOW_FILE_TRIPS, await withApp(scene, { ownFileTrips: SLOW_FILE_TRIPS }, cold)),
  /** The same browser again, with no session but full caches. */
  coldAgain: (scene: Scene) =>
    travel(scene, async () => {
      const context = await scene.openBrowser({ signsIn: true })
      const first = await openSignedIn(scene, context)
      await forgetSessions(scene, context, first)
      await first.close()
      const page = await context.newPage()
      return { take: () => visit(scene, page), after: () => context.close() }
    }),
  reload,
  /** In a browser that blocks third-party cookies in frames; the button signs in if there was no session. */
  async reloadBlocked(scene: Scene) {
    scene.server.blocksFrameCookies = true
    return reload(scene).finally(() => (scene.server.blocksFrameCookies = false))
  },
  /** A reload while the app's own files take three round trips: those and the page's own are not counted. */
  async slowFiles(scene: Scene) {
    const slow = await withApp(scene, { ownFileTrips: SLOW_FILE_TRIPS }, reload)
    const journey = fewer(1 + SLOW_FILE_TRIPS, slow)
    // Something between the page and the server, a cache or a worker, which is not measured here.
    if (Math.round(journey.roundTrips) < 0) throw new Error('the page was there before its files had come')
    return journey
  },
  /** A new visit of a browser that had a session, still has one at the server, and has no tab open. */
  async knownBrowser(scene: Scene) {
    const context = await scene.openBrowser({ signsIn: true })
    const first = await openSignedIn(scene, context)
    await pause(SETTLE_MS)
    await first.close()
    const journey = await travel(scene, async () => {
      const page = await context.newPage()
      return {
        take: () => visit(scene, page),
        async after() {
          await pause(SETTLE_MS)
          await page.close()
        },
      }
    })
    await context.close()
    return journey
  },
  async newTab(scene: Scene) {
    const context = await scene.openBrowser({ signsIn: true })
    await openSignedIn(scene, context)
    const journey = await travel(scene, async () => {
      const page = await context.newPage()
      await pause(SETTLE_MS)
      return { take: () => visit(scene, page), after: () => page.close() }
    })
    await context.close()
    return journey
  },
}

function cold(scene: Scene): Promise<Journey> {
  return travel(scene, async () => {
    const context = await scene.openBrowser({ signsIn: true })
    const page = await context.newPage()
    return { take: () => visit(scene, page), after: () => context.close() }
  })
}

async function reload(scene: Scene): Promise<Journey> {
  const context = await scene.openBrowser({ signsIn: true })
  const page = await openSignedIn(scene, context)
  // The first run fills the caches.
  await page.reload()
  await inState(page, 'authenticated')
  const journey = await travel(scene, async () => {
    await pause(SETTLE_MS)
    return { take: () => timed(page, () => page.reload({ waitUntil: 'commit' })) }
  })
  await context.close()
  return journey
}

async function withApp(
  scene: Scene,
  change: Partial<Pick<PeerApp, 'delaysOwnFiles' | 'ownFileTrips'>>,
  go: (scene: Scene) => Promise<Journey>,
): Promise<Journey> {
  Object.assign(scene.app, change)
  return go(scene).finally(() => Object.assign(scene.app, { delaysOwnFiles: false, ownFileTrips: 0 }))
}

const fewer = (trips: number, journey: Journey): Journey => ({
  ...journey,
  roundTrips: journey.roundTrips - trips,
})

async function travel(scene: Scene, prepare: () => Promise<Step>): Promise<Journey> {
  const fastestMs: Journey['fastestMs'] = []
  let asked: string[] = []
  for (const { latencyMs, rounds } of LATENCIES) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      scene.setLatency(0)
      const { take, after } = await prepare()
      scene.setLatency(latencyMs)
      scene.server.requests.clear()
      times.push(await take())
      if (scene.asked().length >= asked.length) asked = scene.asked()
      scene.setLatency(0)
      await after?.()
    }
    // The fastest of all rounds: the delay of a busy machine is no round trip.
    fastestMs.push({ latencyMs, tookMs: Math.min(...times) })
  }
  const [short, long] = [fastestMs[0]!, fastestMs.at(-1)!]
  const roundTrips = (long.tookMs - short.tookMs) / (long.latencyMs - short.latencyMs)
  return { roundTrips, requests: asked.length, fastestMs, asked }
}

const visit = (scene: Scene, page: Page) =>
  timed(page, () => page.goto(`${scene.origin}/`, { waitUntil: 'commit' }))

/** From the start of the navigation until the user is signed in, by the wall clock. */
async function timed(page: Page, go: () => Promise<unknown>): Promise<number> {
  const startMs = Date.now()
  await go()
  await inState(page, 'authenticated')
  return (await page.evaluate(() => window.peer.signedInAtMs ?? Number.NaN)) - startMs
}

/** Ends the session at the server (cookies) and in the app (storage); caches stay. */
async function forgetSessions(scene: Scene, context: BrowserContext, page: Page): Promise<void> {
  const engine = await context.newCDPSession(page)
  await page.goto('about:blank')
  await context.clearCookies()
  await engine.send('Storage.clearDataForOrigin', {
    origin: scene.origin,
    storageTypes: 'local_storage,indexeddb,service_workers',
  })
}
