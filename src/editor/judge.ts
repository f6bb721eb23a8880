// Judges what a JSON text means by a JSON Schema, and says at which places of the text it differs.
import { dereference, type OutputUnit, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema'
import { withStandIns } from './exactNumbers.ts'
import { MOST_SCHEMA_FAULTS, SCHEMA_LIMIT_LENGTH } from './limits.ts'
import { findCauses, placeCauses } from './schemaCauses.ts'
import { describeCause } from './schemaSentences.ts'
import type { RawFault } from './types.ts'

/** What the schema says about a text that is JSON. */
export type Judge = (text: string) => RawFault[]

type Node = Record<string, unknown>

/** Relative references are resolved against it; nothing is ever fetched. */
const BASE = new URL('https://schema.invalid/')

const DRAFTS: readonly (readonly [name: RegExp, draft: SchemaDraft])[] = [
  [/draft-0?[34]/, '4'],
  [/draft-0?[67]/, '7'],
  [/2019-09/, '2019-09'],
]

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Calls `visit` for every object in a schema. */
function walk(value: unknown, visit: (node: Node) => void): void {
  if (!isNode(value)) return
  if (!Array.isArray(value)) visit(value)
  for (const [key, child] of Object.entries(value)) if (key !== 'const' && key !== 'enum') walk(child, visit)
}

const incomplete = (detail: string, found = ''): RawFault => ({
  code: 'incomplete',
  offset: 0,
  length: 0,
  detail,
  found,
})

/**
 * The validator knows no dynamic references. Where only one place of a schema has the name, such a reference is an ordinary
 * one; gives those that are not.
 */
function makeStatic(schema: unknown): string[] {
  const names: string[] = []
  walk(schema, ({ $dynamicAnchor }) => {
    if (typeof $dynamicAnchor === 'string') names.push($dynamicAnchor)
  })
  const open: string[] = []
  walk(schema, (node) => {
    const { $dynamicAnchor, $dynamicRef } = node
    if (typeof $dynamicAnchor === 'string' && node['$anchor'] === undefined) node['$anchor'] = $dynamicAnchor
    if (typeof $dynamicRef !== 'string') return
    const count = names.filter((name) => $dynamicRef.endsWith(`#${name}`)).length
    if (count > 1 || node['$ref'] !== undefined) open.push($dynamicRef)
    else node['$ref'] = $dynamicRef
  })
  return open
}

/** Patterns may escape more than JavaScript's Unicode mode allows, such as `\\-`. */
function toUnicodePattern(pattern: string): string {
  return pattern.replaceAll(/\\([\s\S])/g, (escape, character: string) =>
    /[\w^$\\.*+?()[\]{}|/]/.test(character) ? escape : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}

function prepare(written: string) {
  const schema = JSON.parse(written) as Schema | boolean
  const named = isNode(schema) ? (schema.$schema ?? '') : ''
  const draft = DRAFTS.find(([name]) => name.test(named))?.[1] ?? '2020-12'
  const missing = makeStatic(schema)
  walk(schema, (node) => {
    const { pattern, patternProperties: patterns } = node
    if (typeof pattern === 'string') node['pattern'] = toUnicodePattern(pattern)
    if (isNode(patterns))
      node['patternProperties'] = Object.fromEntries(
        Object.entries(patterns).map(([key, value]) => [toUnicodePattern(key), value]),
      )
  })
  const lookup = dereference(schema, Object.create(null) as Record<string, Schema | boolean>, BASE)
  walk(schema, (node) => {
    const address = node['__absolute_ref__'] as string | undefined
    if (address === undefined || lookup[address] !== undefined) return
    missing.push(String(node['$ref']))
    // One that leads elsewhere would keep all the rest from being judged.
    delete node['$ref']
  })
  const unfollowed = missing.length > 0 ? [incomplete('reference', [...new Set(missing)].join(', '))] : []
  return { schema, draft, lookup, unfollowed }
}

/** Each thing that differs, where it stands; they are counted as well where not all are listed. */
function toFaults(text: string, errors: readonly OutputUnit[], of: ReturnType<typeof prepare>): RawFault[] {
  const faults = placeCauses(text, findCauses(errors))
    .toSorted((a, b) => a.offset - b.offset)
    .filter(
      ({ offset, cause }, index, all) =>
        offset !== all[index - 1]?.offset ||
        cause.keywordLocation !== all[index - 1]!.cause.keywordLocation ||
        cause.error !== all[index - 1]!.cause.error,
    )
  const many = faults.length > MOST_SCHEMA_FAULTS ? [{ ...incomplete('many'), count: faults.length }] : []
  const listed = faults.slice(0, MOST_SCHEMA_FAULTS).map(({ cause, offset, length, found }): RawFault => ({
    code: 'schema',
    offset,
    length,
    ...describeCause(cause, found, of),
  }))
  return [...many, ...listed]
}

/** Makes the judge of a schema, which is given as JSON text. A schema that cannot be followed is said, as a warning. */
export function createJudge(written: string): Judge {
  let of: ReturnType<typeof prepare> | string
  try {
    of = prepare(written)
  } catch (error) {
    of = (error as Error).message
  }
  return (text) => {
    if (typeof of === 'string') return [incomplete('schema', of)]
    if (text.length > SCHEMA_LIMIT_LENGTH) return [incomplete('large')]
    const { schema, draft, lookup, unfollowed } = of
    try {
      const value = JSON.parse(withStandIns(text, schema)) as unknown
      const errors = collectErrors((isShort) => validate(value, schema, draft, lookup, isShort))
      return [...unfollowed, ...toFaults(text, errors, of)]
    } catch (error) {
      // Deeper than the stack, or a schema that is none: `"pattern": "("`.
      return [
        error instanceof RangeError ? incomplete('deep') : incomplete('schema', (error as Error).message),
      ]
    }
  }
}

/** All errors; only the first when there are more than the engine can hand over. */
function collectErrors(judge: (isShort: boolean) => { errors: OutputUnit[] }): OutputUnit[] {
  try {
    return judge(false).errors
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return judge(true).errors
  }
}
