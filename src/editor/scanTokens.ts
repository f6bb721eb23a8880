// The words of JSON for the scanner: strings and numbers as RFC 8259 has them, and what people write instead.
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

/** Gives where a comment, a string in other quotes, or any token ends; `start` when there is none. */
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
