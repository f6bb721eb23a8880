// Validates JSON text against a JSON Schema and locates the violations in the text.
import { dereference, type OutputUnit, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema'
import { incomplete } from './faultSentences.ts'
import { readValid } from './findFaults.ts'
import { MAX_PATTERN_STEPS, MAX_SCHEMA_FAULTS, SCHEMA_LIMIT_LENGTH } from './limits.ts'
import { type Cause, findCauses, placeCauses } from './schemaCauses.ts'
import { describeCause, schemaAt } from './schemaSentences.ts'
import type { Validate, RawFault } from './types.ts'

type Node = Record<string, unknown>

/** The base of relative references; nothing is ever fetched. */
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

/** Keywords that depend on patterns. */
const BY_PATTERN = ['pattern', 'patternProperties', 'additionalProperties', 'unevaluatedProperties']

/** Rewrites escapes that JavaScript's Unicode mode does not allow, such as `\\-`. */
function toUnicodePattern(pattern: string): string {
  return pattern.replaceAll(/\\([\s\S])/g, (escape, character: string) =>
    /[\w^$\\.*+?()[\]{}|/]/.test(character) ? escape : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}

/**
 * Can this pattern run forever on a string of this length? A repeated group that can match the same letters in two ways doubles
 * the work with each letter. Only asked in a page without workers, where nothing could interrupt it.
 */
function isSlow(pattern: string, length: number): boolean {
  const sets = /\\[^]|\[(?:\\[^]|[^\]\\])*\]/g
  const signs = pattern.replaceAll(sets, '.').replaceAll(/\(\?(?::|<?[=!]|<\w+>)/g, '(')
  const starts: number[] = []
  for (const { 0: sign, index } of signs.matchAll(/[()]/g)) {
    if (sign === '(') starts.push(index + 1)
    const group = sign === ')' ? signs.slice(starts.pop(), index) : ''
    const heads = group.split(/[(|]+/).map(([first]) => first)
    const isAmbiguous = group.includes('|') && (heads.includes('.') || new Set(heads).size < heads.length)
    if (!isAmbiguous && !/[*+?]|\{\d+,/.test(group)) continue
    if (/^(?:[*+]|\{\d+,)/.test(signs.slice(index + 1))) return true
  }
  const loops = (signs.match(/[*+]|\{\d+,\}/g) ?? []).length + (signs.startsWith('^') ? 0 : 1)
  return length ** loops > MAX_PATTERN_STEPS
}

/** The length of the longest string of a valid text. */
function findLongest(text: string): number {
  let longest = 0
  readValid(text, (_code, start, end) => (longest = Math.max(longest, end - start)) > 0)
  return longest
}

class TooLong extends Error {}

/** The validator reads this keyword, which schemas rarely have, of each subschema: the getter checks the time. */
const clock = { endsAt: Infinity }
class Timed {
  get __absolute_recursive_ref__(): undefined {
    if (performance.now() > clock.endsAt) throw new TooLong()
    return undefined
  }
}

/** The arrays with equal elements, each once: the validator itself would compare every element with every other. */
function findRepeats(value: unknown): unknown[] {
  const ids = new Map<string, number>()
  const repeats = new Map<number, unknown>()
  const idOf = (part: unknown): number => {
    const elements = Array.isArray(part) ? part.map(idOf) : []
    const written = Array.isArray(part)
      ? `[${elements.join()}`
      : isNode(part)
        ? `{${Object.keys(part)
            .toSorted()
            .map((key) => `${JSON.stringify(key)}${idOf(part[key])}`)
            .join()}`
        : JSON.stringify(part)
    const id = ids.get(written) ?? ids.size
    ids.set(written, id)
    if (new Set(elements).size < elements.length) repeats.set(id, part)
    return id
  }
  idOf(value)
  return [...repeats.values()]
}

/** `longest` is only given in the page, where slow patterns are left out. */
function prepare(written: string, limitMs: number, longest?: number) {
  const schema = JSON.parse(written) as Schema | boolean
  /** The arrays that `uniqueItems` forbids, filled for each text; `toJSON` keeps them out of the validator's message. */
  const repeats: unknown[] = Object.assign([], { toJSON: () => [] })
  let hasUnique = false
  const slow: string[] = []
  const named = isNode(schema) ? (schema.$schema ?? '') : ''
  const draft = DRAFTS.find(([name]) => name.test(named))?.[1] ?? '2020-12'
  const missing: string[] = []
  walk(schema, (node) => {
    // The validator does not support dynamic references.
    if (typeof node['$dynamicRef'] === 'string') missing.push(node['$dynamicRef'])
    node['$anchor'] ??= node['$dynamicAnchor']
    if (node['uniqueItems'] === true) {
      hasUnique = true
      delete node['uniqueItems']
      node['allOf'] = [...((node['allOf'] as unknown[] | undefined) ?? []), { not: { enum: repeats } }]
    }
    const { pattern, patternProperties: patterns } = node
    const found = [pattern, ...(isNode(patterns) ? Object.keys(patterns) : [])].filter(
      (one): one is string => longest !== undefined && typeof one === 'string' && isSlow(one, longest),
    )
    slow.push(...found)
    for (const key of found.length > 0 ? BY_PATTERN : []) delete node[key]
    if (typeof node['pattern'] === 'string') node['pattern'] = toUnicodePattern(node['pattern'])
    if (isNode(node['patternProperties']) && isNode(patterns))
      node['patternProperties'] = Object.fromEntries(
        Object.entries(patterns).map(([key, value]) => [toUnicodePattern(key), value]),
      )
  })
  const lookup = dereference(schema, Object.create(null) as Record<string, Schema | boolean>, BASE)
  walk(schema, (node) => {
    const address = node['__absolute_ref__'] as string | undefined
    if (address === undefined || lookup[address] !== undefined) return
    missing.push(String(node['$ref']))
    // A single external reference would stop the whole check.
    delete node['$ref']
  })
  if (limitMs < Infinity) walk(schema, (node) => void Object.setPrototypeOf(node, Timed.prototype))
  const unfollowed = Object.entries({ reference: missing, pattern: slow }).flatMap(([what, found]) =>
    found.length > 0 ? incomplete(what, [...new Set(found)].join(', ')) : [],
  )
  return { schema, draft, lookup, unfollowed, repeats, hasUnique }
}

/** The violations at their places; all are counted, even if not all are listed. */
function toFaults(text: string, errors: readonly OutputUnit[], of: ReturnType<typeof prepare>): RawFault[] {
  const causes = findCauses(errors).map((cause): Cause => {
    const at = schemaAt(cause.keywordLocation, of)
    if (!isNode(at) || at['enum'] !== of.repeats) return cause
    const keywordLocation = cause.keywordLocation.replace(/allOf\/\d+\/not$/, 'uniqueItems')
    return { ...cause, keyword: 'uniqueItems', keywordLocation }
  })
  const faults = placeCauses(text, causes)
    .toSorted((a, b) => a.offset - b.offset)
    .filter(
      ({ offset, cause }, index, all) =>
        offset !== all[index - 1]?.offset ||
        cause.keywordLocation !== all[index - 1]!.cause.keywordLocation ||
        cause.error !== all[index - 1]!.cause.error,
    )
  const many = faults.length > MAX_SCHEMA_FAULTS ? [{ ...incomplete('many'), count: faults.length }] : []
  const listed = faults.slice(0, MAX_SCHEMA_FAULTS).map(({ cause, offset, length, found }): RawFault => ({
    code: 'schema',
    offset,
    length,
    ...describeCause(cause, found, of),
  }))
  return [...many, ...listed]
}

/**
 * Creates the validator of a schema, given as JSON text. An unusable schema becomes a warning. In the page nothing can terminate
 * the check: there it gives up after `limitMs`, and skips, with a warning, patterns that even this would not interrupt.
 */
export function createValidator(written: string, limitMs = Infinity): Validate {
  const isInPage = limitMs < Infinity && typeof document !== 'undefined'
  let of: ReturnType<typeof prepare> | undefined
  return (text) => {
    if (text.length > SCHEMA_LIMIT_LENGTH) return [incomplete('large')]
    try {
      of = isInPage ? prepare(written, limitMs, findLongest(text)) : (of ?? prepare(written, limitMs))
      const { schema, draft, lookup, unfollowed } = of
      const value = JSON.parse(text) as unknown
      clock.endsAt = performance.now() + limitMs
      of.repeats.splice(0, Infinity, ...(of.hasUnique ? findRepeats(value) : []))
      const errors = collectErrors((isShort) => validate(value, schema, draft, lookup, isShort))
      return [...unfollowed, ...toFaults(text, errors, of)]
    } catch (error) {
      if (error instanceof TooLong) return [incomplete('long')]
      // Nested deeper than the stack, or an invalid schema, such as `"pattern": "("`.
      return [
        error instanceof RangeError ? incomplete('deep') : incomplete('schema', (error as Error).message),
      ]
    }
  }
}

/** All errors, or only the first if there are more than the engine can pass as arguments. */
function collectErrors(run: (isShort: boolean) => { errors: OutputUnit[] }): OutputUnit[] {
  try {
    return run(false).errors
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return run(true).errors
  }
}
