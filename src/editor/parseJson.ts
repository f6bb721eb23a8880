// The syntax check without an editor, React or a worker: JSON.parse's verdict, with every fault as a sentence.
import { findDoubts } from './doubts.ts'
import { placeFaults, sayFault } from './faultSentences.ts'
import { scan } from './scan.ts'
import type { JsonFault, RawFault } from './types.ts'

/** What `parseJson` is told beside the text. */
export interface ParseJsonOptions {
  /** What a key that stands twice counts as. */
  duplicates?: 'warning' | 'error' | 'ignore'
}

/** What `parseJson` answers: the value when the text is JSON, and what is wrong or doubtful in it. */
export type ParsedJson =
  | {
      readonly valid: true
      /** What `JSON.parse` answers. */
      readonly value: unknown
      /** What is doubtful; empty when nothing is. */
      readonly faults: readonly JsonFault[]
    }
  | {
      readonly valid: false
      /** What is wrong, and what is doubtful beside it; at least one is an error. */
      readonly faults: readonly JsonFault[]
    }

const describeFaults = (text: string, raw: readonly RawFault[]) =>
  placeFaults(text, raw).map((fault) => sayFault(fault))

/**
 * Reads `text` as JSON.parse does and says what is wrong with it, or what is doubtful (duplicate keys, numbers
 * that JavaScript cannot hold). It never throws on a text.
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): ParsedJson {
  if (typeof text !== 'string')
    throw new TypeError(`parseJson takes a text, got ${text === null ? 'null' : typeof text}`)
  const { duplicates = 'warning' } = options
  const errors = scan(text)
  if (errors.length > 0) return { valid: false, faults: describeFaults(text, errors) }

  const doubts = findDoubts(text).filter((fault) => duplicates !== 'ignore' || fault.code !== 'duplicate-key')
  const faults = describeFaults(text, doubts).map((fault): JsonFault =>
    duplicates === 'error' && fault.code === 'duplicate-key' ? { ...fault, severity: 'error' } : fault,
  )
  if (faults.some((fault) => fault.severity === 'error')) return { valid: false, faults }
  try {
    return { valid: true, value: JSON.parse(text) as unknown, faults }
  } catch {
    // A right text that the engine has no room for.
    return { valid: false, faults: describeFaults(text, [{ code: 'too-large', offset: 0, length: 0 }]) }
  }
}
