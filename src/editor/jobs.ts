// The work on whole texts, the same in a worker and in place: checking, and the actions that move text.
import { HUGE_LENGTH, IN_PAGE_JUDGING_MS, SCHEMA_LIMIT_MS } from './limits.ts'
import { type PlacedFault, placeFaults } from './faultSentences.ts'
import { findFaults } from './doubts.ts'
import type { createJudge } from './judge.ts'
import { compact, format } from './layout.ts'
import type { repair } from './repair.ts'
import { scan } from './scan.ts'
import { sortKeys } from './sortKeys.ts'
import type { CheckRules, Judge, TextAction } from './types.ts'

export type Job =
  | ({ readonly kind: 'check'; readonly text: string } & CheckRules)
  | {
      readonly kind: TextAction
      readonly text: string
      readonly spaces: number
    }

/** Faults, or a new text, or why there is none. */
export type JobResult =
  | { readonly faults: readonly PlacedFault[] }
  | { readonly text: string }
  | { readonly refused: 'invalid' | 'beyond-repair' | 'cannot-load' | 'too-large' }

/** What comes in files of its own, which only those pay for who use it. */
export interface JobTools {
  readonly repair?: typeof repair
  readonly createJudge?: typeof createJudge
  /** In no worker: nobody could end what takes too long. */
  readonly isInPlace?: boolean
}

/** The judge of the last schema: the same one comes with every text. */
const judges = new Map<string, Judge>()

function judgeOf(schema: string | undefined, { createJudge, isInPlace }: JobTools): Judge | undefined {
  if (schema === undefined || !createJudge) return undefined
  const limitMs = typeof document === 'undefined' ? SCHEMA_LIMIT_MS : IN_PAGE_JUDGING_MS
  const judge = judges.get(schema) ?? createJudge(schema, isInPlace ? limitMs : Infinity)
  judges.clear()
  judges.set(schema, judge)
  return judge
}

export function runJob(job: Job, tools: JobTools = {}): JobResult {
  const { text } = job
  try {
    if (job.kind === 'check') {
      const judge = judgeOf(job.schema, tools)
      return { faults: placeFaults(text, findFaults(text, job, judge)) }
    }
    if (job.kind === 'repair') {
      // A change of more could not be undone.
      const repaired = text.length > HUGE_LENGTH ? undefined : tools.repair?.(text)
      return repaired === undefined ? { refused: 'beyond-repair' } : { text: repaired }
    }
    if (scan(text, { most: 1 }).length > 0) return { refused: 'invalid' }
    if (job.kind === 'compact') return { text: compact(text) }
    if (job.kind === 'sortKeys') return { text: sortKeys(text) }
    const laidOut = format(text, job.spaces)
    return laidOut === undefined ? { refused: 'too-large' } : { text: laidOut }
  } catch {
    // No memory for this text: that is a verdict as well.
    return { refused: 'too-large' }
  }
}

/** What the worker says: that its file has come, then the results. */
export type WorkerMessage = { readonly id?: undefined } | { readonly id: number; readonly result: JobResult }
