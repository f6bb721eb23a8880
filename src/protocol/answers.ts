// Reads what REST calls answer: an object where one is promised, and no page of a proxy taken for a success (spec §8).
import { unexpectedAnswer } from '../errors.ts'

/** Members are the server's own; check them before you trust them. */
export type ServerRecord = Readonly<Record<string, unknown>>

/** The answer as an object. @throws AuthError `unexpected-answer` for anything else */
export function readRecord(what: string, answer: unknown): ServerRecord {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw unexpectedAnswer(what)
  }
  return answer as ServerRecord
}

/** A member that must be a text. @throws AuthError `unexpected-answer` */
export function readText(what: string, answer: unknown, name: string): string {
  const record = readRecord(what, answer)
  const value = Object.hasOwn(record, name) ? record[name] : undefined
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
