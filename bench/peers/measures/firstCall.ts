// How long the first call with a token takes after a first sign-in, where its code is in a file of its own: made soon, and made later.
import { openSignedIn, type Scene } from '../scene.ts'

const ROUNDS = 3
const LATENCY_MS = 400
const SOON_MS = 100
/** Longer than any file takes. */
const LATER_MS = 3_000

declare global {
  interface Window {
    firstCallMs?: number
  }
}

export interface FirstCall {
  /** What a call takes more that is made soon after sign-in. */
  moreRoundTrips: number
  soonMs: number
  laterMs: number
}

export async function firstCall(scene: Scene): Promise<FirstCall> {
  const [soonMs, laterMs] = [await fastest(scene, SOON_MS), await fastest(scene, LATER_MS)]
  return { moreRoundTrips: (soonMs - laterMs) / LATENCY_MS, soonMs, laterMs }
}

/** In empty browsers. @param afterMs from the sign-in until the call */
async function fastest(scene: Scene, afterMs: number): Promise<number> {
  const times: number[] = []
  scene.setLatency(LATENCY_MS)
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
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

/** Runs in the page before its scripts, so that a busy machine does not make the call a later one. */
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
