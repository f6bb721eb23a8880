// The worker around the jobs: a check answers twice, at once with the errors and later with the doubts.
import { type Job, type JobResult, runJob } from './jobs.ts'
import { repair } from './repair.ts'

/** What the worker says: that its file has come, then the results. */
export type WorkerMessage =
  | { readonly id?: undefined }
  | { readonly id: number; readonly result: JobResult; readonly goesOn: boolean }

/** Doubts wait this long, so that they never stand in the way of the next key's verdict. */
const DOUBTS_AFTER_MS = 250

const say = (message: WorkerMessage) => self.postMessage(message)

function listen(): void {
  let doubts: ReturnType<typeof setTimeout> | undefined
  self.addEventListener('message', (event: MessageEvent<{ id: number; job: Job }>) => {
    const { id, job } = event.data
    if (job.kind === 'check') clearTimeout(doubts)
    const result = runJob(job, repair)
    const goesOn = job.kind === 'check' && 'faults' in result && result.faults.length === 0
    say({ id, result, goesOn })
    if (!goesOn) return
    doubts = setTimeout(() => {
      say({ id, result: runJob({ kind: 'doubts', text: job.text }), goesOn: false })
    }, DOUBTS_AFTER_MS)
  })
}

listen()
say({})
