// Reads JSON exactly as JSON.parse judges it (RFC 8259), goes on after a fault where it can, and never recurses.
import { MOST_FAULTS } from './constants.ts'
import {
  continueString,
  findInnerQuote,
  findStructure,
  readLoose,
  readNumber,
  readString,
  readWord,
} from './scanTokens.ts'
import type { JsonFaultCode, RawFault } from './types.ts'

/** What may come next. */
const Expect = { value: 0, firstValue: 1, key: 2, firstKey: 3, colon: 4, comma: 5, end: 6 } as const
type Expect = (typeof Expect)[keyof typeof Expect]

const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
const OPEN_ARRAY = 91
const CLOSE_ARRAY = 93
const QUOTE = 34
const COMMA = 44
const COLON = 58
const SLASH = 47
const NEW_LINE = 10

/** How far a closing bracket looks up the stack for its partner before it counts as a slip. */
const MISMATCH_REACH = 16

const isWord = (text: string, start: number, end: number) =>
  ['true', 'false', 'null'].some((word) => word.length === end - start && text.startsWith(word, start))

/** Faults that a bracket may be behind which is missing far above. */
const BRACKET_FAULTS = new Set<JsonFaultCode>([
  'extra-text',
  'mismatched-bracket',
  'missing-bracket',
  'missing-key',
  'unexpected-bracket',
  'unexpected-end',
])

/** Collects what is wrong with `text`; an empty list means that JSON.parse takes it. */
export function scan(text: string, most: number = MOST_FAULTS): RawFault[] {
  const faults = read(text, most, false)
  if (most === 1 || !faults.some(({ code }) => BRACKET_FAULTS.has(code))) return faults
  // Where brackets do not tell which one is missing, the indentation may: the reading with fewer faults is nearer to it.
  const byIndent = read(text, most, true)
  return byIndent.length > 0 && byIndent.length <= faults.length ? byIndent : faults
}

function read(text: string, most: number, byIndent: boolean): RawFault[] {
  const faults: RawFault[] = []
  const end = text.length
  /** Of each open bracket: its place, which one it is, and how far its line is indented. */
  let opened = new Int32Array(256)
  let kinds = new Int32Array(256)
  let indents = new Int32Array(256)
  let depth = 0
  let indent = 0
  let at = 0
  let expect = Expect.value as Expect
  let lastComma = 0
  /** Where the last word that was no comma ends, and where that was when the last comma came. */
  let wordEnd = 0
  let beforeComma = 0
  let stringStart = 0
  let valueStart = 0
  let tokens = 0

  const report = (code: JsonFaultCode, offset: number, length: number, more?: Partial<RawFault>) => {
    faults.push({ code, offset, length, ...more })
  }
  const inObject = () => kinds[depth - 1] === OPEN_OBJECT
  const isIn = (kind: number) => depth > 1 && kinds[depth - 2] === kind
  const afterValue = () => {
    expect = depth === 0 ? Expect.end : Expect.comma
  }
  const open = (kind: number, offset: number) => {
    if (depth === opened.length) {
      const widen = (from: Int32Array) => {
        const wider = new Int32Array(depth * 2)
        wider.set(from)
        return wider
      }
      opened = widen(opened)
      kinds = widen(kinds)
      indents = widen(indents)
    }
    opened[depth] = offset
    kinds[depth] = kind
    indents[depth++] = indent
  }

  /** The innermost bracket was never closed; the place is where the last thing in it ends. */
  const closeForgotten = () => {
    const isEmpty = expect === Expect.firstKey || expect === Expect.firstValue
    const place = isEmpty ? opened[depth - 1]! + 1 : expect === Expect.comma ? wordEnd : beforeComma
    report('missing-bracket', place, 0, { detail: inObject() ? '}' : ']', related: opened[--depth]! })
  }
  const openForgotten = (kind: number, offset: number) => {
    report('missing-bracket', offset, 0, { detail: String.fromCharCode(kind), related: offset })
    open(kind, offset)
  }

  /** A line that begins no further in than the line of an open bracket is not within it: the bracket was forgotten. */
  const closeByIndent = (code: number) => {
    const isClosing = code === CLOSE_OBJECT || code === CLOSE_ARRAY
    const isMember =
      expect === Expect.comma || expect === Expect.key || (expect === Expect.value && !inObject())
    if (!isMember && !(isClosing && (expect === Expect.firstKey || expect === Expect.firstValue))) return
    if (isClosing ? indents[depth - 1]! <= indent : indents[depth - 1]! < indent) return
    let level = depth - 2
    while (level >= 0 && (isClosing ? indents[level] !== indent : indents[level]! >= indent)) level--
    if (level < 0 || (isClosing && kinds[level] !== code - 2)) return
    for (let count = depth - 1 - level; count > 0; count--) {
      closeForgotten()
      expect = Expect.comma
    }
    if (!isClosing) expect = inObject() ? Expect.key : Expect.value
  }

  const close = (code: number) => {
    const partner = code - 2
    if (depth === 0) {
      report('unexpected-bracket', at, 1, { detail: text[at]! })
    } else {
      if (expect === Expect.key || (expect === Expect.value && text.charCodeAt(lastComma) === COMMA)) {
        report('trailing-comma', lastComma, 1)
      } else if (expect === Expect.value) {
        report('missing-value', at, 1)
      } else if (expect === Expect.colon) {
        report('missing-colon', at, 1)
      }
      if (kinds[depth - 1] === partner) depth--
      else {
        let found = depth - 2
        const reach = Math.max(0, depth - MISMATCH_REACH)
        while (found >= reach && kinds[found] !== partner) found--
        if (found < reach && text.charCodeAt(wordEnd - 1) === code) {
          // The same twice: one of them was typed too often.
          report('unexpected-bracket', at, 1, { detail: text[at]! })
        } else {
          // A partner further out means that inner brackets were forgotten; none means a slip of the finger.
          const forgotten = found >= reach ? depth - 1 - found : 0
          report('mismatched-bracket', at, 1, {
            detail: text[at]!,
            related: opened[depth - 1]!,
            count: forgotten,
          })
          depth = found >= reach ? found : depth - 1
        }
      }
      afterValue()
    }
    wordEnd = ++at
  }

  /** Reads a string, also one whose quotes are wrong; gives where it ends. */
  const readText = (isKey: boolean) => {
    const before = faults.length
    const closing = readString(text, at, report)
    const next = text.charCodeAt(closing)
    if (next === COMMA || next === COLON || next === CLOSE_OBJECT || next === CLOSE_ARRAY) return closing
    if (closing < end && next !== NEW_LINE) {
      const place = findInnerQuote(text, at, { close: closing, isKey, isMember: inObject() })
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

  if (end > 0 && text.charCodeAt(0) === 0xfeff) {
    report('byte-order-mark', 0, 1)
    at = 1
  }

  while (faults.length < most) {
    let code = 0
    let lineStart = -1
    while (
      at < end &&
      ((code = text.charCodeAt(at)) === 32 || code === NEW_LINE || code === 13 || code === 9)
    ) {
      at++
      if (code === NEW_LINE) lineStart = at
    }
    if (at >= end) break
    tokens++
    if (lineStart >= 0) {
      indent = at - lineStart
      if (byIndent && depth > 1 && code !== COMMA) closeByIndent(code)
    }

    if (expect === Expect.comma) {
      if (code === COMMA) {
        beforeComma = wordEnd
        lastComma = at++
        expect = inObject() ? Expect.key : Expect.value
        continue
      }
      if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        close(code)
        continue
      }
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (code === CLOSE_OBJECT ? expect === Expect.firstKey : expect === Expect.firstValue) {
        depth--
        wordEnd = ++at
        afterValue()
        continue
      }
      const isElement = expect === Expect.colon && code === CLOSE_ARRAY && valueStart > opened[depth - 1]!
      if (expect !== Expect.end && !isElement) {
        close(code)
        continue
      }
    }

    if (code === SLASH || code === 35) {
      const comment = readLoose(text, at, 'comment')
      if (comment > at) {
        report('comment', at, comment - at)
        at = comment
        tokens--
        continue
      }
    }

    if (expect === Expect.end) {
      const bracket = code === CLOSE_OBJECT || code === CLOSE_ARRAY
      if (bracket) report('unexpected-bracket', at, 1, { detail: text[at]! })
      else report('extra-text', at, end - at)
      if (!bracket) break
      at++
      continue
    }

    if (expect === Expect.colon) {
      if (code === COLON) {
        lastComma = at++
        expect = Expect.value
        continue
      }
      if (
        (code === COMMA || code === CLOSE_ARRAY) &&
        valueStart > opened[depth - 1]! &&
        findStructure(text, at) === ']'
      ) {
        // Texts one after the other and then the end of an array: its beginning was forgotten.
        openForgotten(OPEN_ARRAY, valueStart)
        expect = Expect.comma
        continue
      }
      report('missing-colon', at, 1, { detail: text[at]! })
      if (code === 61) at++
      lastComma = at
      if (code === COMMA) expect = Expect.comma
      else expect = Expect.value
      continue
    }

    const isBracket = code === OPEN_OBJECT || code === OPEN_ARRAY
    if (isBracket && inObject() && (expect === Expect.comma || expect === Expect.key) && isIn(OPEN_ARRAY)) {
      // The next element of the list begins: the one before was not closed.
      closeForgotten()
      expect = Expect.value
    }

    if (expect === Expect.comma) {
      if (code === COLON) {
        if (inObject() || text.charCodeAt(wordEnd - 1) !== QUOTE) {
          report('unexpected-character', at, 1, { detail: ':' })
        } else if (isIn(OPEN_OBJECT) && lastComma > opened[depth - 1]!) {
          // A key in an array: the array should have ended before it.
          expect = Expect.key
          closeForgotten()
        } else openForgotten(OPEN_OBJECT, stringStart)
        lastComma = at++
        expect = Expect.value
        continue
      }
      const next = readLoose(text, at, 'token')
      if (next > at) {
        // An unclosed string has swallowed its comma: one fault is enough for both.
        if (faults.at(-1)?.code !== 'unclosed-string') {
          report('missing-comma', at, next - at, { detail: text.slice(at, Math.min(next, at + 40)) })
        }
        beforeComma = wordEnd
        lastComma = at
        // A bracket cannot be a key: read it as a value instead of a second fault.
        expect = inObject() && !isBracket ? Expect.key : Expect.value
      } else {
        const length = text.codePointAt(at)! > 0xffff ? 2 : 1
        report('unexpected-character', at, length, { detail: text.slice(at, at + length) })
        at += length
        continue
      }
    }

    const isKey = expect === Expect.key || expect === Expect.firstKey
    if (!isKey && text.charCodeAt(lastComma) === COLON) valueStart = at
    if (code === QUOTE) {
      stringStart = at
      wordEnd = at = readText(isKey)
      if (isKey) expect = Expect.colon
      else afterValue()
      continue
    }
    if (!isKey) {
      if (isBracket) {
        open(code, at++)
        expect = code === OPEN_OBJECT ? Expect.firstKey : Expect.firstValue
        continue
      }
      if (code === COMMA) {
        report('missing-value', at, 1, { detail: ',' })
        lastComma = at++
        if (depth > 0) expect = inObject() ? Expect.key : Expect.value
        continue
      }
    } else if (code === COMMA) {
      report('missing-key', at, 1, { detail: ',' })
      lastComma = at++
      continue
    } else if (code === COLON) {
      report('missing-key', at, 1, { detail: ':' })
      lastComma = at++
      expect = Expect.value
      continue
    } else if (isBracket || code === CLOSE_OBJECT) {
      report('missing-key', at, 1, { detail: text[at]! })
      expect = Expect.value
      continue
    }

    const quoted = readLoose(text, at, 'quoted')
    if (quoted > at) {
      report('wrong-quotes', at, quoted - at, { detail: text[at]! })
      wordEnd = at = quoted
      if (isKey) expect = Expect.colon
      else afterValue()
      continue
    }
    const isNumber = code === 45 || (code >= 48 && code <= 57)
    if (isKey && isNumber && findStructure(text, at) === ']') {
      openForgotten(OPEN_ARRAY, valueStart)
      expect = Expect.value
      continue
    }
    const before = faults.length
    const word = isNumber && !isKey ? readNumber(text, at, report) : readWord(text, at)
    if (word > at) {
      const isRight = !isKey && faults.length === before && (isNumber || isWord(text, at, word))
      wordEnd = word
      if (!isRight || text.charCodeAt(word) === QUOTE) {
        // Where only the quote behind it stands, the one before it is missing.
        wordEnd = Math.max(word, readLoose(text, at, 'closed'))
        faults.length = before
        const wrong = isNumber || code === 43 || code === 46 ? 'invalid-number' : 'invalid-word'
        const what = isKey ? 'unquoted-key' : wordEnd > word ? 'invalid-word' : wrong
        if (!isRight || wordEnd > word) {
          report(what, at, wordEnd - at, { detail: text.slice(at, Math.min(word, at + 40)) })
        }
      }
      at = wordEnd
      if (isKey) expect = Expect.colon
      else afterValue()
      continue
    }
    const length = text.codePointAt(at)! > 0xffff ? 2 : 1
    report('unexpected-character', at, length, { detail: text.slice(at, at + length) })
    at += length
  }

  if (faults.length < most && expect !== Expect.end) {
    if (depth > 0) {
      const missing =
        expect === Expect.colon ? 'colon' : text.charCodeAt(lastComma) === COLON ? 'value' : 'comma'
      report('unexpected-end', end, 0, {
        count: depth,
        related: opened[depth - 1]!,
        detail: expect === Expect.comma ? '' : missing,
      })
    } else if (tokens === 0) report('empty', end, 0)
  }
  return faults.toSorted((a, b) => a.offset - b.offset)
}
