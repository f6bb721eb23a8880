// A clock that only the test moves: timers fire in order, and the clocks can be wrong or stop.
import { LARGEST_TIMER_DELAY_MS } from '../base/constants.ts'
import { createBrowserPlatform } from '../session/platform/browserPlatform.ts'

interface Timer {
  readonly owner: object
  readonly atMs: number
  readonly callback: () => void
}

/** The clock of one fake machine, and what its pages use of it. An owner is a page. */
export type ClockWorks = ReturnType<typeof createClockWorks>

// Work without any change during this many turns of the real event loop counts as hanging.
const HANGING_TURNS = 150
const REST_TURNS = 4

// setImmediate of Node is a hundred times faster than the shortest timer. Browsers lack it; a message is as fast there.
declare const setImmediate: ((callback: () => void) => unknown) | undefined
function createFastTurn(): (callback: () => void) => unknown {
  if (typeof setImmediate === 'function') return setImmediate
  // oxlint-disable-next-line no-restricted-globals -- a turn of the real event loop, which no port of a fake machine has
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.addEventListener('message', () => waiting.shift()?.())
  port1.start()
  return (callback) => {
    waiting.push(callback)
    port2.postMessage(undefined)
  }
}

export function createClockWorks(startMs: number, whileSettling: () => Promise<unknown> = async () => {}) {
  const real = createBrowserPlatform()
  const timers = new Set<Timer>()
  const works = new Set<Promise<unknown>>()
  const requests = new Set<Promise<unknown>>()
  let wallMs = startMs
  let monotonicMs = 0
  let changeCount = 0

  const fastTurn = createFastTurn()
  // Mostly fast turns, with real timers in between: work that waits for a real timer is in progress too.
  const turn = (isTimers: boolean) =>
    new Promise<void>((resolve) => {
      if (!isTimers && requests.size === 0) fastTurn(resolve)
      else real.setTimer(resolve, 0)
    })
  const nextTimer = (untilMs: number) =>
    [...timers].filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0]
  const moveWall = (ms: number) => void (wallMs += ms)
  const move = (ms: number) => {
    moveWall(ms)
    monotonicMs += ms
  }
  const fire = (timer: Timer) => {
    timers.delete(timer)
    move(Math.max(0, timer.atMs - monotonicMs))
    changeCount += 1
    timer.callback()
  }
  const settle = async () => {
    let quietTurns = 0
    while (works.size > 0 || quietTurns < (requests.size > 0 ? HANGING_TURNS : REST_TURNS)) {
      const seen = changeCount
      await turn(quietTurns === 2)
      if (quietTurns === 1) await whileSettling()
      // A server that hashes may be slow, not hanging. Earlier work of the same threads ends before this digest.
      if (quietTurns === HANGING_TURNS - REST_TURNS)
        await real.crypto.subtle?.digest('SHA-256', new Uint8Array(1))
      const due = nextTimer(monotonicMs)
      if (due) fire(due)
      quietTurns = changeCount === seen ? quietTurns + 1 : 0
    }
    // Hanging work is not waited for again, but its end counts as a change.
    requests.clear()
  }

  return {
    clock: {
      get nowMs() {
        return wallMs
      },
      get monotonicMs() {
        return monotonicMs
      },
      async advance(ms: number) {
        const untilMs = monotonicMs + ms
        await settle()
        for (let next = nextTimer(untilMs); next; next = nextTimer(untilMs)) {
          fire(next)
          await settle()
        }
        move(untilMs - monotonicMs)
      },
      // No timer fires and the monotonic clock stands still, in both cases.
      sleep: moveWall,
      jump: moveWall,
      settle,
    },
    setTimer(owner: object, callback: () => void, delayMs: number) {
      // As in browsers: a delay that is not a positive 32-bit number counts as 0.
      const isDelay = delayMs > 0 && delayMs <= LARGEST_TIMER_DELAY_MS
      const timer = { owner, callback, atMs: monotonicMs + (isDelay ? delayMs : 0) }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    /** Timers of one owner that have not fired. */
    countTimers: (owner: object) => [...timers].filter((timer) => timer.owner === owner).length,
    dropTimers(owner: object) {
      for (const timer of timers) if (timer.owner === owner) timers.delete(timer)
    },
    /** `settle` waits for this work; for a request only until it is clear that it hangs. */
    track<Result>(work: Promise<Result>, kind?: 'request'): Promise<Result> {
      const kept = kind === 'request' ? requests : works
      changeCount += 1
      kept.add(work)
      const end = () => {
        kept.delete(work)
        changeCount += 1
      }
      work.then(end, end)
      return work
    },
  }
}
