// The script of the SharedWorker of `sessionWorker`: holds sealed sessions in memory between two pages of a tab, and cannot read them.

// Without imports: the one file that an app copies, where its bundler builds no workers.

/** How long a sealed session is held; `KEPT_LIFETIME_MS` of the page says the same. */
const LIFETIME_MS = 20_000
/** More pages do not go at once. */
const LARGEST_COUNT = 64
const LARGEST_LENGTH = 262_144

/** The clock of the worker, and its timers. */
export interface WorkerClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back once. */
  setTimer(callback: () => void, delayMs: number): unknown
}

/** What a page posts, and what the worker responds to it; `undefined`: nothing. */
export type MessageHandler = (message: unknown) => { id: string; sealed: string | undefined } | undefined

/**
 * Makes what a worker does. Every message is read strictly: one that is something else has no effect.
 *
 * @example
 * const handle = createMessageHandler({ now: () => Date.now(), setTimer: setTimeout })
 * handle({ type: 'keep', id: 'a1', session: 's1', sealed: '…' })
 * handle({ type: 'take', id: 'a1' }) // once
 */
export function createMessageHandler({ now, setTimer }: WorkerClock): MessageHandler {
  const kept = new Map<string, { sealed: string; session: string; untilMs: number }>()
  /** Sessions that have ended: a page that has not heard of it yet may still leave one. */
  const ended = new Map<string, number>()

  const forgetOld = () => {
    for (const [id, { untilMs }] of kept) if (!isAhead(untilMs, now())) kept.delete(id)
    for (const [session, untilMs] of ended) if (!isAhead(untilMs, now())) ended.delete(session)
  }
  const add = <Value>(map: Map<string, Value>, key: string, value: Value) => {
    const [oldest] = map.keys()
    if (map.size >= LARGEST_COUNT && oldest !== undefined) map.delete(oldest)
    map.set(key, value)
    setTimer(forgetOld, LIFETIME_MS)
  }

  return (message) => {
    forgetOld()
    const { type, id, session, sealed } = (message ?? {}) as Record<string, unknown>
    const untilMs = now() + LIFETIME_MS
    if (type === 'end' && isName(session)) {
      for (const [key, { session: name }] of kept) if (name === session) kept.delete(key)
      add(ended, session, untilMs)
      return undefined
    }
    if (!isName(id)) return undefined
    const found = kept.get(id)?.sealed
    if (type === 'take') {
      kept.delete(id)
      return { id, sealed: found }
    }
    const isWhole = typeof sealed === 'string' && sealed.length <= LARGEST_LENGTH
    if (type === 'keep' && isName(session) && isWhole && !ended.has(session))
      add(kept, id, { sealed, session, untilMs })
    return undefined
  }
}

/** A clock that was set back makes nothing last longer. */
const isAhead = (untilMs: number, nowMs: number) => untilMs > nowMs && untilMs <= nowMs + LIFETIME_MS

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 1024

/** Whether this script runs as a SharedWorker: an app, or a server, may import it too. */
if ('onconnect' in globalThis) {
  const handle = createMessageHandler({ now: () => Date.now(), setTimer: setTimeout })
  addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports
    port?.addEventListener('message', ({ data }) => {
      const answer = handle(data)
      if (answer) port.postMessage(answer)
    })
    port?.start()
  })
}
