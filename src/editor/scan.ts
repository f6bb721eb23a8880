// Finds everything that keeps a text from being JSON, by the rules of JSON.parse (RFC 8259); continues after each fault, without recursion.
import { MAX_FAULTS } from './limits.ts'
import { readBare, readComment, readQuoted, readLiteral, readText, skipSpace } from './scanTokens.ts'
import type { JsonFaultCode, RawFault } from './types.ts'

/** The tokens that can come next. */
const Expect = { value: 0, firstValue: 1, key: 2, firstKey: 3, colon: 4, comma: 5, end: 6 } as const
type Expect = (typeof Expect)[keyof typeof Expect]

const [QUOTE, HASH, COMMA, SLASH, COLON, EQUALS] = [34, 35, 44, 47, 58, 61]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [123, 125, 91, 93]
export const isClosing = (code: number): boolean => code === CLOSE_OBJECT || code === CLOSE_ARRAY
export const isOpening = (code: number): boolean => code === OPEN_OBJECT || code === OPEN_ARRAY
/** How far up the stack a closing bracket looks for its partner before it counts as a typo. */
const MISMATCH_REACH = 16
/** The longest quotation in a fault, in characters. */
const MAX_QUOTED = 40

class Reader {
  readonly #faults: RawFault[] = []
  #at = 0
  #expect: Expect = Expect.value
  #isEmpty = true
  /** The kinds and places of the open brackets, as numbers: there may be a million. */
  readonly #kinds: number[] = []
  readonly #places: number[] = []
  /** The last comma or colon, the start of the last string, the end of the last token. */
  #lastComma = 0
  #stringStart = 0
  #wordEnd = 0

  readonly text: string
  readonly max: number

  constructor(text: string, max: number) {
    this.text = text
    this.max = max
  }

  read(): RawFault[] {
    const { text, max } = this
    if (text.charCodeAt(0) === 0xfeff) {
      this.#report('byte-order-mark', 0, 1)
      this.#at = 1
    }
    for (;;) {
      let code = text.charCodeAt(this.#at)
      while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++this.#at)
      if (this.#at >= text.length || this.#faults.length >= max) break
      if ((code === SLASH || code === HASH) && this.#takeComment()) continue
      this.#isEmpty = false
      this.#take(code)
    }
    this.#end()
    return this.#faults.toSorted((a, b) => a.offset - b.offset)
  }

  readonly #report = (
    code: JsonFaultCode,
    offset: number,
    length: number,
    more?: Partial<RawFault>,
  ): void => {
    if (this.#faults.length < this.max) this.#faults.push({ code, offset, length, ...more })
  }

  #reportQuoted(code: JsonFaultCode, end: number): void {
    const at = this.#at
    this.#report(code, at, end - at, { detail: this.text.slice(at, Math.min(end, at + MAX_QUOTED)) })
  }

  #inObject = () => this.#kinds.at(-1) === OPEN_OBJECT

  #open(kind: number, place: number): void {
    this.#kinds.push(kind)
    this.#places.push(place)
  }

  #pop(count = 1): void {
    // For one bracket faster than setting `length`.
    for (let left = count; left > 0; left--) {
      this.#kinds.pop()
      this.#places.pop()
    }
  }

  #expectMember(): void {
    this.#expect = this.#inObject() ? Expect.key : Expect.value
  }

  /** Accepts everything up to `end` as a key or a value. */
  #takeUpTo(end: number, isKey: boolean): void {
    this.#wordEnd = this.#at = end
    this.#expect = isKey ? Expect.colon : this.#kinds.length === 0 ? Expect.end : Expect.comma
  }

  /** Skips misplaced text: the same is expected after it. */
  #skip(code: JsonFaultCode, end: number): void {
    this.#reportQuoted(code, end)
    this.#at = end
  }

  #skipCharacter(): void {
    const at = this.#at
    const detail = String.fromCodePoint(this.text.codePointAt(at)!)
    // The same character repeated is one fault.
    while (this.text.startsWith(detail, this.#at)) this.#at += detail.length
    this.#report('unexpected-character', at, this.#at - at, { detail })
  }

  /** Reports that the innermost bracket was never closed; `place` is the end of its content. */
  #closeForgotten(place: number): void {
    const related = this.#places.at(-1)!
    this.#report('missing-bracket', place, 0, { detail: this.#inObject() ? '}' : ']', related })
    this.#pop()
  }

  #take(code: number): void {
    if (code === COMMA) return this.#takeComma()
    if (isClosing(code)) return this.#close(code)
    if (this.#expect === Expect.end) return this.#skip('extra-text', this.text.length)
    if (this.#expect === Expect.colon) return this.#takeColon(code)
    const isNextElement = this.#expect === Expect.comma || this.#expect === Expect.key
    if (isNextElement && code === OPEN_OBJECT && this.#inObject() && this.#kinds.at(-2) === OPEN_ARRAY) {
      // The next object of a list begins: the one before was not closed.
      const isAfterComma = this.#expect === Expect.key
      this.#closeForgotten(this.#wordEnd)
      this.#expect = isAfterComma ? Expect.value : Expect.comma
    }
    if (this.#expect === Expect.comma && !this.#missComma(code)) return undefined
    const isKey = this.#expect === Expect.key || this.#expect === Expect.firstKey
    if (code === QUOTE) {
      this.#stringStart = this.#at
      const end = readText(this.text, this.#at, isKey, this.#faults, this.#report)
      return this.#takeUpTo(end, isKey)
    }
    if (isKey && (code === COLON || isOpening(code))) {
      this.#reportQuoted('missing-key', this.#at + 1)
      if (code === COLON) this.#lastComma = this.#at++
      this.#expect = Expect.value
    } else if (isOpening(code)) {
      this.#open(code, this.#at++)
      this.#expect = code === OPEN_OBJECT ? Expect.firstKey : Expect.firstValue
    } else this.#takeBare(isKey)
    return undefined
  }

  /** Reports a text that is incomplete or empty. */
  #end(): void {
    const count = this.#kinds.length
    const end = this.text.length
    if (this.#expect === Expect.end) return
    if (count > 0) this.#report('unexpected-end', end, 0, { count })
    else if (this.#isEmpty) this.#report('empty', end, 0)
  }

  #takeComma(): void {
    const at = this.#at
    if (this.#expect === Expect.end) return this.#skip('extra-text', this.text.length)
    if (this.#expect === Expect.colon) this.#report('missing-colon', at, 1, { detail: ',' })
    else if (this.#expect === Expect.key || this.#expect === Expect.firstKey)
      this.#reportQuoted('missing-key', at + 1)
    else if (this.#expect !== Expect.comma) this.#reportQuoted('missing-value', at + 1)
    this.#lastComma = this.#at++
    if (this.#kinds.length > 0) this.#expectMember()
    return undefined
  }

  #takeComment(): boolean {
    const end = readComment(this.text, this.#at)
    if (end === this.#at) return false
    this.#report('comment', this.#at, end - this.#at)
    this.#at = end
    return true
  }

  #close(code: number): void {
    const at = this.#at
    const expect = this.#expect
    const depth = this.#kinds.length
    if (depth === 0) return this.#skip('unexpected-bracket', at + 1)
    const isAfterComma = expect === Expect.value && this.text.charCodeAt(this.#lastComma) === COMMA
    if (expect === Expect.key || isAfterComma) this.#report('trailing-comma', this.#lastComma, 1)
    else if (expect === Expect.value) this.#report('missing-value', at, 1)
    else if (expect === Expect.colon) this.#report('missing-colon', at, 1)
    const level = this.#kinds.lastIndexOf(code - 2)
    const hasPartner = level >= Math.max(0, depth - MISMATCH_REACH)
    if (!hasPartner && this.text.charCodeAt(this.#wordEnd - 1) === code) {
      // The same twice: one of them was typed too often.
      this.#reportQuoted('unexpected-bracket', at + 1)
    } else {
      // A partner further out means that inner brackets were forgotten; none means a typo.
      const count = hasPartner ? depth - 1 - level : 0
      if (count > 0 || !hasPartner)
        this.#report('mismatched-bracket', at, 1, {
          detail: this.text[at]!,
          related: this.#places.at(-1)!,
        })
      this.#pop(count + 1)
    }
    this.#takeUpTo(at + 1, false)
    return undefined
  }

  /** Expects a colon after a key. */
  #takeColon(code: number): void {
    const [text, at] = [this.text, this.#at]
    const isBefore = (end: number) => text.charCodeAt(skipSpace(text, end)) === COLON
    const bare = code === COLON ? at : readBare(text, at)
    if (bare > at && isBefore(bare)) return this.#skip('unexpected-word', bare)
    // This is the next key: the user is still typing the previous member.
    const isKey = code === QUOTE && isBefore(readText(text, at, true, [], () => {}))
    if (isKey) this.#report('missing-colon', this.#wordEnd, 0)
    else if (code !== COLON) this.#report('missing-colon', at, 1, { detail: text[at]! })
    this.#lastComma = at
    if (code === COLON || code === EQUALS) this.#at++
    this.#expect = isKey ? Expect.key : Expect.value
    return undefined
  }

  /** Handles anything but a comma after a value; true if it is the next member. */
  #missComma(code: number): boolean {
    const [text, at] = [this.text, this.#at]
    const isMember = this.#inObject()
    const isBehindKey = text.charCodeAt(this.#wordEnd - 1) === QUOTE
    if (code === COLON && (!isBehindKey || (isMember && text.charCodeAt(this.#lastComma) !== COLON))) {
      this.#skipCharacter()
      return false
    }
    if (code === COLON) {
      // The last value was a key: an array should have ended before it, or an object begun.
      const isInList = !isMember && this.#lastComma > this.#places.at(-1)!
      if (isInList && this.#kinds.at(-2) === OPEN_OBJECT)
        this.#closeForgotten(text.slice(0, this.#lastComma).trimEnd().length)
      else {
        this.#report('missing-bracket', this.#stringStart, 0, { detail: '{', related: this.#stringStart })
        this.#open(OPEN_OBJECT, this.#stringStart)
      }
      this.#lastComma = this.#at++
      this.#expect = Expect.value
      return false
    }
    const bare = readBare(text, at)
    const end = code === QUOTE || isOpening(code) ? at + 1 : Math.max(bare, readQuoted(text, at))
    const next = text.charCodeAt(skipSpace(text, bare))
    const isStray = bare > at && isMember && next !== COLON && next !== EQUALS
    if (end === at) this.#skipCharacter()
    else if (isStray) this.#skip('unexpected-word', bare)
    if (end === at || isStray) return false
    // An unclosed string has swallowed its comma: one fault covers both.
    if (this.#faults.at(-1)?.code !== 'unclosed-string') {
      const close = code === QUOTE ? readText(text, at, isMember, [], () => {}) : end
      this.#reportQuoted('missing-comma', close)
    }
    this.#lastComma = at
    // A bracket cannot be a key: read as a value, it causes no second fault.
    this.#expect = isMember && !isOpening(code) ? Expect.key : Expect.value
    return true
  }

  /** Accepts a number, a word or a text in other quotes as a key or a value. */
  #takeBare(isKey: boolean): void {
    const [text, at] = [this.text, this.#at]
    const right = isKey ? at : readLiteral(text, at)
    if (right > at) return this.#takeUpTo(right, false)
    const quoted = readQuoted(text, at)
    if (quoted > at) {
      this.#report('wrong-quotes', at, quoted - at, { detail: text[at]! })
      return this.#takeUpTo(quoted, isKey)
    }
    const bare = readBare(text, at)
    if (bare === at) return this.#skipCharacter()
    const next = text.charCodeAt(skipSpace(text, bare))
    if (isKey && next !== COLON && next !== EQUALS) {
      this.#skip('unexpected-word', bare)
      if (next === COMMA || next === CLOSE_OBJECT) this.#expect = Expect.comma
      return undefined
    }
    if (!isKey && isOpening(next)) return this.#skip('unexpected-word', bare)
    const isNumber = /^[+.-]?\d/.test(text.slice(at, at + 2)) && !/[\s"]/.test(text.slice(at, bare))
    this.#reportQuoted(isKey ? 'unquoted-key' : isNumber ? 'invalid-number' : 'invalid-word', bare)
    return this.#takeUpTo(bare, isKey)
  }
}

/** Lists the faults of `text`; the list is empty if JSON.parse accepts it. */
export const scan = (text: string, { max = MAX_FAULTS }: { max?: number } = {}): RawFault[] =>
  new Reader(text, max).read()
