// Reads JSON exactly as JSON.parse judges it (RFC 8259), goes on after a fault where it can, and never recurses.
import { MOST_FAULTS } from './constants.ts'
import { readLoose, readNumber, readString, readWord } from './scanTokens.ts'
import type { JsonFaultCode, RawFault } from './types.ts'

/** What may come next. */
const Expect = { value: 0, firstValue: 1, key: 2, firstKey: 3, colon: 4, comma: 5, end: 6 } as const
type Expect = (typeof Expect)[keyof typeof Expect]

const BRACES = '{}'
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
const OPEN_ARRAY = 91
const CLOSE_ARRAY = 93
const QUOTE = 34
const COMMA = 44
const COLON = 58
const SLASH = 47

/** How far a closing bracket looks up the stack for its partner before it counts as a slip. */
const MISMATCH_REACH = 16

/** Collects what is wrong with `text`; an empty answer means that JSON.parse takes it. */
export function scan(text: string, most: number = MOST_FAULTS): RawFault[] {
  const faults: RawFault[] = []
  const end = text.length
  let opened = new Int32Array(256)
  let depth = 0
  let at = 0
  let expect = Expect.value as Expect
  let lastComma = 0
  let tokens = 0

  const report = (code: JsonFaultCode, offset: number, length: number, more?: Partial<RawFault>) => {
    faults.push({ code, offset, length, ...more })
  }
  const inObject = () => text.charCodeAt(opened[depth - 1]!) === OPEN_OBJECT
  const afterValue = () => {
    expect = depth === 0 ? Expect.end : Expect.comma
  }

  const close = (code: number) => {
    const partner = code === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_ARRAY
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
      if (text.charCodeAt(opened[depth - 1]!) !== partner) {
        let found = depth - 2
        const reach = Math.max(0, depth - MISMATCH_REACH)
        while (found >= reach && text.charCodeAt(opened[found]!) !== partner) found--
        // A partner further out means that inner brackets were forgotten; none means a slip of the finger.
        const forgotten = found >= reach ? depth - 1 - found : 0
        report('mismatched-bracket', at, 1, {
          detail: text[at]!,
          related: opened[depth - 1]!,
          count: forgotten,
        })
        depth = found >= reach ? found : depth - 1
      } else {
        depth--
      }
      afterValue()
    }
    at++
  }

  if (end > 0 && text.charCodeAt(0) === 0xfeff) {
    report('byte-order-mark', 0, 1)
    at = 1
  }

  while (faults.length < most) {
    let code = 0
    while (at < end && ((code = text.charCodeAt(at)) === 32 || code === 10 || code === 13 || code === 9)) at++
    if (at >= end) break
    tokens++

    if (expect === Expect.comma) {
      if (code === COMMA) {
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
        at++
        afterValue()
        continue
      }
      if (expect !== Expect.end) {
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
      report('missing-colon', at, 1, { detail: text[at]! })
      if (code === 61) at++
      lastComma = at
      if (code === COMMA) expect = Expect.comma
      else expect = Expect.value
      continue
    }

    if (expect === Expect.comma) {
      if (code === COLON) {
        report('unexpected-character', at, 1, { detail: ':' })
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
        lastComma = at
        expect = inObject() ? Expect.key : Expect.value
        // A bracket cannot be a key: read it as a value instead of a second fault.
        if (expect === Expect.key && (code === OPEN_OBJECT || code === OPEN_ARRAY)) expect = Expect.value
      } else {
        const length = text.codePointAt(at)! > 0xffff ? 2 : 1
        report('unexpected-character', at, length, { detail: text.slice(at, at + length) })
        at += length
        continue
      }
    }

    const isKey = expect === Expect.key || expect === Expect.firstKey
    if (code === QUOTE) {
      at = readString(text, at, report)
      if (isKey) expect = Expect.colon
      else afterValue()
      continue
    }
    if (!isKey) {
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        if (depth === opened.length) {
          const wider = new Int32Array(depth * 2)
          wider.set(opened)
          opened = wider
        }
        opened[depth++] = at++
        expect = code === OPEN_OBJECT ? Expect.firstKey : Expect.firstValue
        continue
      }
      if (code === 45 || (code >= 48 && code <= 57)) {
        at = readNumber(text, at, report)
        afterValue()
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
    } else if (BRACES.includes(text[at]!) || code === OPEN_ARRAY) {
      report('missing-key', at, 1, { detail: text[at]! })
      expect = Expect.value
      continue
    }

    const quoted = readLoose(text, at, 'quoted')
    if (quoted > at) {
      report('wrong-quotes', at, quoted - at, { detail: text[at]! })
      at = quoted
      if (isKey) expect = Expect.colon
      else afterValue()
      continue
    }
    const word = readWord(text, at)
    if (word > at) {
      const name = text.slice(at, Math.min(word, at + 40))
      if (isKey) {
        report('unquoted-key', at, word - at, { detail: name })
        expect = Expect.colon
      } else {
        if (code === 43 || code === 46) report('invalid-number', at, word - at, { detail: name })
        else if (word - at > 5 || (name !== 'true' && name !== 'false' && name !== 'null')) {
          report('invalid-word', at, word - at, { detail: name })
        }
        afterValue()
      }
      at = word
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
  return faults
}
