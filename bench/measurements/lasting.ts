// What a long day leaves behind in a page: a thousand renewals, a hundred mounts, counted after the garbage is gone.
import type { CDPSession, Page } from 'playwright'
import { atMost, exactly, type Findings } from '../figures.ts'
import type { LiveCounts } from '../page/benchPage.ts'
import { openStage, signedIn } from '../stage.ts'

const RENEWALS = 1_000
const HEAP_RENEWALS = 500
const MOUNTS = 100
const LARGEST_RENEWAL_GROWTH_BYTES = 100
const LARGEST_MOUNT_GROWTH_BYTES = 10_240
/** What a page remembers of the past has a fixed length, and the engine keeps what it has compiled: after so many nothing is new. */
const WARM_RENEWALS = 1_000

interface Snapshot extends LiveCounts {
  heapBytes: number
  /** As the browser's own engine counts them. */
  engineListeners: number
  nodes: number
  documents: number
}

export async function measureLasting(): Promise<Findings> {
  const stage = await openStage()
  try {
    const context = await stage.openBrowser()
    const page = await stage.openSignedIn(context)
    await page.reload()
    await signedIn(page)
    const engine = await context.newCDPSession(page)

    // Warm: what is made once has been made.
    await renew(page, WARM_RENEWALS)
    await remount(page, 5)
    await page.waitForFunction(() => window.instruments.counts().frames === 0)
    const start = await snapshot(page, engine)
    await renew(page, HEAP_RENEWALS)
    const half = await snapshot(page, engine)
    await renew(page, RENEWALS - HEAP_RENEWALS)
    const renewed = await snapshot(page, engine)
    await remount(page, MOUNTS)
    const remounted = await snapshot(page, engine)

    const grown = (name: keyof Snapshot, from: Snapshot, to: Snapshot) => to[name] - from[name]
    const perRenewal = grown('heapBytes', start, half) / HEAP_RENEWALS
    const leftBy = (what: string, from: Snapshot, to: Snapshot) =>
      (['listeners', 'timers', 'frames', 'channels'] as const).map((name) =>
        exactly(`${what}: ${name} more than before`, grown(name, from, to), 0),
      )
    return {
      figures: [
        atMost(
          '500 forced renewals: growth of the heap for each',
          perRenewal,
          LARGEST_RENEWAL_GROWTH_BYTES,
          ' bytes',
        ),
        ...leftBy('1,000 renewals', start, renewed),
        ...leftBy('100 mounts and unmounts', renewed, remounted),
        atMost(
          '100 mounts and unmounts: growth of the heap for each',
          grown('heapBytes', renewed, remounted) / MOUNTS,
          LARGEST_MOUNT_GROWTH_BYTES,
          ' bytes',
        ),
      ],
      raw: { start, half, renewed, remounted },
    }
  } finally {
    await stage.close()
  }
}

const renew = (page: Page, times: number) =>
  page.evaluate(async (count) => {
    for (let round = 0; round < count; round += 1) await window.bench.auth.renew({ force: true })
  }, times)

const remount = (page: Page, times: number) =>
  page.evaluate(async (count) => {
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    for (let round = 0; round < count; round += 1) {
      window.bench.unmount()
      await wait(10)
      window.bench.mount()
      await wait(10)
    }
    // The last one has to have come to rest as the first one had.
    await wait(1_000)
  }, times)

async function snapshot(page: Page, engine: CDPSession): Promise<Snapshot> {
  await engine.send('HeapProfiler.enable')
  for (let round = 0; round < 3; round += 1) await engine.send('HeapProfiler.collectGarbage')
  const { usedSize } = await engine.send('Runtime.getHeapUsage')
  const { jsEventListeners, nodes, documents } = await engine.send('Memory.getDOMCounters')
  const counts = await page.evaluate(() => window.instruments.counts())
  return { ...counts, heapBytes: usedSize, engineListeners: jsEventListeners, nodes, documents }
}
