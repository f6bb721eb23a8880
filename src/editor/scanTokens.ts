// Tokens of JSON for the scanner: strings and numbers by RFC 8259, and what people write instead.
import type { JsonFaultCode, RawFault } from './types.ts'

type Report = (code: JsonFaultCode, offset: number, length: number, more?: Partial<RawFault>) => void

const isDigit = (code: number) => code >= 48 && code <= 57
const isHex = (code: number) => isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)

/** The end of a match at `at`; `at` if there is none. */
function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The next position that is not whitespace. */
export const skipSpace = (text: string, start: number): number => matchAt(/\s*/y, text, start)

/** Reads the string that opens at `start` and returns its end. A line ending closes an unclosed one. */
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
    if (code === 92) at = readEscape(text, at, report)
    else if (code === 10 || code === 13) {
      report('unclosed-string', start, at - start)
      return at
    } else {
      if (code < 32)
        report('control-character', at, 1, { detail: code.toString(16).padStart(4, '0').toUpperCase() })
      at++
    }
  }
}

function readEscape(text: string, at: number, report: Report): number {
  const next = text.charCodeAt(at + 1)
  if (next === 117) {
    let end = at + 2
    while (end < at + 6 && isHex(text.charCodeAt(end))) end++
    if (end < at + 6) report('invalid-escape', at, end - at, { detail: text.slice(at, end) })
    return end
  }
  // The backslash ends its line, or the text.
  if (Number.isNaN(next) || next === 10 || next === 13) return at + 1
  if (!'"\\/bfnrt'.includes(text[at + 1]!))
    report('invalid-escape', at, 2, { detail: text.slice(at, at + 2) })
  return at + 2
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_$.+-])/uy
const LITERAL = /(?:true|false|null)(?![\p{L}\p{N}_$.+-])/uy

/** The end of a number, `true`, `false` or `null` at `start`; `start` if there is none. */
export function readLiteral(text: string, start: number): number {
  const code = text.charCodeAt(start)
  const end = matchAt(isDigit(code) || code === 45 ? NUMBER : LITERAL, text, start)
  // A quote or colon right after it belongs to it: the opening quote is missing, or it is a time such as `10:30`.
  return text[end] === '"' || text[end] === ':' ? start : end
}

/** A part of an unquoted text, such as `a@b.c`, `10:30` or `http://x.y/z`. */
const PIECE = String.raw`(?:(?!\/[/*])[^\s{}[\],:"'=;()\\\p{Cc}\u0060\u2018-\u201f\u00ab\u00bb]|(?<=\p{L})'(?=\p{L})|(?<=\d):(?=\d)|(?<=\w):\/\/[^\s,"}\]]*)+`
const RUN = new RegExp(`${PIECE}(?:[ \\t]+(?!#)${PIECE})*`, 'uy')
const FIRST = /[\p{L}\p{N}_$+.-]|[^\s\p{L}\p{N}][\p{L}\p{N}]|([<>])\1{6}/uy
/** Up to a near quote on the same line that closes something: its opening quote is missing. */
const UP_TO_QUOTE = /[^,:{}[\]"\s][^,:{}[\]"\n]{0,1000}"(?=\s*(?:[,:}\]]|$))/y

/** The end of unquoted words that form one text on one line; `start` if there are none. */
export function readBare(text: string, start: number): number {
  const closed = matchAt(UP_TO_QUOTE, text, start)
  return closed > start || matchAt(FIRST, text, start) === start ? closed : matchAt(RUN, text, start)
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

/** The end of a string in other quotes; `start` if there is none. */
export function readQuoted(text: string, start: number): number {
  const closing = CLOSING_QUOTE[text[start]!]
  if (closing === undefined) return start
  let at = start + 1
  for (; at < text.length && !'\n\r'.includes(text[at]!); at++) {
    if (text[at] === '\\') at++
    else if (closing.includes(text[at]!)) return at + 1
  }
  return Math.min(at, text.length)
}

/** The end of a comment; `start` if there is none. */
export function readComment(text: string, start: number): number {
  if (!text.startsWith('/*', start)) return matchAt(/(?:#|\/\/)[^\n\r]*/y, text, start)
  const close = text.indexOf('*/', start + 2)
  return close < 0 ? text.length : close + 2
}

/** Can the text from `at` follow a complete string? */
const endsThere = (text: string, at: number) => /^\s*(?:[,:}\]]|$)/.test(text.slice(at, at + 100))

/**
 * A word follows the quote at `close - 1`, which seems to end the string at `start`. Either that quote opens the next string
 * (`isOpen`; `end` is where this string should have ended), or it belongs to the string (`end` is its real end).
 */
function findInnerQuote(text: string, start: number, close: number, isKey: boolean) {
  const next = text[close]
  // Follows nearly every string.
  if (next === ',' || next === ':' || next === '}' || next === '\n') return undefined
  // A quote typed twice.
  if (next === '"') return endsThere(text, close + 1) ? { end: close + 1, isOpen: false } : undefined
  if (!/[^\s,:{}[\]"]/.test(next ?? ' ')) return undefined
  const inside = text.slice(start + 1, close - 1)
  const separator = isKey ? inside.indexOf(':') : (/,\s*$/.exec(inside)?.index ?? -1)
  if (separator >= 0) return { end: start + 1 + separator, isOpen: true }
  // A stray word.
  if (endsThere(text, readBare(text, close))) return undefined
  const line = /[^\n]*/y
  line.lastIndex = close
  const { index = -1 } = /(?<!\\)"(?=\s*(?:[,:}\]]|$))/.exec(line.exec(text)![0]) ?? {}
  return index < 0 ? undefined : { end: close + index + 1, isOpen: false }
}

/** The end of a string that a line break at `lineEnd` splits; `lineEnd` if it was more likely never closed. */
function continueString(text: string, lineEnd: number): number {
  const next = text[skipSpace(text, lineEnd)]
  if (next === undefined || '"{}[],:'.includes(next)) return lineEnd
  const quote = text.indexOf('"', lineEnd)
  return quote >= 0 && endsThere(text, quote + 1) ? quote + 1 : lineEnd
}

/** Reads a string, even with wrong quotes, and returns its end. */
export function readText(
  text: string,
  at: number,
  isKey: boolean,
  faults: RawFault[],
  report: Report,
): number {
  const before = faults.length
  const end = readString(text, at, report)
  if (faults.length === before || faults.at(-1)!.code !== 'unclosed-string') {
    const quote = findInnerQuote(text, at, end, isKey)
    if (!quote) return end
    if (quote.isOpen) {
      faults.length = before
      report('unclosed-string', at, quote.end - at)
    } else report('unescaped-quote', end - 1, 1)
    return quote.end
  }
  const colon = isKey ? text.slice(at, end).indexOf(':') : -1
  if (colon >= 0) {
    faults.length = before
    report('unclosed-string', at, colon)
    return at + colon
  }
  const real = continueString(text, end)
  if (real > end)
    faults[faults.length - 1] = { code: 'control-character', offset: end, length: 1, detail: '000A' }
  return real
}
