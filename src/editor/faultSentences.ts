// The sentence of each fault, replaceable for another language.
import { MAX_FAULTS, MAX_SCHEMA_FAULTS } from './limits.ts'
import { textOr } from './messages.ts'
import { findPlaces } from './places.ts'
import type { FaultSentence, JsonFault, JsonFaultCode, RawFault } from './types.ts'

/** The English sentences; the `messages` prop replaces any of them. */
export const FAULT_SENTENCES: Record<JsonFaultCode, FaultSentence> = {
  'byte-order-mark': () => 'Byte order mark before the text: JSON must start without one',
  comment: () => 'Comments are not part of JSON',
  'control-character': ({ detail }) =>
    detail === '000A'
      ? 'Line break inside a string: write it as \\n'
      : `Control character U+${detail} inside a string: write it as \\u${detail}`,
  'duplicate-key': ({ detail, related, relatedColumn }) =>
    `Duplicate key ${detail}: already on line ${related}, column ${relatedColumn}, the last one wins`,
  empty: () => 'Nothing here yet: JSON needs a value',
  'extra-text': () => 'Text after the end of the JSON',
  incomplete: ({ detail, count, found }) =>
    ({
      deep: 'Too deep for the schema to be checked',
      large: 'Too large for the schema to be checked',
      long: 'The schema took too long to check',
      many: `${count} problems with the schema; the first ones are listed`,
      pattern: `The schema is checked without patterns that could take too long on this page: ${found}`,
      reference: `The schema is checked without what it refers to elsewhere: ${found}`,
    })[detail] ?? `The schema cannot be used: ${found}`,
  'invalid-escape': ({ detail }) => `Invalid escape ${detail} in a string`,
  'invalid-number': ({ detail }) => `${detail} is not a JSON number`,
  'invalid-word': ({ detail }) =>
    `Unknown word ${detail}: text needs double quotes, other words are true, false and null`,
  'mismatched-bracket': ({ detail, related }) =>
    `${detail} does not close the bracket opened on line ${related}`,
  'missing-bracket': ({ detail, related }) =>
    '{['.includes(detail)
      ? `Missing ${detail} before this`
      : `Missing ${detail}: the bracket opened on line ${related} is not closed`,
  'missing-colon': () => 'Missing colon after the key',
  'missing-comma': ({ detail }) => `Missing comma before ${detail}`,
  'missing-key': ({ detail }) => `Missing key before ${detail}`,
  'missing-value': () => 'Missing value',
  // `SCHEMA_SENTENCES` comes with the schema validator: only editors with a schema load it.
  schema: ({ detail }) => detail,
  'too-large': () => 'Too large to check; it can still be edited and saved',
  'trailing-comma': () => 'Trailing comma: nothing follows it',
  'unclosed-string': () => 'Unclosed string',
  'unescaped-quote': () => 'Quote inside a string: write it as \\"',
  'unexpected-bracket': ({ detail }) => `${detail} closes nothing`,
  'unexpected-character': ({ detail }) => `Unexpected character ${detail}`,
  'unexpected-end': ({ count }) =>
    count === 1 ? 'Unexpected end: 1 bracket is open' : `Unexpected end: ${count} brackets are open`,
  'unexpected-word': ({ detail }) => `${detail} does not belong here`,
  'unquoted-key': ({ detail }) => `Key ${detail} needs double quotes`,
  'unsafe-number': ({ detail }) =>
    `${detail} is larger or more precise than JavaScript can store: parsing changes it`,
  'wrong-quotes': () => 'JSON needs straight double quotes (")',
}

/** Escapes invisible characters, so that two keys that only look the same differ on the screen. */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cf}\p{DI}]|(?! )\p{Z}/gu, (character) =>
    character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

/** A visible character as it is, any other by its code point. */
function nameOf(character: string): string {
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return character
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** A raw fault with its lines and columns, as a worker posts it. */
export interface PlacedFault extends RawFault {
  readonly line: number
  readonly column: number
  readonly relatedLine: number
  readonly relatedColumn: number
}

/** A warning that the schema was not checked, or only in part. */
export const incomplete = (detail: string, found = ''): RawFault => ({
  code: 'incomplete',
  offset: 0,
  length: 0,
  detail,
  found,
})

/** Adds lines and columns to raw faults. */
export function placeFaults(text: string, raw: readonly RawFault[]): PlacedFault[] {
  const places = findPlaces(
    text,
    raw.flatMap((fault) => [fault.offset, fault.related ?? 0]),
  )
  return raw.map((fault, index) => ({
    ...fault,
    ...places[index * 2]!,
    relatedLine: places[index * 2 + 1]!.line,
    relatedColumn: places[index * 2 + 1]!.column,
  }))
}

const WARNINGS = new Set<JsonFaultCode>(['duplicate-key', 'incomplete', 'unsafe-number'])

/** Adds the sentence and the severity to a placed fault. */
export function toJsonFault(
  fault: PlacedFault,
  sentences: Partial<Record<JsonFaultCode, FaultSentence>> = {},
): JsonFault {
  const { code, offset, length, line, column, detail = '', count = 0, relatedLine, relatedColumn } = fault
  const { keyword = '', path = '', schemaPath = '', expected = '', found = '', isWarning } = fault
  const { key = '', allowed = [], foundType = '' } = fault
  const about = {
    detail: code === 'unexpected-character' ? nameOf(detail) : visible(detail),
    count,
    related: relatedLine,
    relatedColumn,
    keyword,
    expected,
    found,
    key,
    allowed,
    foundType,
  }
  const message = textOr(sentences[code], FAULT_SENTENCES[code])(about)
  const severity = (isWarning ?? WARNINGS.has(code)) ? 'warning' : 'error'
  const said = { code, message, line, column, offset, length, severity } as const
  return code === 'schema' ? { ...said, keyword, path, schemaPath } : said
}

/** Are there more faults than are listed? */
export const isCut = (faults: readonly JsonFault[]): boolean =>
  faults.length >= (faults.some(({ code }) => code === 'schema') ? MAX_SCHEMA_FAULTS : MAX_FAULTS)
