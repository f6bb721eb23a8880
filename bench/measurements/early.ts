// A page whose files take their time, with and without the script that looks for the session meanwhile.
import type { Page, Request, Response } from 'playwright'
import { exactly, type Findings, plain, type Table } from '../figures.ts'
import { openStage, type Stage, signedIn } from '../stage.ts'

const LATENCIES_MS = [0, 50, 400]
const ROUNDS = 4
/** The app's first file comes after so many round trips, whatever else the page loads after one. */
const FILE_ROUND_TRIPS = 3
const BAR_MS = 50

interface Line {
  what: string
  beginMs: number
  endMs: number
}

interface Load {
  latencyMs: number
  asked: string[]
  /** From the first line of the app's own script to being signed in. */
  extraMs: number
  lines: Line[]
}

export async function measureEarly(): Promise<Findings> {
  const [without, withIt] = [await measure(false), await measure(true)]
  const most = (loads: Load[]) => Math.max(...loads.map(({ asked }) => asked.length))
  return {
    figures: [
      plain(
        'Without it: sequential round trips from the app’s script to being signed in',
        slope(without).toFixed(2),
      ),
      {
        ...exactly(
          'With it: sequential round trips from the app’s script to being signed in',
          Math.round(slope(withIt)),
          0,
        ),
        value: slope(withIt).toFixed(2),
      },
      plain('Without it: requests to the server, the most of all rounds', String(most(without))),
      exactly('With it: requests to the server, the most of all rounds', most(withIt), most(without)),
    ],
    tables: [waterfall('Without it', without), waterfall('With it', withIt)],
    notes: [
      `Every request to the server takes the latency, every file of the app one latency, and its first file ${FILE_ROUND_TRIPS}: a page that loads slower than the two round trips of signing in.`,
      `The waterfalls are those of the median round at ${LATENCIES_MS.at(-1)} ms; a block is ${BAR_MS} ms.`,
    ],
    raw: { without, with: withIt },
  }
}

async function measure(hasEarly: boolean): Promise<Load[]> {
  const stage = await openStage({}, { hasEarly })
  try {
    const context = await stage.openBrowser()
    const page = await stage.openSignedIn(context)
    let latencyMs = 0
    await page.route('**/assets/*.js', async (route) => {
      const tripCount = route.request().url().includes('/index-') ? FILE_ROUND_TRIPS : 1
      await new Promise((resolve) => {
        setTimeout(resolve, latencyMs * tripCount)
      })
      await route.continue()
    })
    const loads: Load[] = []
    for (latencyMs of LATENCIES_MS) {
      stage.authServer.faults.latencyMs = latencyMs
      for (let round = 0; round < ROUNDS; round += 1) loads.push(await reload(stage, page, latencyMs))
    }
    return loads
  } finally {
    await stage.close()
  }
}

async function reload(stage: Stage, page: Page, latencyMs: number): Promise<Load> {
  stage.authServer.requests.clear()
  // By this process's clock: the browser does not know of the time that a file is held back.
  const begun = new Map<Request, number>()
  const ended = new Map<Request, number>()
  const onBegin = (request: Request) => begun.set(request, Date.now())
  const onEnd = (request: Request) => {
    if (!ended.has(request)) ended.set(request, Date.now())
  }
  // An answer counts from its first line: nobody may have read the rest yet.
  const onAnswer = (response: Response) => {
    if (response.url().includes('/oauth/')) onEnd(response.request())
  }
  page.on('request', onBegin)
  page.on('response', onAnswer)
  page.on('requestfinished', onEnd)
  await page.reload()
  await signedIn(page)
  page.off('request', onBegin)
  page.off('response', onAnswer)
  page.off('requestfinished', onEnd)
  const seen = await page.evaluate(() => ({
    originMs: performance.timeOrigin,
    startedMs: window.bench.scriptStarted.atMs,
    signedInMs: window.bench.signedInAtMs ?? Number.NaN,
  }))
  const lines = [...ended]
    .map(([request, endedAtMs]) => ({
      what: nameOf(request),
      beginMs: (begun.get(request) ?? endedAtMs) - seen.originMs,
      endMs: endedAtMs - seen.originMs,
    }))
    .filter(({ what, beginMs }) => what !== '' && beginMs < seen.signedInMs)
    .toSorted((one, other) => one.beginMs - other.beginMs)
  return {
    latencyMs,
    asked: stage.requests(),
    extraMs: seen.signedInMs - seen.startedMs,
    lines: [
      ...lines,
      { what: 'the app: script to signed in', beginMs: seen.startedMs, endMs: seen.signedInMs },
    ],
  }
}

function nameOf(request: Request): string {
  const { pathname } = new URL(request.url())
  if (pathname.startsWith('/oauth/')) return `${request.method()} ${pathname}`
  if (pathname.includes('/index-')) return 'file: the app'
  return pathname === '/' ? 'the page' : ''
}

/** How much the fastest load grows with the latency: what a busy machine adds is no round trip. */
function slope(loads: readonly Load[]): number {
  const took = (latencyMs: number) =>
    Math.min(...loads.filter((one) => one.latencyMs === latencyMs).map(({ extraMs }) => extraMs))
  const [shortMs = 0, , longMs = 0] = LATENCIES_MS
  // Nothing is not less than nothing.
  return Math.max(0, (took(longMs) - took(shortMs)) / (longMs - shortMs))
}

function waterfall(title: string, loads: readonly Load[]): Table {
  const slow = loads
    .filter(({ latencyMs }) => latencyMs === LATENCIES_MS.at(-1))
    .toSorted((one, other) => one.extraMs - other.extraMs)
  const { lines } = slow[Math.floor(slow.length / 2)]!
  const blocks = (ms: number) => Math.max(0, Math.round(ms / BAR_MS))
  return {
    title,
    columns: ['What', 'From', 'To', 'Waterfall'],
    rows: lines.map(({ what, beginMs, endMs }) => [
      what,
      `${Math.round(beginMs)} ms`,
      `${Math.round(endMs)} ms`,
      `\`${'·'.repeat(blocks(beginMs))}${'█'.repeat(Math.max(1, blocks(endMs - beginMs)))}\``,
    ]),
  }
}
