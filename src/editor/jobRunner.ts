// Runs jobs in place when they are small and in an own worker when they are not; ends what takes too long.
import {
  CHECK_LIMIT_LENGTH,
  CHECK_LIMIT_MS,
  IN_PLACE_LENGTH,
  NO_WORKER_LENGTH,
  OUTDATED_AFTER_MS,
  WORKER_START_LIMIT_MS,
} from './limits.ts'
import { type Job, type JobResult, type JobTools, runJob } from './jobs.ts'
import { doubtsFollow, withDoubts, type WorkerMessage } from './workerLoop.ts'

/** Called with the result, and again when doubts follow. */
type Answer = (result: JobResult, goesOn: boolean) => void

interface OpenJob {
  readonly kind: Job['kind']
  readonly answer: Answer
  readonly hasSchema: boolean
  /** When it was given to a worker that was running. */
  readonly sinceMs: number
  timer: ReturnType<typeof setTimeout>
}

const hasSchema = (job: Job) => job.kind === 'check' && job.schema !== undefined

export interface JobRunner {
  run(job: Job, answer: Answer): void
  /** Ends the worker; the next large job starts a new one. */
  stop(): void
}

/** The actions may take longer than a check: people asked for them and see the progress. */
const ACTION_LIMIT_MS = 60_000

/** `onArrival`: the worker, which was given up for the moment, has come after all. */
export function createJobRunner(onArrival?: () => void): JobRunner {
  let worker: Worker | undefined
  let isRefused = false
  /** The worker's file has come: from then on its time is its own. */
  let isRunning = false
  /** Its file takes so long to come that jobs are done here until it is there. */
  let isLate = false
  /** The running worker knows schemas. */
  let canJudge = false
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
    for (const { answer } of waiting) answer({ refused: 'too-large' }, false)
  }
  const expire = () => {
    if (isRunning) return refuse(stop())
    // A worker that has not even started says nothing about the text. It may still come.
    isLate = true
    refuse(forget())
  }
  /** How long a job may take from now on. */
  const limitMs = (kind: Job['kind']) => {
    if (kind !== 'check') return ACTION_LIMIT_MS
    return isRunning ? CHECK_LIMIT_MS : WORKER_START_LIMIT_MS
  }
  const arrive = () => {
    isRunning = true
    for (const waiting of open.values()) {
      clearTimeout(waiting.timer)
      waiting.timer = setTimeout(expire, limitMs(waiting.kind))
    }
    if (!isLate) return
    isLate = false
    onArrival?.()
  }
  const start = () => {
    const started = canJudge
      ? new Worker(new URL('./judge.worker.js', import.meta.url), { type: 'module' })
      : new Worker(new URL('./check.worker.js', import.meta.url), { type: 'module' })
    started.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
      if (!isRunning) arrive()
      if (data.id === undefined) return
      const waiting = open.get(data.id)
      if (!waiting) return
      clearTimeout(waiting.timer)
      if (!data.goesOn) open.delete(data.id)
      waiting.answer(data.result, data.goesOn)
    })
    started.addEventListener('error', (event) => {
      event.preventDefault()
      // The worker's file is missing or forbidden: do it here as long as that does not freeze the page.
      isRefused = true
      refuse(stop())
    })
    return started
  }
  const inPlace = (job: Job, answer: Answer) => {
    const finish = (tools?: JobTools) => {
      const result = runJob(job, tools)
      answer(doubtsFollow(job, result) ? withDoubts(job, result) : result, false)
    }
    if (job.kind !== 'repair' && !hasSchema(job)) return finish()
    const load: Promise<JobTools> = job.kind === 'repair' ? import('./repair.ts') : import('./judge.ts')
    load.then(finish, () => answer({ refused: 'cannot-load' }, false))
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

  const runner: JobRunner = {
    run(job, answer) {
      const { length } = job.text
      if (length <= IN_PLACE_LENGTH) {
        if (job.kind === 'check') dropChecks()
        if (!hasSchema(job)) return inPlace(job, answer)
        const found = runJob({ kind: 'check', text: job.text, jsonc: job.jsonc })
        // Broken text is not judged by its schema, and known at once.
        if ('faults' in found && found.faults.length > 0) return answer(found, false)
        // In place too: a policy with Trusted Types forbids workers, and a short text is judged in no time.
        return inPlace(job, answer)
      }
      if (length > CHECK_LIMIT_LENGTH) return answer({ refused: 'too-large' }, false)
      const hasWorker = typeof Worker === 'function' && !isRefused && !isLate
      if (!hasWorker) {
        if (length <= NO_WORKER_LENGTH) inPlace(job, answer)
        else answer({ refused: 'too-large' }, false)
        return
      }
      if (job.kind === 'check') dropChecks()
      if (hasSchema(job) && !canJudge) {
        refuse(stop())
        canJudge = true
      }
      try {
        worker ??= start()
      } catch {
        isRefused = true
        runner.run(job, answer)
        return
      }
      const id = ++lastId
      const retryInPlace: Answer = (result, goesOn) => {
        if ((isRefused || isLate) && 'refused' in result && result.refused === 'too-large')
          runner.run(job, answer)
        else answer(result, goesOn)
      }
      const timer = setTimeout(expire, limitMs(job.kind))
      const sinceMs = performance.now()
      open.set(id, { kind: job.kind, answer: retryInPlace, hasSchema: hasSchema(job), sinceMs, timer })
      worker.postMessage({ id, job })
    },
    stop: () => void stop(),
  }
  return runner
}
