// Reads the responses of REST calls: a proxy's page never counts as success, and an error contains no secret.
import { DEFAULT_RETRY_AFTER_MS, LARGEST_RETRY_AFTER_MS } from '../base/constants.ts'
import { type Refusal, unexpectedAnswer } from '../base/errors.ts'
import { isRecord, memberOf, parseJson } from '../base/json.ts'
import { redact } from './redaction.ts'

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

/** Any body counts as success except text that begins like HTML or JSON: a portal's page, or JSON cut short. @throws AuthError `unexpected-answer` */
export function assertWritten(what: string, answer: unknown): void {
  if (typeof answer === 'string' && /^\s*[<{["]/.test(answer)) throw unexpectedAnswer(what)
}

/** Longer bodies are not parsed. */
const LARGEST_JSON_LENGTH = 256 * 1024
/** An unparsed body is cut to this length. */
const LARGEST_RAW_LENGTH = 64 * 1024

/**
 * Reads a response with an unexpected status: its body without secrets, parsed if it is JSON, and how long to wait.
 *
 * @param refused `secrets` of the request, which the server may repeat; `retryAfter`: the header, seconds or a date
 */
export function readRefusal(
  refused: { status: number; text: string; secrets: readonly string[]; retryAfter: string | null },
  nowMs: number,
): Refusal {
  const { status, text, secrets, retryAfter } = refused
  const json = text.length <= LARGEST_JSON_LENGTH ? parseJson(text) : undefined
  // Cut after redacting: half of a secret would not be recognised.
  const raw = () => (redact(text, secrets) as string).slice(0, LARGEST_RAW_LENGTH)
  const isBlock = retryAfter !== null || status === 429
  return {
    status,
    body: json === undefined ? raw() : redact(json, secrets),
    retryAfterMs: isBlock ? waitMs(retryAfter, nowMs) : undefined,
  }
}

function waitMs(retryAfter: string | null, nowMs: number): number {
  const seconds = retryAfter === null ? NaN : Number(retryAfter)
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter ?? '') - nowMs : seconds * 1000
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, LARGEST_RETRY_AFTER_MS) : DEFAULT_RETRY_AFTER_MS
}
