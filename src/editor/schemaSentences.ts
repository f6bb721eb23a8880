// Describes schema faults: details for any language, and the English sentence of each keyword.
import type { Schema } from '@cfworker/json-schema'
import { visible } from './faultSentences.ts'
import { type Cause, toPath, WRONG_KEY } from './schemaCauses.ts'
import type { FaultSentence, RawFault, SchemaKeyword } from './types.ts'

/** A schema and its subschemas by address. */
interface KnownSchema {
  readonly schema: Schema | boolean
  readonly lookup: Record<string, Schema | boolean>
}

/** Quotes a value of the schema; a long one is truncated. */
function quote(value: unknown): string {
  const written = visible(JSON.stringify(value) ?? '')
  return written.length > 60 ? `${written.slice(0, 60)}…` : written
}

const list = (values: readonly string[]) =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

const count = (expected: string, noun: string) => `${expected} ${expected === '1' ? noun : `${noun}s`}`

/** The found value at the beginning of a sentence: as it is written, or its type with a capital letter. */
const begin = ({ found, foundType }: Parameters<FaultSentence>[0]) =>
  foundType ? `A${found.slice(1)}` : found

/** The English sentence of each keyword; `examples/texts` has other languages. */
export const SCHEMA_SENTENCES: Record<SchemaKeyword, FaultSentence> = {
  additionalItems: () => 'No further element is allowed here',
  additionalProperties: ({ key }) => `Key ${key} is not allowed here`,
  anyOf: (fault) => `${begin(fault)} fits none of the alternatives`,
  const: ({ expected, found }) => `Must be ${expected}, not ${found}`,
  contains: () => 'No element fits what the list must contain',
  dependencies: ({ key }) => `Key ${key} is missing: another key needs it`,
  dependentRequired: ({ key }) => `Key ${key} is missing: another key needs it`,
  enum: ({ expected, found }) => (expected ? `Must be ${expected}, not ${found}` : 'Nothing is allowed here'),
  exclusiveMaximum: ({ expected, found }) => `Must be less than ${expected}, not ${found}`,
  exclusiveMinimum: ({ expected, found }) => `Must be more than ${expected}, not ${found}`,
  false: () => 'Nothing is allowed here',
  format: ({ expected, found }) => `${found} is no ${expected}`,
  items: () => 'No further element is allowed here',
  maxContains: ({ expected }) => `Too many elements of one kind: at most ${expected}`,
  maxItems: ({ expected }) => `At most ${count(expected, 'element')}`,
  maxLength: ({ expected }) => `At most ${count(expected, 'character')}`,
  maxProperties: ({ expected }) => `At most ${count(expected, 'key')}`,
  maximum: ({ expected, found }) => `Must be at most ${expected}, not ${found}`,
  minContains: ({ expected }) => `Too few elements of one kind: at least ${expected}`,
  minItems: ({ expected }) => `At least ${count(expected, 'element')}`,
  minLength: ({ expected }) => `At least ${count(expected, 'character')}`,
  minProperties: ({ expected }) => `At least ${count(expected, 'key')}`,
  minimum: ({ expected, found }) => `Must be at least ${expected}, not ${found}`,
  multipleOf: ({ expected, found }) => `${found} is no multiple of ${expected}`,
  not: (fault) => `${begin(fault)} is excluded by the schema`,
  oneOf: (fault) => `${begin(fault)} fits ${fault.expected} alternatives, it must be exactly one`,
  pattern: ({ expected, found }) => `${found} does not match ${expected}`,
  patternProperties: ({ key }) => `Key ${key} is not allowed here`,
  prefixItems: () => 'No further element is allowed here',
  properties: ({ key }) => `Key ${key} is not allowed here`,
  propertyNames: ({ key }) => `Key ${key} is not allowed here`,
  required: ({ key }) => `Key ${key} is missing`,
  type: ({ expected, found }) => `Must be ${expected}, not ${found}`,
  unevaluatedItems: () => 'No further element is allowed here',
  unevaluatedProperties: ({ key }) => `Key ${key} is not allowed here`,
  uniqueItems: () => 'Two elements are equal',
}

const TYPES: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}

/** The subschema at a keyword's location, references followed. */
export function schemaAt(location: string, { schema, lookup }: KnownSchema): unknown {
  let at: unknown = schema
  for (const part of toPath(location)) {
    const node = at as Record<string, unknown> | undefined
    if (part === '$ref') at = lookup[String(node?.['__absolute_ref__'])]
    else if (part === '$recursiveRef') at = lookup[String(node?.['__absolute_recursive_ref__'])]
    else at = node?.[part]
  }
  return at
}

/** A keyword's value as a sentence shows it. */
function nameExpected(keyword: SchemaKeyword, value: unknown): string {
  if (typeof value !== 'string' || keyword === 'const') return quote(value)
  return value.replaceAll(
    /\\u\{(\w+)\}/g,
    (_, hex: string) => `\\${String.fromCodePoint(Number.parseInt(hex, 16))}`,
  )
}

/** The key that is missing or not allowed, in quotes. Only the validator's own message names a missing one. */
function nameKey({ keyword, path, isKey, error }: Cause): string {
  if (isKey) return WRONG_KEY.has(keyword) ? quote(path.at(-1)) : ''
  const named = /property "(.*)"\.$|not have "(.*)"\.$/s.exec(error)
  return named ? `"${named[1] ?? named[2]}"` : ''
}

/** Returns the details of a fault for any language, and the English sentence. */
export function describeCause(
  cause: Cause,
  written: string,
  of: KnownSchema,
): Omit<RawFault, 'code' | 'offset' | 'length'> {
  const { keyword, keywordLocation, path, error, types } = cause
  const value = schemaAt(keywordLocation, of)
  const key = nameKey(cause)
  const foundType = written.startsWith('{') ? 'object' : written.startsWith('[') ? 'array' : ''
  const found = visible(written.length > 40 ? `${written.slice(0, 40)}…` : written)
  let allowed: string[] = []
  let expected = key || nameExpected(keyword, value)
  if (keyword === 'type') {
    allowed = (types ?? [value].flat()).map(String)
    expected = list(allowed.map((type) => TYPES[type] ?? type))
  } else if (keyword === 'enum') {
    allowed = (value as unknown[]).map(quote)
    expected = list(allowed)
  } else if (keyword === 'oneOf') expected = /\((\d+)/.exec(error)?.[1] ?? ''
  const said = { keyword, expected, found: TYPES[foundType] ?? found, key, allowed, foundType } as const
  const pointer = (parts: readonly string[]) =>
    parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return {
    ...said,
    detail: SCHEMA_SENTENCES[keyword]({ ...said, detail: '', count: 0, related: 0, relatedColumn: 0 }),
    path: pointer(path),
    schemaPath: pointer(toPath(keywordLocation)),
  }
}
