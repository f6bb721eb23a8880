// What is wrong with a text that should be JSON: read exactly as JSON.parse judges it (RFC 8259), on and on after each fault, without recursion.
import { MOST_FAULTS } from './limits.ts'
import { readBare, readComment, readQuoted, readRight, readText, skipSpace } from './scanTokens.ts'
import type { JsonFaultCode, RawFault } from './types.ts'

/** What may come next. */
const Expect = { value: 0, firstValue: 1, key: 2, firstKey: 3, colon: 4, comma: 5, end: 6 } as const
type Expect = (typeof Expect)[keyof typeof Expect]

const [QUOTE, HASH, COMMA, SLASH, COLON, EQUALS] = [34, 35, 44, 47, 58, 61]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [123, 125, 91, 93]
export const isClosing = (code: number): boolean => code === CLOSE_OBJECT || code === CLOSE_ARRAY
export const isOpening = (code: number): boolean => code === OPEN_OBJECT || code === OPEN_ARRAY
/** How far a closing bracket looks up the stack for its partner before it counts as a slip. */
const MISMATCH_REACH = 16
/** Of a quoted word so much is said. */
const MOST_SAID = 40

class Reader {
  readonly #faults: RawFault[] = []
  #at = 0
  #expect: Expect = Expect.value
  #isEmpty = true
  /** The kinds and places of the open brackets: numbers, for a million levels. */
  readonly #kinds: number[] = []
  readonly #places: number[] = []
  /** The last comma or colon, and where the last string begins and the last word ends. */
  #lastComma = 0
  #stringStart = 0
  #wordEnd = 0

  readonly text: string
  readonly most: number

  constructor(text: string, most: number) {
    this.text = text
    this.most = most
  }

  read(): RawFault[] {
    const { text, most } = this
    if (text.charCodeAt(0) === 0xfeff) {
      this.#report('byte-order-mark', 0, 1)
      this.#at = 1
    }
    for (;;) {
      let code = text.charCodeAt(this.#at)
      while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++this.#at)
      if (this.#at >= text.length || this.#faults.length >= most) break
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
    if (this.#faults.length < this.most) this.#faults.push({ code, offset, length, ...more })
  }

  #say(code: JsonFaultCode, end: number): void {
    const at = this.#at
    this.#report(code, at, end - at, { detail: this.text.slice(at, Math.min(end, at + MOST_SAID)) })
  }

  #inObject = () => this.#kinds.at(-1) === OPEN_OBJECT

  #open(kind: number, place: number): void {
    this.#kinds.push(kind)
    this.#places.push(place)
  }

  #pop(count = 1): void {
    // Faster for one than a shorter `length`.
    for (let left = count; left > 0; left--) {
      this.#kinds.pop()
      this.#places.pop()
    }
  }

  #expectMember(): void {
    this.#expect = this.#inObject() ? Expect.key : Expect.value
  }

  /** Takes everything up to `end` as a key or a value. */
  #takeUpTo(end: number, isKey: boolean): void {
    this.#wordEnd = this.#at = end
    this.#expect = isKey ? Expect.colon : this.#kinds.length === 0 ? Expect.end : Expect.comma
  }

  /** Takes what belongs to nothing: what was expected is expected behind it. */
  #skip(code: JsonFaultCode, end: number): void {
    this.#say(code, end)
    this.#at = end
  }

  #skipCharacter(): void {
    const at = this.#at
    const detail = String.fromCodePoint(this.text.codePointAt(at)!)
    // The same one several times is one slip.
    while (this.text.startsWith(detail, this.#at)) this.#at += detail.length
    this.#report('unexpected-character', at, this.#at - at, { detail })
  }

  /** The innermost bracket was never closed; the place is where the last thing in it ends. */
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
      this.#say('missing-key', this.#at + 1)
      if (code === COLON) this.#lastComma = this.#at++
      this.#expect = Expect.value
    } else if (isOpening(code)) {
      this.#open(code, this.#at++)
      this.#expect = code === OPEN_OBJECT ? Expect.firstKey : Expect.firstValue
    } else this.#takeBare(isKey)
    return undefined
  }

  /** The text is over; is it whole? */
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
    else if (this.#expect === Expect.key || this.#expect === Expect.firstKey) this.#say('missing-key', at + 1)
    else if (this.#expect !== Expect.comma) this.#say('missing-value', at + 1)
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
      this.#say('unexpected-bracket', at + 1)
    } else {
      // A partner further out means that inner brackets were forgotten; none means a slip of the finger.
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

  /** Behind a key. */
  #takeColon(code: number): void {
    const [text, at] = [this.text, this.#at]
    const isBefore = (end: number) => text.charCodeAt(skipSpace(text, end)) === COLON
    const bare = code === COLON ? at : readBare(text, at)
    if (bare > at && isBefore(bare)) return this.#skip('unexpected-word', bare)
    // The next key: the one before is still being typed.
    const isKey = code === QUOTE && isBefore(readText(text, at, true, [], () => {}))
    if (isKey) this.#report('missing-colon', this.#wordEnd, 0)
    else if (code !== COLON) this.#report('missing-colon', at, 1, { detail: text[at]! })
    this.#lastComma = at
    if (code === COLON || code === EQUALS) this.#at++
    this.#expect = isKey ? Expect.key : Expect.value
    return undefined
  }

  /** Something else stands where a comma should; true when it is the next member. */
  #missComma(code: number): boolean {
    const [text, at] = [this.text, this.#at]
    const isMember = this.#inObject()
    const isBehindKey = text.charCodeAt(this.#wordEnd - 1) === QUOTE
    if (code === COLON && (!isBehindKey || (isMember && text.charCodeAt(this.#lastComma) !== COLON))) {
      this.#skipCharacter()
      return false
    }
    if (code === COLON) {
      // What seemed to be a value is a key: an array should have ended before it, or an object begun.
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
    // An unclosed string has swallowed its comma: one fault is enough for both.
    if (this.#faults.at(-1)?.code !== 'unclosed-string') {
      const close = code === QUOTE ? readText(text, at, isMember, [], () => {}) : end
      this.#say('missing-comma', close)
    }
    this.#lastComma = at
    // A bracket cannot be a key: read it as a value instead of a second fault.
    this.#expect = isMember && !isOpening(code) ? Expect.key : Expect.value
    return true
  }

  /** Takes a number, a word or what stands in other quotes as a key or a value. */
  #takeBare(isKey: boolean): void {
    const [text, at] = [this.text, this.#at]
    const right = isKey ? at : readRight(text, at)
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
    this.#say(isKey ? 'unquoted-key' : isNumber ? 'invalid-number' : 'invalid-word', bare)
    return this.#takeUpTo(bare, isKey)
  }
}

/** Collects what is wrong with `text`; an empty list means that JSON.parse takes it. */
export const scan = (text: string, { most = MOST_FAULTS }: { most?: number } = {}): RawFault[] =>
  new Reader(text, most).read()
