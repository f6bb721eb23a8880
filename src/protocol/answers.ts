// Checks the responses of REST calls, so that the page of a proxy never counts as success.
import { unexpectedAnswer } from '../base/errors.ts'
import { isRecord, memberOf } from '../base/json.ts'

/** A JSON object of the server, unchecked: check its members before you trust them. */
export type ServerRecord = Readonly<Record<string, unknown>>

/** Returns the response as an object. @throws AuthError `unexpected-answer` for anything else */
export function readRecord(what: string, answer: unknown): ServerRecord {
  if (!isRecord(answer)) throw unexpectedAnswer(what)
  return answer
}

/** Returns a member that must be a string with text in it. @throws AuthError `unexpected-answer` */
export function readText(what: string, answer: unknown, name: string): string {
  const value = memberOf(readRecord(what, answer), name)
  if (typeof value !== 'string' || value === '') throw unexpectedAnswer(what)
  return value
}

/**
 * Checks the response of a write. Its body is unspecified, so everything counts as success except text that begins like
 * HTML or JSON: a portal sends its page with status 200, and a broken connection cuts JSON short.
 *
 * @throws AuthError `unexpected-answer`
 */
export function assertWritten(what: string, answer: unknown): void {
  if (typeof answer === 'string' && /^\s*[<{["]/.test(answer)) throw unexpectedAnswer(what)
}
