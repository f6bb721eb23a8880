// Everything that is wrong or doubtful in a text, the one verdict of editor, worker and server; doubtful are duplicate keys and numbers that JavaScript cannot hold.
import { MOST_FAULTS } from './limits.ts'
import { isClosing, isOpening, scan } from './scan.ts'
import { readRight, readString } from './scanTokens.ts'
import type { CheckRules, DuplicateKeys, Judge, RawFault } from './types.ts'

const QUOTE = 34
const ignore = (): void => {}

/** Reads valid JSON word by word (a string, a number, a name, a sign) as long as `take` wants more. */
export function readValid(text: string, take: (code: number, start: number, end: number) => boolean): void {
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code <= 32) {
      at++
      continue
    }
    const start = at
    const isSign = code === 44 || code === 58 || isOpening(code) || isClosing(code)
    at = isSign ? at + 1 : code === QUOTE ? readString(text, at, ignore) : readRight(text, at)
    if (!take(code, start, at)) return
  }
}

/** The digits of a decimal without what does not count, and its power of ten: 1.50e2 is 15 and 1. */
export function plainDecimal(number: string): string {
  const [mantissa = '', power = '0'] = number.toLowerCase().replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${significant}e${BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`
}

/** Would JSON.parse change this number? 0.1 stays what was written, 9007199254740993 becomes …992. */
export function isUnsafeNumber(number: string): boolean {
  // Fifteen digits always survive, and so do powers of ten up to 22.
  if (number.length <= 15 && !/e/i.test(number)) return false
  const held = Number(number)
  if (!Number.isFinite(held)) return true
  const power = /e[+-]?(\d+)/i.exec(number)
  if (power && power[1]!.length > 6) return held !== 0 || /[1-9]/.test(number.split(/e/i)[0]!)
  return plainDecimal(number) !== plainDecimal(String(held))
}

/** Collects the doubts about `text`, which must be valid: so many errors at most, and as many warnings. */
export function findDoubts(text: string, duplicates: DuplicateKeys = 'warning'): RawFault[] {
  const faults: RawFault[] = []
  const left = { errors: duplicates === 'error' ? MOST_FAULTS : 0, warnings: MOST_FAULTS }
  const doubt = (fault: RawFault, kind: keyof typeof left) => {
    if (left[kind]-- > 0) faults.push({ ...fault, isWarning: kind === 'warnings' })
  }
  /** Keys of each open object (false for an array): nothing, the first key and its place, or all of them. */
  const open: (false | undefined | { key: string; at: number } | Map<string, number>)[] = []
  let isKey = false
  /** Gives where the key stood before in the same object, and remembers it. */
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
        doubt(
          { code: 'duplicate-key', offset, length, detail: key.slice(0, 40), related },
          duplicates === 'error' ? 'errors' : 'warnings',
        )
    } else if (length > 2 && (code === 45 || (code >= 48 && code <= 57))) {
      const number = text.slice(offset, end)
      if (isUnsafeNumber(number))
        doubt({ code: 'unsafe-number', offset, length, detail: number.slice(0, 40) }, 'warnings')
    } else if (code === 123) open.push(undefined)
    else if (code === 91) open.push(false)
    else if (code === 125 || code === 93) open.pop()
    isKey = code === 123 || (code === 44 && open.at(-1) !== false)
    return left.errors > 0 || left.warnings > 0
  })
  return faults
}

/** What is wrong with a text; of one that is JSON, what `judge`, its schema, says, and what is doubtful. */
export function findFaults(text: string, rules: CheckRules, judge?: Judge): RawFault[] {
  const errors = scan(text)
  if (errors.length > 0) return errors
  const faults = [...(judge?.(text) ?? []), ...findDoubts(text, rules.duplicates)]
  return faults.toSorted((a, b) => a.offset - b.offset)
}
