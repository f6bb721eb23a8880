// A reload with a session at the server, and a new tab beside a signed-in one: what is asked, one after the other, and when it begins.
import type { Page } from 'playwright'
import { atMost, exactly, type Findings, median, plain } from '../figures.ts'
import { openStage, type Stage, signedIn } from '../stage.ts'

const LATENCIES_MS = [0, 50, 400]
const ROUNDS = 5
const ROUND_TRIPS = 2

export async function measureReload(): Promise<Findings> {
  const stage = await openStage()
  try {
    const context = await stage.openBrowser()
    const page = await stage.openSignedIn(context)
    const reloads: ({ latencyMs: number } & Awaited<ReturnType<typeof reload>>)[] = []
    for (const latencyMs of LATENCIES_MS) {
      stage.authServer.faults.latencyMs = latencyMs
      // The first one is for the caches.
      await reload(stage, page)
      for (let round = 0; round < ROUNDS; round += 1) {
        reloads.push({ latencyMs, ...(await reload(stage, page)) })
      }
    }
    stage.authServer.faults.latencyMs = 0

    stage.authServer.requests.clear()
    const second = await stage.openSignedIn(context)
    const askedByTab = stage.requests()
    const hadFrame = await second.evaluate(() => window.instruments.frameOpened !== undefined)

    // The fastest of all rounds: what a busy machine adds is no round trip.
    const took = (latencyMs: number) =>
      Math.min(...reloads.filter((one) => one.latencyMs === latencyMs).map(({ tookMs }) => tookMs))
    const [shortMs = 0, , longMs = 0] = LATENCIES_MS
    const slope = (took(longMs) - took(shortMs)) / (longMs - shortMs)
    const before = reloads.map(({ frame }) => frame)
    return {
      figures: [
        exactly(
          'Reload: requests to the server, the most of all rounds',
          Math.max(...reloads.map(({ asked }) => asked.length)),
          ROUND_TRIPS,
        ),
        {
          ...atMost(
            'Reload: sequential round trips (growth of the time with the latency)',
            slope,
            ROUND_TRIPS,
          ),
          isMet: Math.round(slope) <= ROUND_TRIPS,
        },
        exactly(
          'Reload: requests before the hidden frame opens',
          Math.max(...before.map(({ requests }) => requests)),
          0,
        ),
        exactly(
          'Reload: timers waited for before it opens',
          Math.max(...before.map(({ timersFired }) => timersFired)),
          0,
        ),
        plain('Reload: pictures painted before it opens', String(median(before.map(({ paints }) => paints)))),
        plain(
          'Reload: from the page’s script to the frame',
          `${median(reloads.map(({ untilFrameMs }) => untilFrameMs)).toFixed(1)} ms`,
        ),
        exactly('New tab beside a signed-in one: requests to the server', askedByTab.length, 0),
        exactly('New tab beside a signed-in one: hidden frames', hadFrame ? 1 : 0, 0),
      ],
      raw: { reloads, askedByTab },
    }
  } finally {
    await stage.close()
  }
}

async function reload(stage: Stage, page: Page) {
  stage.authServer.requests.clear()
  await page.reload()
  await signedIn(page)
  const seen = await page.evaluate(() => ({
    started: window.bench.scriptStarted,
    signedInAtMs: window.bench.signedInAtMs ?? Number.NaN,
    frame: window.instruments.frameOpened!,
  }))
  return {
    asked: stage.requests(),
    tookMs: seen.signedInAtMs - seen.started.atMs,
    untilFrameMs: seen.frame.atMs - seen.started.atMs,
    frame: { ...seen.frame, paints: seen.frame.paints - seen.started.paints },
  }
}
