// The loop of a worker around the jobs: a check answers twice, at once with the errors and later with the doubts.
import { type Job, type JobResult, type JobTools, runJob } from './jobs.ts'

/** What the worker says: that its file has come, then the results. */
export type WorkerMessage =
  | { readonly id?: undefined }
  | { readonly id: number; readonly result: JobResult; readonly goesOn: boolean }

/** Doubts wait this long, so that they never stand in the way of the next key's verdict. */
const DOUBTS_AFTER_MS = 250

const say = (message: WorkerMessage) => self.postMessage(message)

export function listen(tools: JobTools): void {
  let doubts: ReturnType<typeof setTimeout> | undefined
  self.addEventListener('message', (event: MessageEvent<{ id: number; job: Job }>) => {
    const { id, job } = event.data
    if (job.kind === 'check') clearTimeout(doubts)
    const result = runJob(job, tools)
    const goesOn = doubtsFollow(job, result)
    say({ id, result, goesOn })
    if (!goesOn) return
    doubts = setTimeout(() => say({ id, result: withDoubts(job, result), goesOn: false }), DOUBTS_AFTER_MS)
  })
  say({})
}

/** Doubts are said of a text that is JSON, unless they have been told with its errors. */
export const doubtsFollow = (job: Job, result: JobResult): boolean =>
  job.kind === 'check' &&
  job.duplicates !== 'error' &&
  'faults' in result &&
  result.faults.every(({ code }) => code === 'schema' || code === 'incomplete')

/** What a check has found, and the doubts beside it. */
export function withDoubts(job: Job, result: JobResult): JobResult {
  const more = runJob({ ...job, kind: 'doubts' })
  if (!('faults' in result) || !('faults' in more)) return more
  return { faults: [...result.faults, ...more.faults].toSorted((a, b) => a.offset - b.offset) }
}
