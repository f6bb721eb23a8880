// The running cost of a session: renders of a component that uses it, and the memory that each renewal leaks.
import type { CDPSession, Page } from 'playwright'
import { inState, openSignedIn, pause, type Scene } from '../scene.ts'

const RENDERED_RENEWALS = 10
/** Warm-up: after this many the engine compiles nothing new, and bounded histories are full. */
const WARM_RENEWALS = 1_000
const RENEWALS = 500
const SETTLE_MS = 500

export async function renders(scene: Scene) {
  const context = await scene.openBrowser({ signsIn: true })
  const page = await openSignedIn(scene, context)
  const cold = await rendersOf(page)
  await page.reload()
  await inState(page, 'authenticated')
  const reload = await rendersOf(page)
  await renew(page, 1)
  const before = await rendersOf(page)
  await renew(page, RENDERED_RENEWALS)
  const after = await rendersOf(page)
  await context.close()
  return { cold, reload, renewal: (after - before) / RENDERED_RENEWALS }
}

export async function leftovers(scene: Scene) {
  const context = await scene.openBrowser({ signsIn: true })
  const page = await openSignedIn(scene, context)
  const engine = await context.newCDPSession(page)
  // Warm: one-time allocations are done.
  await renew(page, WARM_RENEWALS)
  const before = await snapshot(page, engine)
  await renew(page, RENEWALS)
  const after = await snapshot(page, engine)
  await context.close()
  const grown = (name: keyof typeof before) => after[name] - before[name]
  return {
    heapBytesPerRenewal: grown('heapBytes') / RENEWALS,
    listeners: grown('listeners'),
    timers: grown('timers'),
    frames: grown('frames'),
  }
}

const renew = (page: Page, times: number) =>
  page.evaluate(async (count) => {
    for (let round = 0; round < count; round += 1) await window.peer.renew()
  }, times)

async function rendersOf(page: Page): Promise<number> {
  await pause(SETTLE_MS)
  return page.evaluate(() => window.peer.renders)
}

async function snapshot(page: Page, engine: CDPSession) {
  // Lingering frames and timers are not leaks.
  await pause(SETTLE_MS)
  await page
    .waitForFunction(() => window.gauges.counts().frames === 0, undefined, { timeout: 5_000 })
    .catch(() => {})
  await engine.send('HeapProfiler.enable')
  for (let round = 0; round < 3; round += 1) await engine.send('HeapProfiler.collectGarbage')
  const { usedSize } = await engine.send('Runtime.getHeapUsage')
  const counts = await page.evaluate(() => window.gauges.counts())
  return { ...counts, heapBytes: usedSize }
}
