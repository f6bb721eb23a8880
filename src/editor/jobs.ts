// Jobs on whole texts, the same in a worker and in the page: the check and the text actions.
import { HUGE_LENGTH, IN_PAGE_SCHEMA_MS, SCHEMA_LIMIT_MS } from './limits.ts'
import { type PlacedFault, placeFaults } from './faultSentences.ts'
import { findFaults } from './findFaults.ts'
import type { createValidator } from './schemaValidator.ts'
import { compact, format } from './layout.ts'
import type { repair } from './repair.ts'
import { scan } from './scan.ts'
import { sortKeys } from './sortKeys.ts'
import type { CheckRules, Validate, TextAction } from './types.ts'

export type Job =
  | ({ readonly kind: 'check'; readonly text: string } & CheckRules)
  | {
      readonly kind: TextAction
      readonly text: string
      readonly spaces: number
    }

/** The faults, the new text, or why there is none. */
export type JobResult =
  | { readonly faults: readonly PlacedFault[] }
  | { readonly text: string }
  | { readonly refused: 'invalid' | 'beyond-repair' | 'cannot-load' | 'too-large' }

/** Modules that are loaded only when a job needs them. */
export interface JobTools {
  readonly repair?: typeof repair
  readonly createValidator?: typeof createValidator
  /** Outside a worker nothing can terminate the job, so it limits its own time. */
  readonly isInPlace?: boolean
}

/** The validator of the last schema, which usually comes with the next text again. */
const validators = new Map<string, Validate>()

function validatorOf(
  schema: string | undefined,
  { createValidator, isInPlace }: JobTools,
): Validate | undefined {
  if (schema === undefined || !createValidator) return undefined
  const limitMs = typeof document === 'undefined' ? SCHEMA_LIMIT_MS : IN_PAGE_SCHEMA_MS
  const validate = validators.get(schema) ?? createValidator(schema, isInPlace ? limitMs : Infinity)
  validators.clear()
  validators.set(schema, validate)
  return validate
}

export function runJob(job: Job, tools: JobTools = {}): JobResult {
  const { text } = job
  try {
    if (job.kind === 'check') {
      const validate = validatorOf(job.schema, tools)
      return { faults: placeFaults(text, findFaults(text, job, validate)) }
    }
    if (job.kind === 'repair') {
      // Undo could not restore a longer text.
      const repaired = text.length > HUGE_LENGTH ? undefined : tools.repair?.(text)
      return repaired === undefined ? { refused: 'beyond-repair' } : { text: repaired }
    }
    if (scan(text, { max: 1 }).length > 0) return { refused: 'invalid' }
    if (job.kind === 'compact') return { text: compact(text) }
    if (job.kind === 'sortKeys') return { text: sortKeys(text) }
    const laidOut = format(text, job.spaces)
    return laidOut === undefined ? { refused: 'too-large' } : { text: laidOut }
  } catch {
    // Out of memory.
    return { refused: 'too-large' }
  }
}

/** The worker's messages: the first one, without `id`, reports that it runs; the others are results. */
export type WorkerMessage = { readonly id?: undefined } | { readonly id: number; readonly result: JobResult }
