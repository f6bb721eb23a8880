// What a first visit costs before anybody can sign in: bytes sent, and how long the page's main thread is kept busy.
import { median } from '../../figures.ts'
import { inState, pause, type Scene } from '../scene.ts'

/** A slow computer, so that the browser sees tasks long enough to tell of them. */
const SLOWER_BY = 6
const SETTLE_MS = 500

export interface StartUp {
  bytes: number
  /** Tasks of 50 ms and more, together, on the slowed processor. */
  longTasksMs: number
  /** Everything the main thread did for the page's scripts, on the slowed processor. */
  scriptMs: number
}

export async function startUp(scene: Scene, rounds: number): Promise<StartUp> {
  const found: StartUp[] = []
  for (let round = 0; round < rounds; round += 1) {
    const context = await scene.openBrowser({ signsIn: false })
    const page = await context.newPage()
    const engine = await context.newCDPSession(page)
    await engine.send('Performance.enable')
    await engine.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_BY })
    const before = scene.sentBytes()
    await page.goto(`${scene.origin}/`)
    await inState(page, 'unauthenticated')
    const bytes = scene.sentBytes() - before
    await pause(SETTLE_MS)
    const { metrics } = await engine.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
    const longTasksMs = await page.evaluate(() => window.gauges.longTasksMs)
    found.push({ bytes, longTasksMs, scriptMs: seconds * 1000 })
    await context.close()
  }
  // The fastest of all rounds: what a busy machine adds is no work of the page.
  return {
    bytes: median(found.map(({ bytes }) => bytes)),
    longTasksMs: Math.min(...found.map(({ longTasksMs }) => longTasksMs)),
    scriptMs: Math.min(...found.map(({ scriptMs }) => scriptMs)),
  }
}
