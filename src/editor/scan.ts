// What is wrong with a text that should be JSON: read exactly as JSON.parse judges it (RFC 8259), on and on after each fault, without recursion.
import { CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT } from './brackets.ts'
import { MOST_FAULTS } from './limits.ts'
import { Expect, Reading } from './reading.ts'
import { findStructure, isWord, readLoose, readNumber, readText, readWord } from './scanTokens.ts'
import {
  isBeforeKey,
  isBeforeValue,
  judgeKey,
  readRun,
  readStray,
  readToQuote,
  skipSpace,
} from './strayWords.ts'
import type { JsonFaultCode, RawFault } from './types.ts'

const [NEW_LINE, QUOTE, HASH, COMMA, SLASH, COLON, EQUALS] = [10, 34, 35, 44, 47, 58, 61]
const isClosing = (code: number) => code === CLOSE_OBJECT || code === CLOSE_ARRAY
const isOpening = (code: number) => code === OPEN_OBJECT || code === OPEN_ARRAY
/** So many brackets can be closed by one fix. */
const MOST_CLOSED = 1_000
const isDigit = (code: number) => code >= 48 && code <= 57

class FaultReader extends Reading {
  read(most: number): RawFault[] {
    const text = this.text
    if (text.charCodeAt(0) === 0xfeff) {
      this.report('byte-order-mark', 0, 1)
      this.at = 1
    }
    while (this.faults.length < most) {
      const code = this.#findNext()
      if (this.at >= text.length) break
      this.tokens++
      this.#take(code)
    }
    if (this.faults.length < most) this.#end()
    return this.faults.toSorted((a, b) => a.offset - b.offset)
  }

  /** The next character that is no space; a new line may say that a bracket was forgotten. */
  #findNext(): number {
    const text = this.text
    let code = 0
    let at = this.at
    let lineStart = -1
    while (
      at < text.length &&
      ((code = text.charCodeAt(at)) === 32 || code === NEW_LINE || code === 13 || code === 9)
    ) {
      at++
      if (code === NEW_LINE) lineStart = at
    }
    this.at = at
    if (lineStart >= 0 && at < text.length) {
      this.indent = at - lineStart
      if (this.byIndent && this.brackets.depth > 1 && code !== COMMA) this.#closeByIndent(code)
    }
    return code
  }

  #take(code: number): void {
    if (code === COMMA && this.expect === Expect.comma) return this.#takeComma()
    if (isClosing(code) && this.#takeClosing(code)) return undefined
    if ((code === SLASH || code === HASH) && this.#takeComment()) return undefined
    if (code >= 60 && code <= 62 && this.#takeConflict()) return undefined
    if (this.expect === Expect.end) return this.#takeExtra(code)
    if (this.expect === Expect.colon) return this.#takeColon(code)
    if (isOpening(code) && this.#isInForgotten()) {
      // The next element of the list begins: the one before was not closed.
      this.closeForgotten()
      this.expect = Expect.value
    }
    if (this.expect === Expect.comma && !this.#missComma(code)) return undefined
    const isKey = this.expect === Expect.key || this.expect === Expect.firstKey
    if (this.isAfterColon()) this.valueStart = this.at
    if (code === QUOTE) return this.#takeText(isKey)
    if (isKey ? this.#missKey(code) : this.#takeSign(code)) return undefined
    return this.#takeBare(code, isKey)
  }

  /** The text is over; is it whole? */
  #end(): void {
    const { depth } = this.brackets
    const end = this.text.length
    if (this.expect === Expect.end) return
    if (depth > 0) {
      const missing = this.expect === Expect.colon ? 'colon' : this.isAfterColon() ? 'value' : 'comma'
      this.report('unexpected-end', end, 0, {
        count: depth,
        related: this.brackets.place(),
        detail: this.expect === Expect.comma ? '' : missing,
        ...(depth <= MOST_CLOSED && { expected: this.brackets.closings() }),
      })
    } else if (this.tokens === 0) this.report('empty', end, 0)
  }

  #takeComma(): void {
    this.beforeComma = this.wordEnd
    this.lastComma = this.at++
    this.expectMember()
  }

  #takeComment(): boolean {
    const end = readLoose(this.text, this.at, 'comment')
    if (end === this.at) return false
    this.report('comment', this.at, end - this.at)
    this.at = end
    this.tokens--
    return true
  }

  /** A line that marks a conflict of two versions is one thing. */
  #takeConflict(): boolean {
    const text = this.text
    const isMark = text.startsWith(text[this.at]!.repeat(7), this.at)
    if (!isMark || (this.at > 0 && text[this.at - 1] !== '\n')) return false
    const lineEnd = text.indexOf('\n', this.at)
    this.skipStray(lineEnd < 0 ? text.length : lineEnd)
    return true
  }

  #takeExtra(code: number): void {
    if (isClosing(code)) {
      this.say('unexpected-bracket', this.at + 1)
      this.at++
      return
    }
    this.report('extra-text', this.at, this.text.length - this.at)
    this.at = this.text.length
  }

  /** Does an object that should be over by now stand in a list? */
  #isInForgotten(): boolean {
    return (
      (this.expect === Expect.comma || this.expect === Expect.key) &&
      this.brackets.inObject() &&
      this.brackets.isIn(OPEN_ARRAY)
    )
  }

  /** A line that begins no further in than the line of an open bracket is not within it: the bracket was forgotten. */
  #closeByIndent(code: number): void {
    const expect = this.expect
    const isMember =
      expect === Expect.comma ||
      expect === Expect.key ||
      (expect === Expect.value && !this.brackets.inObject())
    const isEmpty = expect === Expect.firstKey || expect === Expect.firstValue
    if (!isMember && !(isClosing(code) && isEmpty)) return
    const count = this.brackets.countOutdented(code, this.indent)
    for (let left = count; left > 0; left--) this.closeForgotten()
    if (count > 0 && !isClosing(code)) this.expectMember()
  }

  /** Takes a closing bracket, unless it shows that an array was never opened. */
  #takeClosing(code: number): boolean {
    const expect = this.expect
    if (expect === (code === CLOSE_OBJECT ? Expect.firstKey : Expect.firstValue)) {
      this.brackets.depth--
      this.takeUpTo(this.at + 1, false)
      return true
    }
    if (code === CLOSE_ARRAY && this.isAfterColon()) {
      if (/[}:]/.test(findStructure(this.text, this.at + 1) ?? '')) {
        // The value is only the end of an array: its beginning was forgotten.
        this.openForgotten(OPEN_ARRAY, this.at)
        this.expect = Expect.firstValue
        return true
      }
    }
    const isElement =
      expect === Expect.colon && code === CLOSE_ARRAY && this.valueStart > this.brackets.place()
    if (expect === Expect.end || isElement) return false
    this.#close(code)
    return true
  }

  #close(code: number): void {
    const at = this.at
    const { depth } = this.brackets
    if (depth === 0) {
      this.say('unexpected-bracket', at + 1)
      this.wordEnd = this.at = at + 1
      return
    }
    const expect = this.expect
    const isAfterComma = expect === Expect.value && this.text.charCodeAt(this.lastComma) === COMMA
    if (expect === Expect.key || isAfterComma) this.report('trailing-comma', this.lastComma, 1)
    else if (expect === Expect.value) this.report('missing-value', at, 1)
    else if (expect === Expect.colon) this.report('missing-colon', at, 1)
    const forgotten = this.brackets.findPartner(code)
    if (forgotten === undefined && this.text.charCodeAt(this.wordEnd - 1) === code) {
      // The same twice: one of them was typed too often.
      this.say('unexpected-bracket', at + 1)
    } else {
      // A partner further out means that inner brackets were forgotten; none means a slip of the finger.
      const count = forgotten ?? 0
      if (forgotten !== 0) {
        const related = this.brackets.place()
        this.report('mismatched-bracket', at, 1, { detail: this.text[at]!, related, count })
      }
      this.brackets.depth -= count + 1
    }
    this.takeUpTo(at + 1, false)
  }

  /** Behind a key. */
  #takeColon(code: number): void {
    const [text, at] = [this.text, this.at]
    if (code === COLON) {
      this.lastComma = this.at++
      this.expect = Expect.value
      return
    }
    if (
      (code === COMMA || code === CLOSE_ARRAY) &&
      this.valueStart > this.brackets.place() &&
      findStructure(text, at) === ']'
    ) {
      // Texts one after the other and then the end of an array: its beginning was forgotten.
      this.openForgotten(OPEN_ARRAY, this.valueStart)
      this.expect = Expect.comma
      return
    }
    if (code === QUOTE && isBeforeKey(text, at)) {
      // The key is behind it: what seemed to be one belongs to nothing.
      this.at = this.stringStart
      this.skipStray(this.wordEnd)
      this.expect = Expect.key
      return
    }
    const run = readRun(text, at)
    if (text.charCodeAt(skipSpace(text, Math.max(run, at + 1))) === COLON)
      return run > at ? this.skipStray(run) : this.skipCharacter()
    this.report('missing-colon', at, 1, { detail: text[at]! })
    if (code === EQUALS) this.at++
    this.lastComma = this.at
    this.expect = code === COMMA ? Expect.comma : Expect.value
  }

  /** Something else stands where a comma should; true when it is the next member. */
  #missComma(code: number): boolean {
    const [text, at] = [this.text, this.at]
    const isMember = this.brackets.inObject()
    if (code === COLON) {
      if (isMember || text.charCodeAt(this.wordEnd - 1) !== QUOTE) {
        this.say('unexpected-character', at + 1)
      } else if (this.brackets.isIn(OPEN_OBJECT) && this.lastComma > this.brackets.place()) {
        // A key in an array: the array should have ended before it.
        this.expect = Expect.key
        this.closeForgotten()
      } else this.openForgotten(OPEN_OBJECT, this.stringStart)
      this.lastComma = this.at++
      this.expect = Expect.value
      return false
    }
    const isSwallowed = this.faults.at(-1)?.code === 'unclosed-string'
    const stray = isSwallowed ? at : readStray(text, at, isMember)
    if (stray > at) {
      this.skipStray(stray)
      return false
    }
    const next = readLoose(text, at, 'token')
    if (next === at) {
      this.skipCharacter()
      return false
    }
    // An unclosed string has swallowed its comma: one fault is enough for both.
    if (!isSwallowed) this.say('missing-comma', next)
    this.beforeComma = this.wordEnd
    this.lastComma = at
    // A bracket cannot be a key: read it as a value instead of a second fault.
    this.expect = isMember && !isOpening(code) ? Expect.key : Expect.value
    return true
  }

  #takeText(isKey: boolean): void {
    this.stringStart = this.at
    const isMember = this.brackets.inObject()
    const { faults, report } = this
    this.takeUpTo(readText(this.text, this.at, { isKey, isMember, faults, report }), isKey)
  }

  /** Takes a bracket that opens or a comma that has no value before it, in place of a value. */
  #takeSign(code: number): boolean {
    if (isOpening(code)) {
      this.brackets.open(code, this.at++, this.indent)
      this.expect = code === OPEN_OBJECT ? Expect.firstKey : Expect.firstValue
      return true
    }
    if (code !== COMMA) return false
    this.say('missing-value', this.at + 1)
    this.lastComma = this.at++
    if (this.brackets.depth > 0) this.expectMember()
    return true
  }

  /** Takes a sign that has no key before it. */
  #missKey(code: number): boolean {
    const isSign = code === COMMA || code === COLON
    if (!isSign && !isOpening(code) && code !== CLOSE_OBJECT) return false
    this.say('missing-key', this.at + 1)
    if (isSign) this.lastComma = this.at++
    if (code !== COMMA) this.expect = Expect.value
    return true
  }

  /** Takes a number, a word or what stands in other quotes as a key or a value. */
  #takeBare(code: number, isKey: boolean): void {
    const [text, at] = [this.text, this.at]
    const quoted = readLoose(text, at, 'quoted')
    if (quoted > at) {
      this.report('wrong-quotes', at, quoted - at, { detail: text[at]! })
      return this.takeUpTo(quoted, isKey)
    }
    const isNumber = code === 45 || isDigit(code)
    if (isKey && isNumber && findStructure(text, at) === ']') {
      this.openForgotten(OPEN_ARRAY, this.valueStart)
      this.expect = Expect.value
      return undefined
    }
    const before = this.faults.length
    const word = isNumber && !isKey ? readNumber(text, at, this.report) : readWord(text, at)
    const isRight = !isKey && this.faults.length === before && (isNumber ? word > at : isWord(text, at, word))
    const next = text.charCodeAt(word)
    if (isRight && next !== QUOTE && next !== COLON) return this.takeUpTo(word, isKey)
    this.faults.length = before
    // Where only the quote behind it stands, the one before it is missing.
    const closed = word > at ? readToQuote(text, at) : at
    if (closed > word) {
      this.say(isKey ? 'unquoted-key' : 'invalid-word', closed)
      return this.takeUpTo(closed, isKey)
    }
    const isNumberLike = isNumber || code === 43 || code === 46
    const run = readRun(text, at, isNumberLike && !isKey)
    if (run <= word && isRight) return this.takeUpTo(word, isKey)
    if (Math.max(run, word) === at) return this.skipCharacter()
    if (isNumberLike && !isKey && run <= word) {
      this.say('invalid-number', word)
      return this.takeUpTo(word, isKey)
    }
    return isKey ? this.#takeBareKey(Math.max(word, at + 1), run) : this.#takeBareValue(Math.max(word, run))
  }

  /** Takes words without quotes: the key, or what stands before it. */
  #takeBareKey(word: number, run: number): void {
    const { end, isStray, isAll } = judgeKey(this.text, word, run)
    this.say(isStray ? 'unexpected-word' : 'unquoted-key', end)
    this.wordEnd = this.at = end
    if (!isStray || isAll) this.expect = isStray ? Expect.comma : Expect.colon
  }

  /** Takes words without quotes: the value, or what stands before it. */
  #takeBareValue(run: number): void {
    if (isBeforeValue(this.text, run, this.brackets.inObject())) return this.skipStray(run)
    this.say('invalid-word', run)
    return this.takeUpTo(run, false)
  }
}

/** Faults that a bracket may be behind which is missing far above. */
const BRACKET_FAULTS = new Set<JsonFaultCode>([
  'extra-text',
  'mismatched-bracket',
  'missing-bracket',
  'missing-key',
  'unexpected-bracket',
  'unexpected-end',
])

/**
 * Collects what is wrong with `text`; an empty list means that JSON.parse takes it. With `jsonc` comments and commas before a
 * closing bracket are not wrong.
 */
export function scan(
  text: string,
  { most = MOST_FAULTS, jsonc = false }: { most?: number; jsonc?: boolean } = {},
): RawFault[] {
  const read = (byIndent: boolean) => new FaultReader(text, { jsonc, byIndent }).read(most)
  const faults = read(false)
  // What stands before the extra text is whole: a bracket more by its indentation would be one too many at its end.
  if (faults.length === 1 && faults[0]!.code === 'extra-text') return faults
  if (most === 1 || !faults.some(({ code }) => BRACKET_FAULTS.has(code))) return faults
  // Where brackets do not tell which one is missing, the indentation may: the reading with fewer faults is nearer to it.
  const byIndent = read(true)
  return byIndent.length > 0 && byIndent.length <= faults.length ? byIndent : faults
}
