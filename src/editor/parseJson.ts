// The check without an editor, React or a worker: JSON.parse's verdict and the schema's, with every fault as a sentence.
import { type PlacedFault, placeFaults, sayFault } from './faultSentences.ts'
import { findFaults } from './doubts.ts'
import type { Job, JobResult } from './jobs.ts'
import type { EditorMessages } from './messages.ts'
import type { DuplicateKeys, JsonFault, RawFault } from './types.ts'

/** Options of `parseJson`. */
export interface ParseJsonOptions {
  /** What a duplicate key counts as. Default `'warning'`. */
  duplicates?: DuplicateKeys
  /** A JSON Schema (draft 4 to 2020-12) for the value. Nothing is fetched. Default: none. */
  schema?: object | boolean
  /** Texts for another language, as of the editor: of these, its `faults`. Default: English. */
  messages?: EditorMessages
}

/** What `parseJson` returns: the value if the text is JSON, and what is wrong or doubtful in it. */
export type ParsedJson =
  | {
      readonly valid: true
      /** As `JSON.parse` returns it. */
      readonly value: unknown
      /** What is doubtful; empty when nothing is. */
      readonly faults: readonly JsonFault[]
    }
  | {
      readonly valid: false
      /** What is wrong, and what is doubtful beside it; at least one is an error. */
      readonly faults: readonly JsonFault[]
    }

const TOO_LARGE: RawFault = { code: 'too-large', offset: 0, length: 0 }

function parse(text: string, placed: readonly PlacedFault[], { messages }: ParseJsonOptions): ParsedJson {
  const describe = (found: readonly PlacedFault[]) => found.map((fault) => sayFault(fault, messages?.faults))
  const faults = describe(placed)
  if (faults.some((fault) => fault.severity === 'error')) return { valid: false, faults }
  try {
    return { valid: true, value: JSON.parse(text) as unknown, faults }
  } catch {
    // A right text that the engine has no room for.
    return { valid: false, faults: describe(placeFaults('', [TOO_LARGE])) }
  }
}

/** What is found in a worker of its own, which ends with it. */
async function judgeApart(job: Job): Promise<readonly PlacedFault[]> {
  const { createJobRunner } = await import('./jobRunner.ts')
  const runner = createJobRunner()
  const result = await new Promise<JobResult>((resolve) => runner.run(job, resolve))
  runner.stop()
  if ('faults' in result) return result.faults
  if ('refused' in result && result.refused === 'cannot-load')
    throw new Error('The check of schemas could not be loaded')
  return placeFaults('', [TOO_LARGE])
}

/**
 * Reads `text` as JSON.parse does and says what is wrong with it, or what is doubtful (duplicate keys, numbers
 * that JavaScript cannot hold). It never throws on a text. With a `schema` it returns a promise: the validator runs in a worker,
 * if one is allowed, for two seconds. The promise rejects if the validator cannot be loaded. The verdict is the editor's.
 *
 * @example
 * const { valid, faults } = await parseJson(text, { schema })
 */
export function parseJson(
  text: string,
  options: ParseJsonOptions & { schema: object | boolean },
): Promise<ParsedJson>
/** Without a schema it returns at once. */
export function parseJson(text: string, options?: ParseJsonOptions & { schema?: undefined }): ParsedJson
/** With a schema that may be absent, it returns either. */
export function parseJson(text: string, options?: ParseJsonOptions): ParsedJson | Promise<ParsedJson>
export function parseJson(text: string, options: ParseJsonOptions = {}): ParsedJson | Promise<ParsedJson> {
  if (typeof text !== 'string')
    throw new TypeError(`parseJson takes a text, got ${text === null ? 'null' : typeof text}`)
  const { schema, duplicates } = options
  if (schema === undefined || schema === null)
    return parse(text, placeFaults(text, findFaults(text, { duplicates })), options)
  return judgeApart({ kind: 'check', text, duplicates, schema: JSON.stringify(schema) }).then((placed) =>
    parse(text, placed, options),
  )
}
