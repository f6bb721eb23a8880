// Many tabs of one browser: one renewal for all, never a refresh token used twice, a logout that everybody sees.
import type { BrowserContext, Page } from 'playwright'
import { atMost, exactly, type Findings, median, plain } from '../figures.ts'
import { inState, openStage, type Stage } from '../stage.ts'

/** What a browser may lack. */
type Lack = 'locks' | 'channels'

const FEW_TABS = 8
const MANY_TABS = 20
const ROUNDS_OF_FEW = 10
const ROTATIONS = 50
const LOGOUTS = 7
/** Browsers that lack something, and how many tabs have a session there all the same. */
const LACKING: readonly { name: string; lacks: readonly Lack[]; tabCount: number }[] = [
  { name: 'without Web Locks', lacks: ['locks'], tabCount: 10 },
  { name: 'without BroadcastChannel', lacks: ['channels'], tabCount: 10 },
  { name: 'without both', lacks: ['locks', 'channels'], tabCount: 5 },
]
const DYING_TABS = 5
const DEATHS = 20
/** Longer than any token lives, so that all of them have expired. */
const SLEEP_MS = 3_600_000

export async function measureTabs(): Promise<Findings> {
  const stage = await openStage()
  try {
    const few = await rotate(stage, FEW_TABS, ROUNDS_OF_FEW)
    const many = await rotate(stage, MANY_TABS, ROTATIONS)
    const lacking = []
    for (const { name, lacks, tabCount } of LACKING)
      lacking.push({ name, lacks, tabCount, ...(await rotate(stage, tabCount, ROTATIONS, lacks)) })
    const dying = []
    for (const [name, lacks] of [
      ['', []],
      [' without Web Locks', ['locks']],
    ] as const)
      dying.push({ name, ...(await letWinnersDie(stage, lacks)) })
    const logouts = await measureLogouts(stage)
    const currentMs = median(few.rounds.map(({ tookMs }) => tookMs))
    const logoutMs = median(logouts.map(({ visibleAfterMs }) => visibleAfterMs))
    const messageMs = median(logouts.map(({ messageMs: oneMs }) => oneMs))
    return {
      figures: [
        exactly(
          '8 tabs with an expired token, all asking: refreshes, the most of ten rounds',
          Math.max(...few.rounds.map(({ refreshes }) => refreshes)),
          1,
        ),
        exactly('8 tabs with an expired token: refresh tokens used twice', few.reused, 0),
        atMost('8 tabs with an expired token: until all are current', currentMs, 2_000, ' ms'),
        plain(
          'The same, in round trips to the server',
          (currentMs / median(few.rounds.map(({ roundTripMs }) => roundTripMs))).toFixed(1),
        ),
        exactly('20 tabs, 50 rotations: refreshes', many.refreshes, ROTATIONS),
        exactly('20 tabs, 50 rotations: refresh tokens used twice', many.reused, 0),
        exactly('20 tabs, 50 rotations: grants revoked', many.revoked, 0),
        exactly('20 tabs, 50 rotations: different tokens at the end', many.tokensAtTheEnd, 1),
        atMost(
          '20 tabs, 50 rotations: until all are current, median',
          median(many.rounds.map(({ tookMs }) => tookMs)),
          2_000,
          ' ms',
        ),
        ...lacking.flatMap(figuresOf),
        ...dying.flatMap(({ name, reused, revoked, waitsMs }) => {
          const what = `${DYING_TABS} tabs${name}, the one that renews is closed, ${waitsMs.length} times`
          return [
            exactly(`${what}: refresh tokens used twice, grants revoked`, reused + revoked, 0),
            atMost(`${what}: the longest wait of another tab`, Math.max(...waitsMs), 10_000, ' ms'),
          ]
        }),
        atMost('Logout: visible in another tab', logoutMs, 200, ' ms'),
        plain('The same, in bare messages between two tabs', (logoutMs / messageMs).toFixed(1)),
      ],
      raw: { few, many, lacking, dying, logouts },
    }
  } finally {
    await stage.close()
  }
}

type Rotations = Awaited<ReturnType<typeof rotate>>

function figuresOf({ name, tabCount, rounds, ...found }: Rotations & (typeof LACKING)[number]) {
  const what = `${tabCount} tabs ${name}, ${rounds.length} rotations`
  return [
    // Where a browser lacks one of these, each tab signs in by itself: a grant each.
    exactly(`${what}: refreshes for each grant`, found.refreshes / tabCount, ROTATIONS),
    exactly(`${what}: refresh tokens used twice, grants revoked`, found.reused + found.revoked, 0),
    atMost(
      `${what}: until all are current, median`,
      median(rounds.map(({ tookMs }) => tookMs)),
      2_000,
      ' ms',
    ),
  ]
}

async function openBrowser(stage: Stage, lacks: readonly Lack[]): Promise<BrowserContext> {
  const context = await stage.openBrowser()
  if (lacks.includes('locks'))
    await context.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }),
    )
  if (lacks.includes('channels'))
    await context.addInitScript(() => {
      // The bench itself still has one, to give its word.
      Object.assign(window, { BenchChannel: BroadcastChannel })
      Reflect.deleteProperty(globalThis, 'BroadcastChannel')
    })
  return context
}

/** Lets the machine sleep and all tabs ask for a token at its wake, again and again. */
async function rotate(stage: Stage, tabCount: number, rounds: number, lacks: readonly Lack[] = []) {
  const context = await openBrowser(stage, lacks)
  const pages = await openTabs(stage, context, tabCount)
  const before = { ...stage.authServer.counts }
  const found = []
  for (let round = 0; round < rounds; round += 1) {
    stage.authServer.requests.clear()
    const times = await askTogether(pages)
    const refreshes = stage.authServer.requests.matching({ grant: 'refresh_token' })
    found.push({
      refreshes: refreshes.length,
      // From the first one that asked to the last one that got it.
      tookMs:
        Math.max(...times.map(({ gotAtMs }) => gotAtMs)) -
        Math.min(...times.map(({ askedAtMs }) => askedAtMs)),
      // For the tab that went to the server.
      roundTripMs: Math.min(...times.map(({ gotAtMs, askedAtMs }) => gotAtMs - askedAtMs)),
    })
  }
  const tokens = await Promise.all(
    pages.map((page) => page.evaluate(() => window.bench.auth.getAccessToken())),
  )
  const { counts } = stage.authServer
  await context.close()
  return {
    rounds: found,
    refreshes: counts.refreshes - before.refreshes,
    reused: counts.reuseDetected - before.reuseDetected,
    revoked: counts.familiesRevoked - before.familiesRevoked,
    tokensAtTheEnd: new Set(tokens).size,
  }
}

async function openTabs(stage: Stage, context: BrowserContext, count: number): Promise<Page[]> {
  const pages: Page[] = []
  for (let index = 0; index < count; index += 1) pages.push(await stage.openSignedIn(context))
  return pages
}

/** Every page is armed before the first one may go, so all of them ask with the old token in hand. */
async function askTogether(pages: readonly Page[]) {
  await Promise.all(
    pages.map((page) =>
      page.evaluate((sleepMs) => {
        window.instruments.sleep(sleepMs)
        const now = () => performance.timeOrigin + performance.now()
        const go = new (
          (Reflect.get(window, 'BenchChannel') as typeof BroadcastChannel | undefined) ?? BroadcastChannel
        )('bench')
        const asking = new Promise<{ askedAtMs: number; gotAtMs: number }>((resolve, reject) => {
          go.addEventListener('message', () => {
            const askedAtMs = now()
            window.bench.auth
              .getAccessToken()
              .then(() => resolve({ askedAtMs, gotAtMs: now() }), reject)
              .finally(() => go.close())
          })
        })
        Object.assign(window, { asking })
      }, SLEEP_MS),
    ),
  )
  // A second channel in the same page: a message is not heard by the channel that sends it.
  await pages[0]?.evaluate(() => {
    const go = new (
      (Reflect.get(window, 'BenchChannel') as typeof BroadcastChannel | undefined) ?? BroadcastChannel
    )('bench')
    go.postMessage('go')
    go.close()
  })
  return Promise.all(
    pages.map((page) =>
      page.evaluate(
        () => (window as unknown as { asking: Promise<{ askedAtMs: number; gotAtMs: number }> }).asking,
      ),
    ),
  )
}

/** Closes the tab whose renewal is on its way, again and again; the others ask at that moment, and a new tab takes its place. */
async function letWinnersDie(stage: Stage, lacks: readonly Lack[]) {
  const context = await openBrowser(stage, lacks)
  const pages = await openTabs(stage, context, DYING_TABS)
  const { reuseDetected, familiesRevoked } = stage.authServer.counts
  const waitsMs: number[] = []
  for (let round = 0; round < DEATHS; round += 1) {
    const winner = pages.shift()
    stage.authServer.requests.clear()
    // By turns before the server has heard of it, and when it has rotated the token.
    const stageOfIt = round % 2 === 0 ? ('after' as const) : ('before' as const)
    const mend = stage.authServer.faults.add({
      path: '/oauth/token',
      grant: 'refresh_token',
      stage: stageOfIt,
      hang: true,
      times: 1,
    })
    await winner?.evaluate(() => void window.bench.auth.renew({ force: true }).catch(() => {}))
    while (stage.authServer.requests.count({ grant: 'refresh_token' }) === 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
    const waits = pages.map((page) =>
      page.evaluate(async () => {
        const askedAtMs = performance.now()
        await window.bench.auth.renew({ force: true })
        return performance.now() - askedAtMs
      }),
    )
    await winner?.close()
    waitsMs.push(Math.max(...(await Promise.all(waits))))
    mend()
    pages.push(await stage.openSignedIn(context))
  }
  const { counts } = stage.authServer
  await context.close()
  return {
    waitsMs,
    reused: counts.reuseDetected - reuseDetected,
    revoked: counts.familiesRevoked - familiesRevoked,
  }
}

async function measureLogouts(stage: Stage) {
  const context = await stage.openBrowser()
  const [first, other] = (await openTabs(stage, context, 2)) as [Page, Page]
  const found = []
  for (let round = 0; round < LOGOUTS; round += 1) {
    const messageMs = await timeOf(other, first, 'message')
    const visibleAfterMs = await timeOf(other, first, 'logout')
    found.push({ messageMs, visibleAfterMs })
    await inState(first, 'redirecting').catch(() => {})
    await first.goto(stage.origin)
    await first.locator('button[value="anna"]').click()
    await inState(first, 'authenticated')
    await inState(other, 'authenticated')
  }
  await context.close()
  return found
}

/** From the moment the one page does it to the moment the other page knows. */
async function timeOf(seeing: Page, acting: Page, what: 'message' | 'logout'): Promise<number> {
  await seeing.evaluate((kind) => {
    const now = () => performance.timeOrigin + performance.now()
    const seen = new Promise<number>((resolve) => {
      if (kind === 'message') {
        const echo = new BroadcastChannel('echo')
        echo.addEventListener('message', () => {
          resolve(now())
          echo.close()
        })
        return
      }
      const stop = window.bench.auth.subscribe(() => {
        if (window.bench.auth.getState().status !== 'unauthenticated') return
        stop()
        resolve(now())
      })
    })
    Object.assign(window, { seen })
  }, what)
  const actedAtMs = await acting.evaluate((kind) => {
    const atMs = performance.timeOrigin + performance.now()
    if (kind === 'message') new BroadcastChannel('echo').postMessage('')
    else void window.bench.auth.logout()
    return atMs
  }, what)
  const seenAtMs = await seeing.evaluate(() => (window as unknown as { seen: Promise<number> }).seen)
  return seenAtMs - actedAtMs
}
