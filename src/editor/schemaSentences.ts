// What each keyword of a schema says to a person; a `messages` prop may replace any of it.
import type { Schema } from '@cfworker/json-schema'
import { type Cause, toPath } from './schemaCauses.ts'
import type { RawFault } from './types.ts'

/** A schema, and its parts by their addresses. */
interface KnownSchema {
  readonly schema: Schema | boolean
  readonly lookup: Record<string, Schema | boolean>
}

/** Quotes a value of the schema; a long one is cut. */
function quote(value: unknown): string {
  const written = JSON.stringify(value) ?? ''
  return written.length > 60 ? `${written.slice(0, 60)}…` : written
}

const list = (values: readonly string[]) =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

const count = (expected: string, noun: string) => `${expected} ${expected === '1' ? noun : `${noun}s`}`

/** English, by keyword; `expected` is what the schema says there, `found` what stands in the text. */
const SENTENCES: Record<string, (said: { expected: string; found: string; key: string }) => string> = {
  additionalProperties: ({ key }) => `Key ${key} is not allowed here`,
  unevaluatedProperties: ({ key }) => `Key ${key} is not allowed here`,
  anyOf: ({ found }) => `${found} fits none of the alternatives`,
  const: ({ expected, found }) => `Must be ${expected}, not ${found}`,
  contains: () => 'No element fits what the list must contain',
  dependencies: ({ key }) => `Key ${key} is missing: another key needs it`,
  dependentRequired: ({ key }) => `Key ${key} is missing: another key needs it`,
  enum: ({ expected, found }) => `Must be ${expected}, not ${found}`,
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
  not: ({ found }) => `${found} is excluded by the schema`,
  oneOf: ({ found, expected }) => `${found} fits ${expected} alternatives, it must be exactly one`,
  pattern: ({ expected, found }) => `${found} does not match ${expected}`,
  required: ({ key }) => `Key ${key} is missing`,
  type: ({ expected, found }) => `Must be ${expected}, not ${found}`,
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

/** The part of the schema at a keyword's place, over references. */
function schemaAt(location: string, { schema, lookup }: KnownSchema): unknown {
  let at: unknown = schema
  for (const part of toPath(location)) {
    const node = at as Record<string, unknown> | undefined
    if (part === '$ref') at = lookup[String(node?.['__absolute_ref__'])]
    else if (part === '$recursiveRef') at = lookup[String(node?.['__absolute_recursive_ref__'])]
    else at = node?.[part]
  }
  return at
}

/** What is found, as a sentence can name it. */
function nameFound(found: string): string {
  if (found.startsWith('{')) return 'an object'
  if (found.startsWith('[')) return 'a list'
  return found.length > 40 ? `${found.slice(0, 40)}…` : found
}

/** What a fault says of a cause. */
export function describeCause(
  cause: Cause,
  written: string,
  of: KnownSchema,
): Pick<RawFault, 'detail' | 'keyword' | 'path' | 'schemaPath' | 'expected' | 'found'> {
  const { keyword, keywordLocation, path, error, types } = cause
  const value = schemaAt(keywordLocation, of)
  const expected =
    keyword === 'type'
      ? list((types ?? [value].flat()).map((type) => TYPES[String(type)] ?? String(type)))
      : keyword === 'enum'
        ? list((value as unknown[]).map(quote))
        : keyword === 'oneOf'
          ? (/\((\d+)/.exec(error)?.[1] ?? '')
          : typeof value === 'string' && keyword !== 'const'
            ? value.replaceAll(
                /\\u\{(\w+)\}/g,
                (_, hex: string) => `\\${String.fromCodePoint(Number.parseInt(hex, 16))}`,
              )
            : quote(value)
  // Only the validator's own sentence names the key.
  const key = cause.isKey
    ? quote(path.at(-1))
    : `"${/property "(.*)"\.$|not have "(.*)"\.$/s.exec(error)?.slice(1).join('') ?? ''}"`
  const named = { expected, found: nameFound(written), key }
  const pointer = (parts: readonly string[]) =>
    parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return {
    detail: SENTENCES[keyword]?.(named) ?? `Does not fit ${keyword}`,
    keyword,
    path: pointer(path),
    schemaPath: pointer(toPath(keywordLocation)),
    expected: key === '""' ? expected : key,
    found: named.found,
  }
}
