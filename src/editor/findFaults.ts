// Everything that is wrong or doubtful in a text, by all of its rules at once: the one verdict of editor, worker and server.
import { findDoubts } from './doubts.ts'
import type { Judge } from './judge.ts'
import { toJson } from './jsonc.ts'
import { scan } from './scan.ts'
import type { CheckRules, RawFault } from './types.ts'

/** What is doubtful in a text that is JSON; a key that stands twice may count as wrong. */
export function findDoubtsBy(
  text: string,
  { duplicates = 'warning', jsonc = false }: CheckRules,
): RawFault[] {
  const isWarning = duplicates !== 'error'
  const doubts = findDoubts(jsonc ? toJson(text) : text)
  return doubts
    .filter(({ code }) => code !== 'duplicate-key' || duplicates !== 'ignore')
    .map((fault) => (fault.code === 'duplicate-key' ? { ...fault, isWarning } : fault))
}

/** What is wrong with a text; `judge` is what its schema says. The doubts count where they make the text wrong. */
export function findErrors(text: string, rules: CheckRules, judge: Judge | undefined): RawFault[] {
  const { duplicates, jsonc = false } = rules
  const errors = scan(text, { jsonc })
  if (errors.length > 0) return errors
  const doubts = duplicates === 'error' ? findDoubtsBy(text, rules) : []
  const judged = judge?.(jsonc ? toJson(text) : text) ?? []
  return [...judged, ...doubts].toSorted((a, b) => a.offset - b.offset)
}
