// Runs jobs in place when they are small and in an own worker when they are not; ends what takes too long.
import {
  CHECK_LIMIT_LENGTH,
  CHECK_LIMIT_MS,
  IN_PLACE_LENGTH,
  NO_WORKER_LENGTH,
  OUTDATED_AFTER_MS,
  WORKER_START_LIMIT_MS,
} from './limits.ts'
import {
  type Job,
  type JobResult,
  type JobTools,
  runJob,
  type WorkerMessage,
  type WorkerOrder,
} from './jobs.ts'
import { scan } from './scan.ts'

type Answer = (result: JobResult) => void

interface OpenJob {
  readonly kind: Job['kind']
  readonly answer: Answer
  readonly hasSchema: boolean
  /** When it was given to a worker that was running. */
  readonly sinceMs: number
  timer: ReturnType<typeof setTimeout>
}

const hasSchema = (job: Job) => job.kind === 'check' && job.schema !== undefined

export type JobRunner = ReturnType<typeof createJobRunner>

/** The actions may take longer than a check: people asked for them and see the progress. */
const ACTION_LIMIT_MS = 60_000

/** Copying so much for a worker takes a slow computer less than what people notice. */
const PIECE_LENGTH = 2_000_000

function* cut(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE_LENGTH) yield text.slice(at, at + PIECE_LENGTH)
}

/** A long text goes over in pieces, each in a task of its own: copying all of it would hold up who types. */
function send(to: Worker, id: number, job: Job, { pieces, isWanted }: SentText): void {
  if (!isWanted()) return to.postMessage({ id } satisfies WorkerOrder)
  let piece = ''
  let next = pieces.next()
  for (; !next.done; next = pieces.next()) {
    piece += next.value
    if (piece.length >= PIECE_LENGTH) break
  }
  to.postMessage({ id, piece, ...(next.done && { job: { ...job, text: '' } }) } satisfies WorkerOrder)
  if (!next.done) setTimeout(send, 0, to, id, job, { pieces, isWanted })
}

interface SentText {
  readonly pieces: Iterator<string>
  /** Does anybody still wait for what is made of it? */
  isWanted(): boolean
}

/** How long a job may take from now on. */
function limitMs(kind: Job['kind'], isRunning: boolean): number {
  if (kind !== 'check') return ACTION_LIMIT_MS
  return isRunning ? CHECK_LIMIT_MS : WORKER_START_LIMIT_MS
}

/** What a job in place needs beside what is there. Broken text is not judged by its schema, and known at once. */
function loadTools(job: Job): Promise<JobTools> | undefined {
  if (job.kind === 'repair') return import('./repair.ts')
  const { text, jsonc = false } = job
  return hasSchema(job) && scan(text, { most: 1, jsonc }).length === 0 ? import('./judge.ts') : undefined
}

function runInPlace(job: Job, answer: Answer): void {
  const finish = (tools?: JobTools) => answer(runJob(job, tools))
  const loading = loadTools(job)
  if (loading) loading.then(finish, () => answer({ refused: 'cannot-load' }))
  else finish()
}

/** `onArrival`: the worker, which was given up for the moment, has come after all. */
export function createJobRunner(onArrival?: () => void) {
  let worker: Worker | undefined
  let isRefused = false
  /** The worker's file has come: from then on its time is its own. */
  let isRunning = false
  /** Its file takes so long to come that jobs are done here until it is there. */
  let isLate = false
  let lastId = 0
  const open = new Map<number, OpenJob>()

  /** Nobody waits any more; gives those who did. */
  const forget = () => {
    const waiting = [...open.values()]
    for (const { timer } of waiting) clearTimeout(timer)
    open.clear()
    return waiting
  }
  const stop = () => {
    worker?.terminate()
    worker = undefined
    isRunning = false
    isLate = false
    return forget()
  }
  const refuse = (waiting: readonly { answer: Answer }[]) => {
    for (const { answer } of waiting) answer({ refused: 'too-large' })
  }
  const expire = () => {
    if (isRunning) return refuse(stop())
    // A worker that has not even started says nothing about the text. It may still come.
    isLate = true
    refuse(forget())
  }
  const arrive = () => {
    isRunning = true
    for (const waiting of open.values()) {
      clearTimeout(waiting.timer)
      waiting.timer = setTimeout(expire, limitMs(waiting.kind, isRunning))
    }
    if (!isLate) return
    isLate = false
    onArrival?.()
  }
  const start = () => {
    const started = new Worker(new URL('./check.worker.js', import.meta.url), { type: 'module' })
    started.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
      if (!isRunning) arrive()
      if (data.id === undefined) return
      const waiting = open.get(data.id)
      if (!waiting) return
      clearTimeout(waiting.timer)
      open.delete(data.id)
      waiting.answer(data.result)
    })
    started.addEventListener('error', (event) => {
      event.preventDefault()
      // The worker's file is missing or forbidden: do it here as long as that does not freeze the page.
      isRefused = true
      refuse(stop())
    })
    return started
  }
  /** Only the newest check counts; a worker that is long at an older one would keep it waiting. */
  const dropChecks = () => {
    for (const [id, { kind, timer, sinceMs, hasSchema: isJudged }] of open) {
      if (kind !== 'check') continue
      clearTimeout(timer)
      open.delete(id)
      if (isRunning && isJudged && open.size === 0 && performance.now() - sinceMs > OUTDATED_AFTER_MS) stop()
    }
  }

  const runner = {
    /** `pieces`: the text from what holds it in pieces; joined for every check it would be a long task. */
    run(job: Job, answer: Answer, pieces: Iterable<string> = cut(job.text)): void {
      const { length } = job.text
      if (length <= IN_PLACE_LENGTH) {
        if (job.kind === 'check') dropChecks()
        // A judged one too: a policy with Trusted Types forbids workers, and a short text is judged in no time.
        return runInPlace(job, answer)
      }
      if (length > CHECK_LIMIT_LENGTH) return answer({ refused: 'too-large' })
      const hasWorker = typeof Worker === 'function' && !isRefused && !isLate
      if (!hasWorker) {
        if (length <= NO_WORKER_LENGTH) runInPlace(job, answer)
        else answer({ refused: 'too-large' })
        return
      }
      if (job.kind === 'check') dropChecks()
      try {
        worker ??= start()
      } catch {
        isRefused = true
        runner.run(job, answer)
        return
      }
      const id = ++lastId
      const retryInPlace: Answer = (result) => {
        if ((isRefused || isLate) && 'refused' in result && result.refused === 'too-large')
          runner.run(job, answer)
        else answer(result)
      }
      const timer = setTimeout(expire, limitMs(job.kind, isRunning))
      const sinceMs = performance.now()
      open.set(id, { kind: job.kind, answer: retryInPlace, hasSchema: hasSchema(job), sinceMs, timer })
      send(worker, id, job, { pieces: pieces[Symbol.iterator](), isWanted: () => open.has(id) })
    },
    /** Ends the worker; the next large job starts a new one. */
    stop: () => void stop(),
  }
  return runner
}
