// Reads JSON exactly as JSON.parse judges it (RFC 8259), goes on after a fault where it can, and never recurses.
import { Brackets, CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT } from './brackets.ts'
import { findStructure, isWord, readLoose, readNumber, readText, readWord } from './scanTokens.ts'
import type { JsonFaultCode, RawFault } from './types.ts'

/** What may come next. */
const Expect = { value: 0, firstValue: 1, key: 2, firstKey: 3, colon: 4, comma: 5, end: 6 } as const
type Expect = (typeof Expect)[keyof typeof Expect]

const [NEW_LINE, QUOTE, COMMA, SLASH, COLON] = [10, 34, 44, 47, 58]

/** Is it one that JSONC knows, with its end? */
const isWholeComment = (text: string, offset: number, length: number) =>
  text.startsWith('//', offset) ||
  (text.startsWith('/*', offset) && length > 3 && text.startsWith('*/', offset + length - 2))

/** Takes what is wrong; in JSONC comments and commas before a closing bracket are not. */
const createReport =
  (text: string, faults: RawFault[], jsonc: boolean) =>
  (code: JsonFaultCode, offset: number, length: number, more?: Partial<RawFault>) => {
    const isAllowed =
      code === 'trailing-comma' || (code === 'comment' && isWholeComment(text, offset, length))
    if (!jsonc || !isAllowed) faults.push({ code, offset, length, ...more })
  }

/** Everything that is wrong, up to `most`; `byIndent` lets the indentation say where a bracket is missing. */
export function readFaults(
  text: string,
  { most, jsonc, byIndent }: { most: number; jsonc: boolean; byIndent: boolean },
): RawFault[] {
  const faults: RawFault[] = []
  const end = text.length
  const brackets = new Brackets()
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

  const report = createReport(text, faults, jsonc)
  const isAfterColon = () => expect === Expect.value && text.charCodeAt(lastComma) === COLON
  const skipCharacter = () => {
    const length = text.codePointAt(at)! > 0xffff ? 2 : 1
    report('unexpected-character', at, length, { detail: text.slice(at, at + length) })
    at += length
  }
  const afterText = (isKey: boolean) => {
    expect = isKey ? Expect.colon : brackets.depth === 0 ? Expect.end : Expect.comma
  }
  const afterValue = () => afterText(false)
  /** The innermost bracket was never closed; the place is where the last thing in it ends. */
  const closeForgotten = () => {
    const isEmpty = expect === Expect.firstKey || expect === Expect.firstValue
    const place = isEmpty ? brackets.place() + 1 : expect === Expect.comma ? wordEnd : beforeComma
    const detail = brackets.inObject() ? '}' : ']'
    report('missing-bracket', place, 0, { detail, related: brackets.place() })
    brackets.depth--
    expect = Expect.comma
  }
  const openForgotten = (kind: number, offset: number) => {
    report('missing-bracket', offset, 0, { detail: String.fromCharCode(kind), related: offset })
    brackets.open(kind, offset, indent)
  }

  /** A line that begins no further in than the line of an open bracket is not within it: the bracket was forgotten. */
  const closeByIndent = (code: number) => {
    const isClosing = code === CLOSE_OBJECT || code === CLOSE_ARRAY
    const isMember =
      expect === Expect.comma || expect === Expect.key || (expect === Expect.value && !brackets.inObject())
    if (!isMember && !(isClosing && (expect === Expect.firstKey || expect === Expect.firstValue))) return
    const count = brackets.countOutdented(code, indent)
    for (let left = count; left > 0; left--) closeForgotten()
    if (count > 0 && !isClosing) expect = brackets.inObject() ? Expect.key : Expect.value
  }

  const close = (code: number) => {
    if (brackets.depth === 0) {
      report('unexpected-bracket', at, 1, { detail: text[at]! })
    } else {
      const isAfterComma = expect === Expect.value && text.charCodeAt(lastComma) === COMMA
      if (expect === Expect.key || isAfterComma) report('trailing-comma', lastComma, 1)
      else if (expect === Expect.value) report('missing-value', at, 1)
      else if (expect === Expect.colon) report('missing-colon', at, 1)
      const forgotten = brackets.findPartner(code)
      if (forgotten === undefined && text.charCodeAt(wordEnd - 1) === code) {
        // The same twice: one of them was typed too often.
        report('unexpected-bracket', at, 1, { detail: text[at]! })
      } else {
        // A partner further out means that inner brackets were forgotten; none means a slip of the finger.
        const count = forgotten ?? 0
        if (forgotten !== 0) {
          report('mismatched-bracket', at, 1, { detail: text[at]!, related: brackets.place(), count })
        }
        brackets.depth -= forgotten === undefined ? 1 : forgotten + 1
      }
      afterValue()
    }
    wordEnd = ++at
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
      if (byIndent && brackets.depth > 1 && code !== COMMA) closeByIndent(code)
    }

    if (expect === Expect.comma) {
      if (code === COMMA) {
        beforeComma = wordEnd
        lastComma = at++
        expect = brackets.inObject() ? Expect.key : Expect.value
        continue
      }
      if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        close(code)
        continue
      }
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (code === CLOSE_OBJECT ? expect === Expect.firstKey : expect === Expect.firstValue) {
        brackets.depth--
        wordEnd = ++at
        afterValue()
        continue
      }
      if (code === CLOSE_ARRAY && isAfterColon() && /[}:]/.test(findStructure(text, at + 1) ?? '')) {
        // The value is only the end of an array: its beginning was forgotten.
        openForgotten(OPEN_ARRAY, at)
        expect = Expect.firstValue
        continue
      }
      const isElement = expect === Expect.colon && code === CLOSE_ARRAY && valueStart > brackets.place()
      if (expect !== Expect.end && !isElement) {
        close(code)
        continue
      }
    }

    const comment = code === SLASH || code === 35 ? readLoose(text, at, 'comment') : at
    if (comment > at) {
      report('comment', at, comment - at)
      at = comment
      tokens--
      continue
    }

    if (expect === Expect.end) {
      if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        report('unexpected-bracket', at++, 1, { detail: String.fromCharCode(code) })
        continue
      }
      report('extra-text', at, end - at)
      break
    }

    if (expect === Expect.colon) {
      if (code === COLON) {
        lastComma = at++
        expect = Expect.value
        continue
      }
      if (
        (code === COMMA || code === CLOSE_ARRAY) &&
        valueStart > brackets.place() &&
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
      expect = code === COMMA ? Expect.comma : Expect.value
      continue
    }

    const isBracket = code === OPEN_OBJECT || code === OPEN_ARRAY
    if (
      isBracket &&
      brackets.inObject() &&
      (expect === Expect.comma || expect === Expect.key) &&
      brackets.isIn(OPEN_ARRAY)
    ) {
      // The next element of the list begins: the one before was not closed.
      closeForgotten()
      expect = Expect.value
    }

    if (expect === Expect.comma) {
      if (code === COLON) {
        if (brackets.inObject() || text.charCodeAt(wordEnd - 1) !== QUOTE) {
          report('unexpected-character', at, 1, { detail: ':' })
        } else if (brackets.isIn(OPEN_OBJECT) && lastComma > brackets.place()) {
          // A key in an array: the array should have ended before it.
          expect = Expect.key
          closeForgotten()
        } else openForgotten(OPEN_OBJECT, stringStart)
        lastComma = at++
        expect = Expect.value
        continue
      }
      const next = readLoose(text, at, 'token')
      if (next === at) {
        skipCharacter()
        continue
      }
      // An unclosed string has swallowed its comma: one fault is enough for both.
      if (faults.at(-1)?.code !== 'unclosed-string')
        report('missing-comma', at, next - at, { detail: text.slice(at, Math.min(next, at + 40)) })
      beforeComma = wordEnd
      lastComma = at
      // A bracket cannot be a key: read it as a value instead of a second fault.
      expect = brackets.inObject() && !isBracket ? Expect.key : Expect.value
    }

    const isKey = expect === Expect.key || expect === Expect.firstKey
    if (isAfterColon()) valueStart = at
    if (code === QUOTE) {
      stringStart = at
      wordEnd = at = readText(text, at, { isKey, isMember: brackets.inObject(), faults, report })
      afterText(isKey)
      continue
    }
    if (!isKey) {
      if (isBracket) {
        brackets.open(code, at++, indent)
        expect = code === OPEN_OBJECT ? Expect.firstKey : Expect.firstValue
        continue
      }
      if (code === COMMA) {
        report('missing-value', at, 1, { detail: ',' })
        lastComma = at++
        if (brackets.depth > 0) expect = brackets.inObject() ? Expect.key : Expect.value
        continue
      }
    } else if (code === COMMA || code === COLON) {
      report('missing-key', at, 1, { detail: text[at]! })
      lastComma = at++
      if (code === COLON) expect = Expect.value
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
      afterText(isKey)
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
      afterText(isKey)
      continue
    }
    skipCharacter()
  }

  if (faults.length < most && expect !== Expect.end) {
    if (brackets.depth > 0) {
      const missing = expect === Expect.colon ? 'colon' : isAfterColon() ? 'value' : 'comma'
      report('unexpected-end', end, 0, {
        count: brackets.depth,
        related: brackets.place(),
        detail: expect === Expect.comma ? '' : missing,
      })
    } else if (tokens === 0) report('empty', end, 0)
  }
  return faults.toSorted((a, b) => a.offset - b.offset)
}
