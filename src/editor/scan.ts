// What is wrong with a text that should be JSON: read once as it stands, and once more by its indentation.
import { MOST_FAULTS } from './limits.ts'
import { readFaults } from './readFaults.ts'
import type { JsonFaultCode, RawFault } from './types.ts'

/** Faults that a bracket may be behind which is missing far above. */
const BRACKET_FAULTS = new Set<JsonFaultCode>([
  'extra-text',
  'mismatched-bracket',
  'missing-bracket',
  'missing-key',
  'unexpected-bracket',
  'unexpected-end',
])

/**
 * Collects what is wrong with `text`; an empty list means that JSON.parse takes it. With `jsonc` comments and commas before a
 * closing bracket are not wrong.
 */
export function scan(
  text: string,
  { most = MOST_FAULTS, jsonc = false }: { most?: number; jsonc?: boolean } = {},
): RawFault[] {
  const faults = readFaults(text, { most, jsonc, byIndent: false })
  // What stands before the extra text is whole: a bracket more by its indentation would be one too many at its end.
  if (faults.length === 1 && faults[0]!.code === 'extra-text') return faults
  if (most === 1 || !faults.some(({ code }) => BRACKET_FAULTS.has(code))) return faults
  // Where brackets do not tell which one is missing, the indentation may: the reading with fewer faults is nearer to it.
  const byIndent = readFaults(text, { most, jsonc, byIndent: true })
  return byIndent.length > 0 && byIndent.length <= faults.length ? byIndent : faults
}
