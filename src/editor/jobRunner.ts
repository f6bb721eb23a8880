// Runs small jobs in the page and others in a worker; terminates jobs that take too long.
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

type OnResult = (result: JobResult) => void

interface OpenJob {
  readonly id: number
  readonly job: Job
  readonly onResult: OnResult
  /** When the worker received it. */
  sinceMs: number
  timer: ReturnType<typeof setTimeout>
}

export type JobRunner = ReturnType<typeof createJobRunner>

/** Actions may take longer than a check: the user asked for them and sees the progress. */
const ACTION_LIMIT_MS = 60_000

const hasSchema = (job: Job): boolean => job.kind === 'check' && job.schema !== undefined
/** A schema only applies to valid JSON; a broken text is found at once. */
const needsValidator = (job: Job) => hasSchema(job) && scan(job.text, { max: 1 }).length === 0

/** Can the job run without a worker? A server has no page to block. */
const canRunInPlace = ({ text }: Job) => text.length <= NO_WORKER_LENGTH || typeof document === 'undefined'

/** The remaining time of a job. A job that cannot run in the page waits for a worker as long as for its result. */
function limitMs(job: Job, isRunning: boolean): number {
  if (!isRunning && canRunInPlace(job)) return WORKER_START_LIMIT_MS
  if (job.kind !== 'check') return ACTION_LIMIT_MS
  return hasSchema(job) && job.text.length <= LARGE_LENGTH ? SCHEMA_LIMIT_MS : CHECK_LIMIT_MS
}

/** Loads the modules that a job needs in the page. */
function loadTools(job: Job): Promise<JobTools> | undefined {
  if (job.kind === 'repair') return import('./repair.ts')
  return needsValidator(job) ? import('./schemaValidator.ts') : undefined
}

function runInPlace(job: Job, onResult: OnResult): void {
  const loading = loadTools(job)
  if (!loading) onResult(runJob(job))
  else
    loading.then(
      (tools) => onResult(runJob(job, { ...tools, isInPlace: true })),
      () => onResult({ refused: 'cannot-load' }),
    )
}

export function createJobRunner() {
  let worker: Worker | undefined
  /** No worker is available: its file is missing or forbidden. */
  let isUnavailable = false
  /** The worker has not started in time: until it does, the page does what it can itself. */
  let isLate = false
  /** The worker has started; time limits count from then on. */
  let isRunning = false
  let lastId = 0
  const open = new Map<number, OpenJob>()

  const close = (waiting: OpenJob) => {
    clearTimeout(waiting.timer)
    open.delete(waiting.id)
    return waiting
  }
  /** Terminates the worker and returns its open jobs. */
  const stop = () => {
    worker?.terminate()
    worker = undefined
    isRunning = false
    isLate = false
    return [...open.values()].map(close)
  }
  const giveUpWorker = () => {
    isUnavailable = true
    // The page runs them unless that would block it.
    for (const { job, onResult } of stop()) runner.run(job, onResult)
  }
  const expire = (slow: OpenJob) => {
    if (!isRunning && canRunInPlace(slow.job)) {
      isLate = true
      return runInPlace(slow.job, close(slow).onResult)
    }
    for (const waiting of stop()) {
      const { job, onResult } = waiting
      if (waiting !== slow) runner.run(job, onResult)
      else if (job.kind !== 'check' || job.schema === undefined) onResult({ refused: 'too-large' })
      else
        runner.run({ ...job, schema: undefined }, (result) => {
          if (!('faults' in result)) return onResult(result)
          return onResult({ faults: [...placeFaults('', [incomplete('long')]), ...result.faults] })
        })
    }
    return undefined
  }
  const setLimit = (waiting: OpenJob) => {
    clearTimeout(waiting.timer)
    waiting.timer = setTimeout(expire, limitMs(waiting.job, isRunning), waiting)
  }
  /** Sends nothing to a worker that is still starting: jobs that the page has done or dropped by then would keep it busy. */
  const send = (waiting: OpenJob) => {
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
        open.forEach(send)
      }
      const waiting = data.id === undefined ? undefined : open.get(data.id)
      if (data.id !== undefined && waiting) close(waiting).onResult(data.result)
    })
    started.addEventListener('error', (event) => {
      event.preventDefault()
      giveUpWorker()
    })
    return started
  }
  /** Drops older checks: only the newest counts, and a worker that is busy with an older one would delay it. */
  const dropChecks = () => {
    for (const waiting of open.values()) {
      const { job, sinceMs } = waiting
      if (job.kind !== 'check') continue
      close(waiting)
      const isLong = performance.now() - sinceMs > OUTDATED_AFTER_MS
      if (isRunning && hasSchema(job) && open.size === 0 && isLong) stop()
    }
  }

  const runner = {
    run(job: Job, onResult: OnResult): void {
      const { length } = job.text
      if (job.kind === 'check') dropChecks()
      // How long a repair or a schema takes is unknown.
      const isQuick = length <= IN_PLACE_LENGTH && job.kind !== 'repair' && !needsValidator(job)
      if (isQuick) return runInPlace(job, onResult)
      if (length > CHECK_LIMIT_LENGTH) return onResult({ refused: 'too-large' })
      const hasWorker = typeof Worker === 'function' && !isUnavailable
      if ((!hasWorker || isLate) && canRunInPlace(job)) return runInPlace(job, onResult)
      if (!hasWorker) return onResult({ refused: 'too-large' })
      try {
        worker ??= start()
      } catch {
        isUnavailable = true
        return runner.run(job, onResult)
      }
      const waiting = { id: ++lastId, job, onResult, sinceMs: Infinity, timer: undefined as never }
      open.set(lastId, waiting)
      send(waiting)
    },
    /** Terminates the worker; the next large job starts a new one. */
    stop: () => void stop(),
  }
  return runner
}
