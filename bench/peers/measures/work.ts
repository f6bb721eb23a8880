// Startup cost: JavaScript until sign-in, the main thread at a reload, and the first call after a sign-in.
import { median } from '../../report.ts'
import { inState, openSignedIn, pause, type Scene } from '../scene.ts'

const SETTLE_MS = 500
const RELOADS = 8
/** From this reload on the engine has cached the compiled code, as for a user who reloads all day. */
const WARM_RELOADS = 2
const SCRIPT_ROUNDS = 3
const CALL_LATENCY_MS = 400

declare global {
  interface Window {
    firstCallMs?: number
  }
}

/** Script time on the main thread at a reload. @param status of the page before and after */
export async function reloadWork(
  scene: Scene,
  status: 'authenticated' | 'unauthenticated' = 'authenticated',
) {
  const context = await scene.openBrowser({ signsIn: status === 'authenticated' })
  const page = await context.newPage()
  await page.goto(`${scene.origin}/`)
  await inState(page, status)
  await pause(SETTLE_MS)
  const engine = await context.newCDPSession(page)
  // Thread time does not advance while the processor does something else.
  await engine.send('Performance.enable', { timeDomain: 'threadTicks' })
  const found: number[] = []
  for (let count = 0; count < WARM_RELOADS + RELOADS; count += 1) {
    await page.reload()
    await inState(page, status)
    await pause(SETTLE_MS)
    // A navigation resets the engine's count.
    const { metrics } = await engine.send('Performance.getMetrics')
    found.push(1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN))
  }
  await context.close()
  return { scriptMs: median(found.slice(WARM_RELOADS)) }
}

/** The work of a reload until its first signed-in render. */
export interface CountedWork {
  storageReads: number
  jsonParses: number
  urls: number
}

declare global {
  interface Window {
    countedWork?: CountedWork
  }
}

/** Counts are the same on every machine. */
export async function reloadCounts(scene: Scene): Promise<CountedWork> {
  const context = await scene.openBrowser({ signsIn: true })
  await context.addInitScript(countWork)
  const page = await openSignedIn(scene, context)
  // The first reload clears the traces of the sign-in.
  for (let count = 0; count < 2; count += 1) {
    await pause(SETTLE_MS)
    await page.reload()
    await inState(page, 'authenticated')
  }
  const found = await page.evaluate(() => window.countedWork)
  await context.close()
  if (!found) throw new Error('nothing was counted')
  return found
}

/** Runs in the page before its scripts; the page marks its first signed-in render at its root element. */
function countWork(): void {
  if (window !== window.top) return
  const counted = (window.countedWork = { storageReads: 0, jsonParses: 0, urls: 0 })
  let isOver = false
  const count = (what: keyof typeof counted) => {
    if (!isOver) counted[what] += 1
  }
  const { getItem } = Storage.prototype
  Storage.prototype.getItem = function get(this: Storage, key) {
    count('storageReads')
    return getItem.call(this, key)
  }
  const { parse } = JSON
  JSON.parse = (...given) => {
    count('jsonParses')
    return parse(...given) as unknown
  }
  window.URL = new Proxy(URL, {
    construct(target, given, newTarget) {
      count('urls')
      return Reflect.construct(target, given, newTarget) as URL
    },
  })
  const watching = new MutationObserver(() => {
    isOver ||= document.documentElement?.dataset['status'] === 'authenticated'
  })
  watching.observe(document, { attributes: true, childList: true, subtree: true })
}

/** JavaScript loaded until sign-in with an empty cache, before and after the sign-in page. */
export async function scripts(scene: Scene) {
  const found: { bytes: number; files: number }[] = []
  for (let round = 0; round < SCRIPT_ROUNDS; round += 1) {
    const context = await scene.openBrowser({ signsIn: true })
    const { scriptBytes, scriptFiles } = scene.app
    await openSignedIn(scene, context)
    found.push({ bytes: scene.app.scriptBytes - scriptBytes, files: scene.app.scriptFiles - scriptFiles })
    await context.close()
  }
  return { bytes: median(found.map(({ bytes }) => bytes)), files: median(found.map(({ files }) => files)) }
}

/** How much longer a first call with a token takes 100 ms after a first sign-in than a later one. */
export async function firstCall(scene: Scene) {
  const [soonMs, laterMs] = [await fastestCall(scene, 100), await fastestCall(scene, 3_000)]
  return { moreRoundTrips: (soonMs - laterMs) / CALL_LATENCY_MS, soonMs, laterMs }
}

async function fastestCall(scene: Scene, afterMs: number): Promise<number> {
  const times: number[] = []
  scene.setLatency(CALL_LATENCY_MS)
  try {
    for (let round = 0; round < SCRIPT_ROUNDS; round += 1) {
      const context = await scene.openBrowser({ signsIn: true })
      await context.addInitScript(callAfterSignIn, afterMs)
      const page = await openSignedIn(scene, context)
      await page.waitForFunction(() => window.firstCallMs !== undefined)
      times.push(await page.evaluate(() => window.firstCallMs ?? Number.NaN))
      await context.close()
    }
  } finally {
    scene.setLatency(0)
  }
  return Math.min(...times)
}

/** Runs in the page before its scripts, so that a busy machine does not delay the call. */
function callAfterSignIn(afterMs: number): void {
  if (window !== window.top) return
  const watching = new MutationObserver(() => {
    if (document.documentElement?.dataset['status'] !== 'authenticated') return
    watching.disconnect()
    setTimeout(() => {
      const startMs = performance.now()
      void window.peer.call?.().then(() => {
        window.firstCallMs = performance.now() - startMs
      })
    }, afterMs)
  })
  watching.observe(document, { attributes: true, childList: true, subtree: true })
}
