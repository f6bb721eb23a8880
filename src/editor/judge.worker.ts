// The same worker with a judge of schemas: only an editor that has a schema starts this one.
import { createJudge } from './judge.ts'
import { repair } from './repair.ts'
import { listen } from './workerLoop.ts'

listen({ repair, createJudge })
