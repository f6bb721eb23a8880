// One reading of a text: where it is, what may come next, what was wrong so far, and the moves that all of its steps share.
import { Brackets } from './brackets.ts'
import type { JsonFaultCode, RawFault } from './types.ts'

/** What may come next. */
export const Expect = { value: 0, firstValue: 1, key: 2, firstKey: 3, colon: 4, comma: 5, end: 6 } as const
export type Expect = (typeof Expect)[keyof typeof Expect]

const COLON = 58
/** Of a quoted word so much is said. */
const MOST_SAID = 40

/** Is it a comment that JSONC knows, with its end? */
const isWholeComment = (text: string, offset: number, length: number) =>
  text.startsWith('//', offset) ||
  (text.startsWith('/*', offset) && length > 3 && text.startsWith('*/', offset + length - 2))

export class Reading {
  readonly faults: RawFault[] = []
  readonly text: string
  readonly jsonc: boolean
  readonly byIndent: boolean
  readonly brackets = new Brackets()
  at = 0
  expect: Expect = Expect.value
  indent = 0
  tokens = 0
  /** The last comma or colon. */
  lastComma = 0
  /** Where the last word that was no comma ends, and where that was when the last comma came. */
  wordEnd = 0
  beforeComma = 0
  stringStart = 0
  valueStart = 0

  constructor(text: string, { jsonc, byIndent }: { jsonc: boolean; byIndent: boolean }) {
    this.text = text
    this.jsonc = jsonc
    this.byIndent = byIndent
  }

  /** In JSONC comments and commas before a closing bracket are not wrong. */
  readonly report = (code: JsonFaultCode, offset: number, length: number, more?: Partial<RawFault>): void => {
    const isAllowed =
      code === 'trailing-comma' || (code === 'comment' && isWholeComment(this.text, offset, length))
    if (!this.jsonc || !isAllowed) this.faults.push({ code, offset, length, ...more })
  }

  say(code: JsonFaultCode, end: number): void {
    const at = this.at
    this.report(code, at, end - at, { detail: this.text.slice(at, Math.min(end, at + MOST_SAID)) })
  }

  isAfterColon(): boolean {
    return this.expect === Expect.value && this.text.charCodeAt(this.lastComma) === COLON
  }

  expectMember(): void {
    this.expect = this.brackets.inObject() ? Expect.key : Expect.value
  }

  /** Takes everything up to `end` as a key or a value. */
  takeUpTo(end: number, isKey: boolean): void {
    this.wordEnd = this.at = end
    this.expect = isKey ? Expect.colon : this.brackets.depth === 0 ? Expect.end : Expect.comma
  }

  /** Takes what belongs to nothing: what was expected is expected behind it. */
  skipStray(end: number): void {
    this.say('unexpected-word', end)
    this.wordEnd = this.at = end
  }

  skipCharacter(): void {
    const length = this.text.codePointAt(this.at)! > 0xffff ? 2 : 1
    this.say('unexpected-character', this.at + length)
    this.at += length
  }

  /** The innermost bracket was never closed; the place is where the last thing in it ends. */
  closeForgotten(): void {
    const expect = this.expect
    const isEmpty = expect === Expect.firstKey || expect === Expect.firstValue
    const related = this.brackets.place()
    const place = isEmpty ? related + 1 : expect === Expect.comma ? this.wordEnd : this.beforeComma
    this.report('missing-bracket', place, 0, { detail: this.brackets.inObject() ? '}' : ']', related })
    this.brackets.depth--
    this.expect = Expect.comma
  }

  openForgotten(kind: number, offset: number): void {
    this.report('missing-bracket', offset, 0, { detail: String.fromCharCode(kind), related: offset })
    this.brackets.open(kind, offset, this.indent)
  }
}
