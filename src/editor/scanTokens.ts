// The words of JSON for the scanner: strings and numbers as RFC 8259 has them, and what people write instead.
import { isBeforeKey, matchAt, readRun, readToQuote } from './strayWords.ts'
import type { JsonFaultCode, RawFault } from './types.ts'

type Report = (code: JsonFaultCode, offset: number, length: number, more?: Partial<RawFault>) => void

const isDigit = (code: number) => code >= 48 && code <= 57
const isHex = (code: number) => isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)

/** Reads the string that opens at `start`; gives where it ends. A line end closes an unclosed one. */
export function readString(text: string, start: number, report: Report): number {
  const end = text.length
  let at = start + 1
  for (;;) {
    if (at >= end) {
      report('unclosed-string', start, end - start)
      return end
    }
    const code = text.charCodeAt(at)
    if (code === 34) return at + 1
    if (code === 92) {
      const next = text.charCodeAt(at + 1)
      if (next === 117) {
        let digits = 0
        while (digits < 4 && isHex(text.charCodeAt(at + 2 + digits))) digits++
        if (digits < 4) report('invalid-escape', at, 2 + digits, { detail: text.slice(at, at + 2 + digits) })
        at += 2 + digits
      } else if (
        next === 34 ||
        next === 92 ||
        next === 47 ||
        (next > 97 && '"\\/bfnrt'.includes(text[at + 1]!))
      ) {
        at += 2
      } else if (at + 1 >= end || next === 10 || next === 13) {
        at++
      } else {
        report('invalid-escape', at, 2, { detail: text.slice(at, at + 2) })
        at += 2
      }
    } else if (code < 32) {
      if (code === 10 || code === 13) {
        report('unclosed-string', start, at - start)
        return at
      }
      report('control-character', at, 1, { detail: code.toString(16).padStart(4, '0').toUpperCase() })
      at++
    } else at++
  }
}

/** Reads the number at `start`; gives where it ends, with whatever is stuck to it. */
export function readNumber(text: string, start: number, report: Report): number {
  let at = start
  let isRight = true
  if (text.charCodeAt(at) === 45) at++
  if (text.charCodeAt(at) === 48) at++
  else if (isDigit(text.charCodeAt(at))) while (isDigit(text.charCodeAt(at))) at++
  else isRight = false
  if (text.charCodeAt(at) === 46) {
    at++
    if (!isDigit(text.charCodeAt(at))) isRight = false
    while (isDigit(text.charCodeAt(at))) at++
  }
  if ((text.charCodeAt(at) | 32) === 101) {
    at++
    if (text.charCodeAt(at) === 43 || text.charCodeAt(at) === 45) at++
    if (!isDigit(text.charCodeAt(at))) isRight = false
    while (isDigit(text.charCodeAt(at))) at++
  }
  const stuck = readWord(text, at)
  if (!isRight || stuck > at) {
    report('invalid-number', start, stuck - start, { detail: text.slice(start, Math.min(stuck, start + 40)) })
  }
  return stuck
}

/** Reads a run of characters that a name or a number could be made of. */
export function readWord(text: string, start: number): number {
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isName = isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 122) || code === 95 || code === 36
    const isSign = code === 43 || code === 45 || code === 46
    // Letters of other alphabets count as a name; spaces and quotes of other alphabets do not.
    if (!isName && !isSign && (code < 0xc0 || !/[\p{L}\p{N}]/u.test(text[at]!))) break
  }
  // An address without quotes is one word.
  if (at > start && text.startsWith('://', at)) while (at < text.length && !/[\s,"}\]]/.test(text[at]!)) at++
  return at
}

const CLOSING_QUOTE: Record<string, string> = {
  "'": "'",
  '`': '`',
  '\u201c': '\u201d',
  '\u201d': '\u201d',
  '\u201e': '\u201c\u201d',
  '\u2018': '\u2019',
  '\u2019': '\u2019',
  '\u00ab': '\u00bb',
}

const STRUCTURE = /"(?:[^"\\\n]|\\.)*"|[{}[\]:]/g
const NEXT_TEXT = /"(?:[^"\\\n]|\\.)*"\s*[,\]]/y

/** Does something that a string may stand before follow at `at`? */
const endsThere = (text: string, at: number) => /^\s*(?:[,:}\]]|$)/.test(text.slice(at, at + 100))

/** The next bracket or colon outside of strings; nothing when it is far away. */
export function findStructure(text: string, start: number): string | undefined {
  const near = text.slice(start, start + 1_000)
  return (near.match(STRUCTURE) ?? []).find((word) => !word.startsWith('"'))
}

/**
 * A word stands right behind the quote at `close - 1`, which seems to end the string at `start`. Either that quote opens the
 * next string (`isOpen`; `end` is where this one should have ended), or it is one of the text (`end` is where that ends).
 */
function findInnerQuote(
  text: string,
  start: number,
  { close, isKey, isMember }: { close: number; isKey: boolean; isMember: boolean },
): { end: number; isOpen: boolean } | undefined {
  // A quote typed twice at the end …
  if (text[close] === '"') return endsThere(text, close + 1) ? { end: close + 1, isOpen: false } : undefined
  // … or at the beginning, or one of the text with a space behind it.
  const isSpace = text.charCodeAt(close) === 32
  const end = isSpace || close === start + 2 ? readToQuote(text, close) : close
  const isLong = end > close + (isSpace ? 2 : 1)
  if (isLong && (isKey || !/^\s*:/.test(text.slice(end, end + 100)))) return { end, isOpen: false }
  if (isSpace) return undefined
  // A number or a bracket right behind it: a comma or a colon is missing. Or a word that belongs to nothing.
  if (readWord(text, close) === close || /[\d+.-]/.test(text[close]!)) return undefined
  if (endsThere(text, readRun(text, close))) return undefined
  const inside = text.slice(start + 1, close - 1)
  const separator = isKey ? inside.indexOf(':') : /,\s*$/.exec(inside)?.index
  const opensNext =
    isKey || (isMember ? isBeforeKey(text, close - 1) : matchAt(NEXT_TEXT, text, close - 1) >= close)
  if (separator !== undefined && separator >= 0 && opensNext)
    return { end: start + 1 + separator, isOpen: true }
  const lineEnd = text.indexOf('\n', close)
  for (let at = text.indexOf('"', close); at >= 0; at = text.indexOf('"', at + 1)) {
    if (lineEnd >= 0 && at > lineEnd) return undefined
    if (text[at - 1] !== '\\' && endsThere(text, at + 1)) return { end: at + 1, isOpen: false }
  }
  return undefined
}

/** Where a string ends that a line end at `lineEnd` has broken; `lineEnd` when it was rather never closed. */
function continueString(text: string, lineEnd: number): number {
  const next = /\S/.exec(text.slice(lineEnd, lineEnd + 1_000))?.[0]
  if (next === undefined || '"{}[],:'.includes(next)) return lineEnd
  const quote = text.indexOf('"', lineEnd)
  return quote >= 0 && endsThere(text, quote + 1) ? quote + 1 : lineEnd
}

/** Gives where a comment, a string in other quotes or any token ends; `start` when there is none. */
export function readLoose(text: string, start: number, kind: 'comment' | 'quoted' | 'token'): number {
  const first = text[start]!
  if (kind === 'comment') {
    const isLine = first === '#' || text.startsWith('//', start)
    if (!isLine && !text.startsWith('/*', start)) return start
    if (!isLine) {
      const close = text.indexOf('*/', start + 2)
      return close < 0 ? text.length : close + 2
    }
    let at = start
    while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++
    return at
  }
  if (kind === 'quoted') {
    const closing = CLOSING_QUOTE[first]
    if (closing === undefined) return start
    for (let at = start + 1; at < text.length; at++) {
      const character = text[at]!
      if (character === '\\') at++
      else if (closing.includes(character)) return at + 1
      else if (character === '\n' || character === '\r') return at
    }
    return text.length
  }
  if (first === '"') return readString(text, start, () => {})
  if (first === '{' || first === '[') return start + 1
  const quoted = readLoose(text, start, 'quoted')
  return quoted > start ? quoted : readWord(text, start)
}

interface TextContext {
  readonly isKey: boolean
  /** In an object: what follows a value is a key. */
  readonly isMember: boolean
  readonly faults: RawFault[]
  readonly report: Report
}

/** Reads a string, also one whose quotes are wrong; gives where it ends. */
export function readText(text: string, at: number, { isKey, isMember, faults, report }: TextContext): number {
  const before = faults.length
  const closing = readString(text, at, report)
  const next = text.charCodeAt(closing)
  if (next === 44 || next === 58 || next === 125 || next === 93) return closing
  if (closing < text.length && next !== 10) {
    const place = findInnerQuote(text, at, { close: closing, isKey, isMember })
    if (!place) return closing
    if (place.isOpen) {
      // The quote that seems to close it opens the next string.
      faults.length = before
      report('unclosed-string', at, place.end - at)
    } else report('unescaped-quote', closing - 1, 1)
    return place.end
  }
  if (faults.at(-1)?.code !== 'unclosed-string' || faults.length === before) return closing
  const colon = isKey ? text.slice(at, closing).indexOf(':') : -1
  if (colon >= 0) {
    faults.length = before
    report('unclosed-string', at, colon)
    return at + colon
  }
  const real = continueString(text, closing)
  if (real > closing)
    faults[faults.length - 1] = { code: 'control-character', offset: closing, length: 1, detail: '000A' }
  return real
}

/** Is it one of the three words of JSON? */
export const isWord = (text: string, start: number, end: number): boolean =>
  ['true', 'false', 'null'].some((word) => word.length === end - start && text.startsWith(word, start))
