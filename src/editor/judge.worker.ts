// The same worker with a judge of schemas: only an editor that has a schema starts this one.
import { createJudge } from './judge.ts'
import { listen } from './jobs.ts'
import { readOutline } from './outline.ts'
import { repair } from './repair.ts'

listen({ repair, readOutline, createJudge })
