// What a first visit costs before anybody can sign in: bytes sent, and what the page's main thread does meanwhile.
import { median } from '../../figures.ts'
import { inState, pause, type Scene } from '../scene.ts'

const ROUNDS = 7
const SETTLE_MS = 500
const RELOADS = 8
/** Code that the engine has compiled is in its cache from then on, as for who reloads an app all day. */
const WARM_RELOADS = 2

export interface StartUp {
  bytes: number
  /** What the main thread spent on everything, in its own time: when the processor does something else, it stands still. */
  mainThreadMs: number
  /** The part of it that scripts took. */
  scriptMs: number
  /** Tasks of 50 ms and more, together, by the clock. */
  longTasksMs: number
}

export async function startUp(scene: Scene): Promise<StartUp> {
  const found: StartUp[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await scene.openBrowser({ signsIn: false })
    const page = await context.newPage()
    const engine = await context.newCDPSession(page)
    await engine.send('Performance.enable', { timeDomain: 'threadTicks' })
    const before = scene.sentBytes()
    await page.goto(`${scene.origin}/`)
    await inState(page, 'unauthenticated')
    const bytes = scene.sentBytes() - before
    await pause(SETTLE_MS)
    const { metrics } = await engine.send('Performance.getMetrics')
    const milliseconds = (name: string) =>
      1000 * (metrics.find((one) => one.name === name)?.value ?? Number.NaN)
    const longTasksMs = await page.evaluate(() => window.gauges.longTasksMs)
    found.push({
      bytes,
      mainThreadMs: milliseconds('TaskDuration'),
      scriptMs: milliseconds('ScriptDuration'),
      longTasksMs,
    })
    await context.close()
  }
  const middle = (name: keyof StartUp) => median(found.map((one) => one[name]))
  return {
    bytes: middle('bytes'),
    mainThreadMs: middle('mainThreadMs'),
    scriptMs: middle('scriptMs'),
    longTasksMs: middle('longTasksMs'),
  }
}

export interface ReloadWork {
  /** What scripts took on the main thread, in its own time. */
  scriptMs: number
}

/** Reloads of a page that was signed in. @param status of the page before and after */
export async function reloadWork(
  scene: Scene,
  status: 'authenticated' | 'unauthenticated' = 'authenticated',
): Promise<ReloadWork> {
  const context = await scene.openBrowser({ signsIn: status === 'authenticated' })
  const page = await context.newPage()
  await page.goto(`${scene.origin}/`)
  await inState(page, status)
  await pause(SETTLE_MS)
  const engine = await context.newCDPSession(page)
  await engine.send('Performance.enable', { timeDomain: 'threadTicks' })
  const found: number[] = []
  for (let count = 0; count < WARM_RELOADS + RELOADS; count += 1) {
    await page.reload()
    await inState(page, status)
    await pause(SETTLE_MS)
    // A navigation begins the engine's count anew.
    const { metrics } = await engine.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
    if (count >= WARM_RELOADS) found.push(1000 * seconds)
  }
  await context.close()
  return { scriptMs: median(found) }
}
