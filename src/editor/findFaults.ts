// Finds the faults of a text, the same in the editor, its worker and on a server: errors, duplicate keys, inexact numbers.
import { MAX_FAULTS } from './limits.ts'
import { isClosing, isOpening, scan } from './scan.ts'
import { readLiteral, readString } from './scanTokens.ts'
import type { CheckRules, DuplicateKeys, Validate, RawFault } from './types.ts'

const QUOTE = 34
const ignore = (): void => {}

/** Reads valid JSON token by token (string, number, literal, punctuation) until `take` returns false. */
export function readValid(text: string, take: (code: number, start: number, end: number) => boolean): void {
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code <= 32) {
      at++
      continue
    }
    const start = at
    const isSign = code === 44 || code === 58 || isOpening(code) || isClosing(code)
    at = isSign ? at + 1 : code === QUOTE ? readString(text, at, ignore) : readLiteral(text, at)
    if (!take(code, start, at)) return
  }
}

/** The significant digits of a decimal and its power of ten: 1.50e2 is `15e1`. */
export function plainDecimal(number: string): string {
  const [mantissa = '', power = '0'] = number.toLowerCase().replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/(?<!0)0+$/, '')
  if (significant === '') return '0'
  return `${significant}e${BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`
}

/** Would JSON.parse change this number? 0.1 stays, 9007199254740993 becomes …992. */
export function isUnsafeNumber(number: string): boolean {
  // Fifteen digits always survive, and so do powers of ten up to 22.
  if (number.length <= 15 && !/e/i.test(number)) return false
  const parsed = Number(number)
  if (!Number.isFinite(parsed)) return true
  const power = /e[+-]?(\d+)/i.exec(number)
  if (power && power[1]!.length > 6) return parsed !== 0 || /[1-9]/.test(number.split(/e/i)[0]!)
  return plainDecimal(number) !== plainDecimal(String(parsed))
}

/** Finds duplicate keys and unsafe numbers in `text`, which must be valid; errors and warnings are limited separately. */
export function findWarnings(text: string, duplicates: DuplicateKeys = 'warning'): RawFault[] {
  const faults: RawFault[] = []
  const left = { errors: duplicates === 'error' ? MAX_FAULTS : 0, warnings: MAX_FAULTS }
  const report = (fault: RawFault, kind: keyof typeof left) => {
    if (left[kind]-- > 0) faults.push({ ...fault, isWarning: kind === 'warnings' })
  }
  /** Keys of each open object (false for an array): none, the first key and its place, or all of them. */
  const open: (false | undefined | { key: string; at: number } | Map<string, number>)[] = []
  let isKey = false
  /** Returns where the same object has had the key before; remembers a new one. */
  const remember = (key: string, at: number) => {
    const seen = open.at(-1)
    if (seen instanceof Map) {
      const first = seen.get(key)
      if (first === undefined) seen.set(key, at)
      return first
    }
    if (seen && seen.key === key) return seen.at
    open[open.length - 1] = seen ? new Map([[seen.key, seen.at]]).set(key, at) : { key, at }
    return undefined
  }
  readValid(text, (code, offset, end) => {
    const length = end - offset
    if (code === QUOTE && isKey && duplicates !== 'ignore') {
      const inner = text.slice(offset + 1, end - 1)
      const key = inner.includes('\\') ? (JSON.parse(`"${inner}"`) as string) : inner
      const related = remember(key, offset)
      if (related !== undefined)
        report(
          { code: 'duplicate-key', offset, length, detail: `"${key.slice(0, 40)}"`, related },
          duplicates === 'error' ? 'errors' : 'warnings',
        )
    } else if (length > 2 && (code === 45 || (code >= 48 && code <= 57))) {
      const number = text.slice(offset, end)
      if (isUnsafeNumber(number))
        report({ code: 'unsafe-number', offset, length, detail: number.slice(0, 40) }, 'warnings')
    } else if (code === 123) open.push(undefined)
    else if (code === 91) open.push(false)
    else if (code === 125 || code === 93) open.pop()
    isKey = code === 123 || (code === 44 && open.at(-1) !== false)
    return left.errors > 0 || left.warnings > 0
  })
  return faults
}

/** All faults of a text. If it is JSON, they come from `validate`, its schema, and from `findWarnings`. */
export function findFaults(text: string, rules: CheckRules, validate?: Validate): RawFault[] {
  const errors = scan(text)
  if (errors.length > 0) return errors
  const faults = [...(validate?.(text) ?? []), ...findWarnings(text, rules.duplicates)]
  return faults.toSorted((a, b) => a.offset - b.offset)
}
