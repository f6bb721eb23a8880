// The editor's check as a function, without React: JSON.parse's result and the schema's, with a sentence for each fault.
import { type PlacedFault, placeFaults, toJsonFault } from './faultSentences.ts'
import { findFaults } from './findFaults.ts'
import type { Job, JobResult } from './jobs.ts'
import type { EditorMessages } from './messages.ts'
import { serializeSchema } from './tools/checking.ts'
import type { DuplicateKeys, JsonFault, RawFault } from './types.ts'

/** Options of `parseJson`. */
export interface ParseJsonOptions {
  /** How duplicate keys count. Default `'warning'`. */
  duplicates?: DuplicateKeys
  /** A JSON Schema (draft 4 to 2020-12) for the value. Nothing is fetched. Default: none. */
  schema?: object | boolean
  /** Texts in another language, as for the editor; only `faults` is used. Default: English. */
  messages?: EditorMessages
}

/** The result of `parseJson`: the value if the text is JSON, and the faults. */
export type ParsedJson =
  | {
      readonly valid: true
      /** As `JSON.parse` returns it. */
      readonly value: unknown
      /** The warnings; empty if there are none. */
      readonly faults: readonly JsonFault[]
    }
  | {
      readonly valid: false
      /** Errors and warnings; at least one is an error. */
      readonly faults: readonly JsonFault[]
    }

const TOO_LARGE: RawFault = { code: 'too-large', offset: 0, length: 0 }

function parse(text: string, placed: readonly PlacedFault[], { messages }: ParseJsonOptions): ParsedJson {
  const toFaults = (found: readonly PlacedFault[]) => found.map((one) => toJsonFault(one, messages?.faults))
  const faults = toFaults(placed)
  if (faults.some((fault) => fault.severity === 'error')) return { valid: false, faults }
  try {
    return { valid: true, value: JSON.parse(text) as unknown, faults }
  } catch {
    // Valid JSON, but the engine ran out of memory.
    return { valid: false, faults: toFaults(placeFaults('', [TOO_LARGE])) }
  }
}

/** Checks in a worker that ends with the check. */
async function checkInWorker(job: Job): Promise<readonly PlacedFault[]> {
  const { createJobRunner } = await import('./jobRunner.ts')
  const runner = createJobRunner()
  const result = await new Promise<JobResult>((resolve) => runner.run(job, resolve))
  runner.stop()
  if ('faults' in result) return result.faults
  if ('refused' in result && result.refused === 'cannot-load')
    throw new Error('The schema validator could not be loaded')
  return placeFaults('', [TOO_LARGE])
}

/**
 * Parses `text` like JSON.parse and returns its faults: errors, and warnings of duplicate keys and of numbers that JavaScript
 * would change. It never throws because of the text. With a `schema` it returns a promise: the validator runs in a worker, if the
 * page allows one, for two seconds at most. The promise rejects if the validator cannot be loaded.
 *
 * @example
 * const { valid, faults } = await parseJson(text, { schema })
 */
export function parseJson(
  text: string,
  options: ParseJsonOptions & { schema: object | boolean },
): Promise<ParsedJson>
/** Without a schema it returns synchronously. */
export function parseJson(text: string, options?: ParseJsonOptions & { schema?: undefined }): ParsedJson
/** If `schema` can be undefined, it returns a result or a promise. */
export function parseJson(text: string, options?: ParseJsonOptions): ParsedJson | Promise<ParsedJson>
export function parseJson(text: string, options: ParseJsonOptions = {}): ParsedJson | Promise<ParsedJson> {
  if (typeof text !== 'string')
    throw new TypeError(`parseJson expects a string, got ${text === null ? 'null' : typeof text}`)
  const { schema, duplicates } = options
  if (schema === undefined || schema === null)
    return parse(text, placeFaults(text, findFaults(text, { duplicates })), options)
  return checkInWorker({ kind: 'check', text, duplicates, schema: serializeSchema(schema) }).then((placed) =>
    parse(text, placed, options),
  )
}
