// Reads a response with an unexpected status: its body without secrets, and how long to wait.
import { DEFAULT_RETRY_AFTER_MS, LARGEST_RETRY_AFTER_MS } from '../base/constants.ts'
import { redact } from './redaction.ts'

/** Longer bodies are not parsed. */
const LARGEST_JSON_LENGTH = 256 * 1024
/** An unparsed body is cut to this length. */
const LARGEST_RAW_LENGTH = 64 * 1024

/** A response with another status than the expected one. */
export interface Refusal {
  readonly status: number
  /** The unchanged body. */
  readonly text: string
  /** Secrets that were sent or are held. The server may repeat them. */
  readonly secrets: readonly string[]
  /** Header `Retry-After`: seconds or a date. */
  readonly retryAfter: string | null
}

export function readRefusal(
  { status, text, secrets, retryAfter }: Refusal,
  nowMs: number,
): { status: number; body: unknown; retryAfterMs: number | undefined } {
  const isBlock = retryAfter !== null || status === 429
  return {
    status,
    body: readBody(text, secrets),
    retryAfterMs: isBlock ? waitMs(retryAfter, nowMs) : undefined,
  }
}

/** Parses JSON up to 256 KB; any other body stays text. */
function readBody(text: string, secrets: readonly string[]): unknown {
  if (text.length <= LARGEST_JSON_LENGTH) {
    try {
      return redact(JSON.parse(text), secrets)
    } catch {
      // Not JSON: stays text.
    }
  }
  // Cut after redacting: half of a secret would not be recognised.
  return (redact(text, secrets) as string).slice(0, LARGEST_RAW_LENGTH)
}

function waitMs(retryAfter: string | null, nowMs: number): number {
  const seconds = retryAfter === null ? NaN : Number(retryAfter)
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter ?? '') - nowMs : seconds * 1000
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, LARGEST_RETRY_AFTER_MS) : DEFAULT_RETRY_AFTER_MS
}
