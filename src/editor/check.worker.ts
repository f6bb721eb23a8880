// The worker around the jobs: a check answers twice, at once with the errors and later with the doubts.
import { type Job, runJob } from './jobs.ts'
import { repair } from './repair.ts'

/** Doubts wait this long, so that they never stand in the way of the next key's verdict. */
const DOUBTS_AFTER_MS = 250

function listen(): void {
  let doubts: ReturnType<typeof setTimeout> | undefined
  self.addEventListener('message', (event: MessageEvent<{ id: number; job: Job }>) => {
    const { id, job } = event.data
    if (job.kind === 'check') clearTimeout(doubts)
    const result = runJob(job, repair)
    const goesOn = job.kind === 'check' && 'faults' in result && result.faults.length === 0
    self.postMessage({ id, result, goesOn })
    if (!goesOn) return
    doubts = setTimeout(() => {
      self.postMessage({ id, result: runJob({ kind: 'doubts', text: job.text }), goesOn: false })
    }, DOUBTS_AFTER_MS)
  })
}

listen()
