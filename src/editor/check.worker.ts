// The worker that checks a text, also by a schema, and does what people ask for it.
import { listen } from './jobs.ts'
import { createJudge } from './judge.ts'
import { repair } from './repair.ts'

listen({ repair, createJudge })
