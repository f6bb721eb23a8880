// How many answers stand in a row between opening the page and being signed in: cold, after a reload, in a new tab.
import type { BrowserContext, Page } from 'playwright'
import { inState, openSignedIn, pause, type Scene, signedInAtMs } from '../scene.ts'

/** The shorter the latency, the more a busy machine adds to it, and the more rounds it takes to see one without. */
const LATENCIES = [
  { latencyMs: 0, rounds: 8 },
  { latencyMs: 50, rounds: 5 },
  { latencyMs: 400, rounds: 3 },
]
const SLOW_FILE_TRIPS = 3
/** For what a page does after it is signed in. */
const SETTLE_MS = 300
export interface Journey {
  /** Growth of the time with the latency. */
  roundTrips: number
  /** To the authorization server, the most of all rounds. */
  requests: number
  fastestMs: { latencyMs: number; tookMs: number }[]
  asked: string[]
}

type Step = () => Promise<number>

/** An empty browser: nothing cached, no session anywhere. */
export function travelCold(scene: Scene): Promise<Journey> {
  return travel(scene, async () => {
    const context = await scene.openBrowser({ signsIn: true })
    const page = await context.newPage()
    return { step: () => visit(scene, page), after: () => context.close() }
  })
}

/** An empty browser, every file counted: those too that every app has. */
export async function travelColdWithAllFiles(scene: Scene): Promise<Journey> {
  scene.delayOwnFiles(true)
  try {
    return await travelCold(scene)
  } finally {
    scene.delayOwnFiles(false)
  }
}

/** An empty browser while the app's own files take three round trips, on the way out and on the way back: those are not counted. */
export async function travelColdWithSlowFiles(scene: Scene): Promise<Journey> {
  scene.setOwnFileTrips(SLOW_FILE_TRIPS)
  try {
    const journey = await travelCold(scene)
    return { ...journey, roundTrips: journey.roundTrips - 2 * SLOW_FILE_TRIPS }
  } finally {
    scene.setOwnFileTrips(0)
  }
}

/** The same browser again, when every session is gone but its caches are full. */
export function travelColdAgain(scene: Scene): Promise<Journey> {
  return travel(scene, async () => {
    const context = await scene.openBrowser({ signsIn: true })
    const first = await openSignedIn(scene, context)
    await forgetSessions(scene, context, first)
    await first.close()
    const page = await context.newPage()
    return { step: () => visit(scene, page), after: () => context.close() }
  })
}

/** A reload while the app's own files take three round trips: those and the page's own are not counted. */
export async function travelWithSlowFiles(scene: Scene): Promise<Journey> {
  scene.setOwnFileTrips(SLOW_FILE_TRIPS)
  try {
    const journey = await travelByReload(scene)
    const roundTrips = journey.roundTrips - 1 - SLOW_FILE_TRIPS
    // A cache or a worker in between; what it does is not what is looked for here.
    if (Math.round(roundTrips) < 0) throw new Error('the page was there before its files had come')
    return { ...journey, roundTrips }
  } finally {
    scene.setOwnFileTrips(0)
  }
}

/** A reload in a browser that gives the server's frames no cookies; the button signs in where nobody was found. */
export async function travelByReloadWithoutFrameCookies(scene: Scene): Promise<Journey> {
  scene.server.blocksFrameCookies = true
  try {
    return await travelByReload(scene)
  } finally {
    scene.server.blocksFrameCookies = false
  }
}

export async function travelByReload(scene: Scene): Promise<Journey> {
  const context = await scene.openBrowser({ signsIn: true })
  const page = await openSignedIn(scene, context)
  // The first one is for the caches.
  await page.reload()
  await inState(page, 'authenticated')
  const found = await travel(scene, async () => {
    await pause(SETTLE_MS)
    return { step: () => timed(page, () => page.reload({ waitUntil: 'commit' })) }
  })
  await context.close()
  return found
}

export async function travelToNewTab(scene: Scene): Promise<Journey> {
  const context = await scene.openBrowser({ signsIn: true })
  await openSignedIn(scene, context)
  const found = await travel(scene, async () => {
    const page = await context.newPage()
    await pause(SETTLE_MS)
    return { step: () => visit(scene, page), after: () => page.close() }
  })
  await context.close()
  return found
}

async function travel(
  scene: Scene,
  prepare: () => Promise<{ step: Step; after?: () => Promise<void> }>,
): Promise<Journey> {
  const fastestMs: Journey['fastestMs'] = []
  let asked: string[] = []
  for (const { latencyMs, rounds } of LATENCIES) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      scene.setLatency(0)
      const { step, after } = await prepare()
      scene.setLatency(latencyMs)
      scene.server.requests.clear()
      const tookMs = await step()
      if (scene.asked().length >= asked.length) asked = scene.asked()
      scene.setLatency(0)
      await after?.()
      times.push(tookMs)
    }
    // The fastest of all rounds: what a busy machine adds is no round trip.
    fastestMs.push({ latencyMs, tookMs: Math.min(...times) })
  }
  const [short, long] = [fastestMs[0]!, fastestMs.at(-1)!]
  const roundTrips = (long.tookMs - short.tookMs) / (long.latencyMs - short.latencyMs)
  return {
    roundTrips,
    requests: asked.length,
    fastestMs,
    asked,
  }
}

const visit = (scene: Scene, page: Page) =>
  timed(page, () => page.goto(`${scene.origin}/`, { waitUntil: 'commit' }))

/** From the navigation's start until somebody is signed in. */
async function timed(page: Page, go: () => Promise<unknown>): Promise<number> {
  const startMs = Date.now()
  await go()
  await inState(page, 'authenticated')
  return (await signedInAtMs(page)) - startMs
}

/** At the server by its cookies, at the app by everything it stored; what is cached stays. */
async function forgetSessions(scene: Scene, context: BrowserContext, page: Page): Promise<void> {
  const engine = await context.newCDPSession(page)
  await page.goto('about:blank')
  await context.clearCookies()
  await engine.send('Storage.clearDataForOrigin', {
    origin: scene.origin,
    storageTypes: 'local_storage,indexeddb,service_workers',
  })
}
