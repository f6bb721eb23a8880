// The worker that checks a text, also by a schema, and does what people ask for it: one job after the other.
import { type Job, runJob, type WorkerMessage } from './jobs.ts'
import { createJudge } from './judge.ts'
import { repair } from './repair.ts'

const say = (message: WorkerMessage) => self.postMessage(message)
self.addEventListener('message', ({ data: { id, job } }: MessageEvent<{ id: number; job: Job }>) =>
  say({ id, result: runJob(job, { repair, createJudge }) }),
)
say({})
