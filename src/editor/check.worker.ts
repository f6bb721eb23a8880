// Web worker that runs checks and text actions, one job at a time.
import { type Job, runJob, type WorkerMessage } from './jobs.ts'
import { createValidator } from './schemaValidator.ts'
import { repair } from './repair.ts'

const say = (message: WorkerMessage) => self.postMessage(message)
self.addEventListener('message', ({ data: { id, job } }: MessageEvent<{ id: number; job: Job }>) =>
  say({ id, result: runJob(job, { repair, createValidator }) }),
)
say({})
