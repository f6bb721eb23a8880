// Reads what a server says when it refuses: how long it wants to be left alone, and why, free of secrets (spec §8; F10).
import { DEFAULT_RETRY_AFTER_MS, LARGEST_RETRY_AFTER_MS } from '../constants.ts'
import { redact } from './redaction.ts'

/** Longer bodies are not parsed. */
const LARGEST_JSON_LENGTH = 256 * 1024
/** A body that is not parsed is cut here. */
const LARGEST_RAW_LENGTH = 64 * 1024

/** An answer with another status than the expected one. */
export interface Refusal {
  readonly status: number
  /** The body as it came. */
  readonly text: string
  /** Secrets that were sent or are held: the server may repeat them. */
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

/** Parsed when it is JSON of a size that a page can bear, raw otherwise. */
function readBody(text: string, secrets: readonly string[]): unknown {
  if (text.length <= LARGEST_JSON_LENGTH) {
    try {
      return redact(JSON.parse(text), secrets)
    } catch {
      // No JSON: raw.
    }
  }
  // Cut last: half of a secret would not be recognised.
  return (redact(text, secrets) as string).slice(0, LARGEST_RAW_LENGTH)
}

function waitMs(retryAfter: string | null, nowMs: number): number {
  const seconds = retryAfter === null ? NaN : Number(retryAfter)
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter ?? '') - nowMs : seconds * 1000
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, LARGEST_RETRY_AFTER_MS) : DEFAULT_RETRY_AFTER_MS
}
