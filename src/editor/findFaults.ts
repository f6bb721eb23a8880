// Everything that is wrong or doubtful in a text, by all of its rules at once: the one verdict of editor, worker and server.
import { findDoubts } from './doubts.ts'
import type { Judge } from './judge.ts'
import { scan } from './scan.ts'
import type { CheckRules, RawFault } from './types.ts'

/** What is wrong with a text; of one that is JSON, what `judge`, its schema, says, and what is doubtful. */
export function findFaults(text: string, rules: CheckRules, judge?: Judge): RawFault[] {
  const errors = scan(text)
  if (errors.length > 0) return errors
  const faults = [...(judge?.(text) ?? []), ...findDoubts(text, rules.duplicates)]
  return faults.toSorted((a, b) => a.offset - b.offset)
}
