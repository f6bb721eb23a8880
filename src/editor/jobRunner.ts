// Runs jobs in place when they are small and in an own worker when they are not; ends what takes too long.
import {
  LARGE_LENGTH,
  CHECK_LIMIT_LENGTH,
  CHECK_LIMIT_MS,
  IN_PLACE_LENGTH,
  NO_WORKER_LENGTH,
  OUTDATED_AFTER_MS,
  SCHEMA_LIMIT_MS,
  WORKER_START_LIMIT_MS,
} from './limits.ts'
import { incomplete, placeFaults } from './faultSentences.ts'
import { type Job, type JobResult, type JobTools, runJob, type WorkerMessage } from './jobs.ts'
import { scan } from './scan.ts'
import { startWorker } from './startWorker.ts'

type Answer = (result: JobResult) => void

interface OpenJob {
  readonly id: number
  readonly job: Job
  readonly answer: Answer
  /** When the worker got it. */
  sinceMs: number
  timer: ReturnType<typeof setTimeout>
}

export type JobRunner = ReturnType<typeof createJobRunner>

/** The actions may take longer than a check: people asked for them and see the progress. */
const ACTION_LIMIT_MS = 60_000

/** Broken text is not judged by its schema. */
const isJudged = (job: Job): boolean => job.kind === 'check' && job.schema !== undefined
const isBroken = ({ text }: Job) => scan(text, { most: 1 }).length > 0

/** Without a worker: a server has no page to freeze. */
const canRunInPlace = ({ text }: Job) => text.length <= NO_WORKER_LENGTH || typeof document === 'undefined'

/** How long a job may take from now on. What the page cannot do itself waits for a worker as long as for its result. */
function limitMs(job: Job, isRunning: boolean): number {
  if (!isRunning && canRunInPlace(job)) return WORKER_START_LIMIT_MS
  if (job.kind !== 'check') return ACTION_LIMIT_MS
  return isJudged(job) && job.text.length <= LARGE_LENGTH ? SCHEMA_LIMIT_MS : CHECK_LIMIT_MS
}

/** What a job in place needs beside what is there. */
function loadTools(job: Job): Promise<JobTools> | undefined {
  if (job.kind === 'repair') return import('./repair.ts')
  return isJudged(job) && !isBroken(job) ? import('./judge.ts') : undefined
}

function runInPlace(job: Job, answer: Answer): void {
  const loading = loadTools(job)
  if (!loading) answer(runJob(job))
  else
    loading.then(
      (tools) => answer(runJob(job, { ...tools, isInPlace: true })),
      () => answer({ refused: 'cannot-load' }),
    )
}

export function createJobRunner() {
  let worker: Worker | undefined
  /** No worker can be had: its file is missing or forbidden. */
  let isRefused = false
  /** The worker's file is still on its way: until it comes, the page does what it can itself. */
  let isLate = false
  /** The worker's file has come: from then on its time is its own. */
  let isRunning = false
  let lastId = 0
  const open = new Map<number, OpenJob>()

  const take = (waiting: OpenJob) => {
    clearTimeout(waiting.timer)
    open.delete(waiting.id)
    return waiting
  }
  /** Ends the worker; gives those who wait for it. */
  const stop = () => {
    worker?.terminate()
    worker = undefined
    isRunning = false
    isLate = false
    return [...open.values()].map(take)
  }
  const refuseWorker = () => {
    isRefused = true
    // Done in the page as long as that does not freeze it.
    for (const { job, answer } of stop()) runner.run(job, answer)
  }
  const expire = (slow: OpenJob) => {
    if (!isRunning && canRunInPlace(slow.job)) {
      isLate = true
      return runInPlace(slow.job, take(slow).answer)
    }
    for (const waiting of stop()) {
      const { job, answer } = waiting
      if (waiting !== slow) runner.run(job, answer)
      else if (job.kind !== 'check' || job.schema === undefined) answer({ refused: 'too-large' })
      else
        runner.run({ ...job, schema: undefined }, (result) => {
          if (!('faults' in result)) return answer(result)
          return answer({ faults: [...placeFaults('', [incomplete('long')]), ...result.faults] })
        })
    }
    return undefined
  }
  const setLimit = (waiting: OpenJob) => {
    clearTimeout(waiting.timer)
    waiting.timer = setTimeout(expire, limitMs(waiting.job, isRunning), waiting)
  }
  /** A worker that is on its way gets nothing: what the page does meanwhile, or drops, would keep it busy. */
  const give = (waiting: OpenJob) => {
    setLimit(waiting)
    if (!isRunning) return
    waiting.sinceMs = performance.now()
    worker!.postMessage({ id: waiting.id, job: waiting.job })
  }
  const start = () => {
    const started = startWorker(
      () => new Worker(new URL('./check.worker.js', import.meta.url), { type: 'module' }),
    )
    started.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
      if (!isRunning) {
        isRunning = true
        isLate = false
        open.forEach(give)
      }
      const waiting = data.id === undefined ? undefined : open.get(data.id)
      if (data.id !== undefined && waiting) take(waiting).answer(data.result)
    })
    started.addEventListener('error', (event) => {
      event.preventDefault()
      refuseWorker()
    })
    return started
  }
  /** Only the newest check counts; a worker that is long at an older one would keep it waiting. */
  const dropChecks = () => {
    for (const waiting of open.values()) {
      const { job, sinceMs } = waiting
      if (job.kind !== 'check') continue
      take(waiting)
      const isLong = performance.now() - sinceMs > OUTDATED_AFTER_MS
      if (isRunning && isJudged(job) && open.size === 0 && isLong) stop()
    }
  }

  const runner = {
    run(job: Job, answer: Answer): void {
      const { length } = job.text
      if (job.kind === 'check') dropChecks()
      // What a schema may take nobody knows before; that a text is broken is known at once.
      if (length <= IN_PLACE_LENGTH && (!isJudged(job) || isBroken(job))) return runInPlace(job, answer)
      if (length > CHECK_LIMIT_LENGTH) return answer({ refused: 'too-large' })
      const hasWorker = typeof Worker === 'function' && !isRefused
      if ((!hasWorker || isLate) && canRunInPlace(job)) return runInPlace(job, answer)
      if (!hasWorker) return answer({ refused: 'too-large' })
      try {
        worker ??= start()
      } catch {
        isRefused = true
        return runner.run(job, answer)
      }
      const waiting = { id: ++lastId, job, answer, sinceMs: Infinity, timer: undefined as never }
      open.set(lastId, waiting)
      give(waiting)
    },
    /** Ends the worker; the next large job starts a new one. */
    stop: () => void stop(),
  }
  return runner
}
