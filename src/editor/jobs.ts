// The work on whole texts, the same in a worker and in place: checking, and the actions that move text.
import { MOST_FAULTS } from './limits.ts'
import { findDoubts } from './doubts.ts'
import { type PlacedFault, placeFaults } from './faultSentences.ts'
import { compact, format } from './layout.ts'
import type { repair } from './repair.ts'
import { scan } from './scan.ts'
import { sortKeys } from './sortKeys.ts'
import type { TextAction } from './types.ts'

export type Job =
  | { readonly kind: 'check'; readonly text: string }
  | { readonly kind: 'doubts'; readonly text: string }
  | { readonly kind: TextAction; readonly text: string; readonly spaces: number }

/** Faults, or a new text, or why there is none. */
export type JobResult =
  | { readonly faults: readonly PlacedFault[] }
  | {
      readonly text: string
      /** The rest is broken and stays as it is. */
      readonly isInPart?: boolean
    }
  | { readonly refused: 'invalid' | 'beyond-repair' | 'cannot-load' | 'too-large' }

/** `mend` is given where something is to be repaired: it comes in a file of its own, which nobody else pays for. */
export function runJob(job: Job, mend?: typeof repair): JobResult {
  const { text } = job
  try {
    if (job.kind === 'check') return { faults: placeFaults(text, scan(text)) }
    if (job.kind === 'doubts') return { faults: placeFaults(text, findDoubts(text)) }
    if (job.kind === 'repair') {
      const repaired = mend?.(text)
      return repaired === undefined ? { refused: 'beyond-repair' } : { text: repaired }
    }
    const faults = scan(text, job.kind === 'format' ? MOST_FAULTS : 1)
    if (job.kind === 'format') {
      const laidOut = format(text, job.spaces, faults)
      return laidOut === undefined ? { refused: 'too-large' } : { text: laidOut, isInPart: faults.length > 0 }
    }
    if (faults.length > 0) return { refused: 'invalid' }
    if (job.kind === 'compact') return { text: compact(text) }
    return { text: sortKeys(text) }
  } catch {
    // No memory for this text: that is a verdict as well.
    return { refused: 'too-large' }
  }
}
