// Everything that is wrong or doubtful in a text, by all of its rules at once: the one verdict of editor, worker and server.
import { findDoubts } from './doubts.ts'
import type { Judge } from './judge.ts'
import { scan } from './scan.ts'
import type { CheckRules, RawFault } from './types.ts'

/** JSONC as JSON: spaces in place of comments and of commas before a closing bracket, all else in its place. */
export function toJson(text: string): string {
  const parts: string[] = []
  let at = 0
  for (const { code, offset, length } of scan(text, { most: Infinity })) {
    if (code !== 'comment' && code !== 'trailing-comma') continue
    parts.push(text.slice(at, offset), text.slice(offset, offset + length).replaceAll(/[^\n\r]/g, ' '))
    at = offset + length
  }
  return parts.join('') + text.slice(at)
}

/** What is wrong with a text; of one that is JSON, what `judge`, its schema, says, and what is doubtful. */
export function findFaults(text: string, rules: CheckRules, judge?: Judge): RawFault[] {
  const { duplicates, jsonc = false } = rules
  const errors = scan(text, { jsonc })
  if (errors.length > 0) return errors
  const json = jsonc ? toJson(text) : text
  const faults = [...(judge?.(json) ?? []), ...findDoubts(json, duplicates)]
  return faults.toSorted((a, b) => a.offset - b.offset)
}
