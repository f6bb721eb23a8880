// Reads what REST calls answer: an object where one is promised, and no page of a proxy taken for a success (spec §8).
import { unexpectedAnswer } from '../errors.ts'
import { isRecord, memberOf } from '../json.ts'

/** Members are the server's own; check them before you trust them. */
export type ServerRecord = Readonly<Record<string, unknown>>

/** The answer as an object. @throws AuthError `unexpected-answer` for anything else */
export function readRecord(what: string, answer: unknown): ServerRecord {
  if (!isRecord(answer)) throw unexpectedAnswer(what)
  return answer
}

/** A member that must be a text. @throws AuthError `unexpected-answer` */
export function readText(what: string, answer: unknown, name: string): string {
  const value = memberOf(readRecord(what, answer), name)
  if (typeof value !== 'string' || value === '') throw unexpectedAnswer(what)
  return value
}

/**
 * A write says nothing that is promised, so anything counts as success but a text that was meant to be a page or JSON:
 * a portal answers 200 to everything, and a connection may break in the middle.
 *
 * @throws AuthError `unexpected-answer`
 */
export function assertWritten(what: string, answer: unknown): void {
  if (typeof answer === 'string' && /^\s*[<{["]/.test(answer)) throw unexpectedAnswer(what)
}
