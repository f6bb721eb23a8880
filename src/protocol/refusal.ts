// Reads what a server says when it refuses: how long it wants to be left alone, and why, free of secrets (spec §8; F10); loads with the first refusal.
import { DEFAULT_RETRY_AFTER_MS, LARGEST_RETRY_AFTER_MS } from '../constants.ts'
import { redact } from './redaction.ts'

/** An answer with another status than the expected one. */
export interface Refusal {
  readonly status: number
  readonly body: unknown
  /** Header `Retry-After`: seconds or a date. */
  readonly retryAfter: string | null
}

export function readRefusal(
  { status, body, retryAfter }: Refusal,
  nowMs: number,
): { status: number; body: unknown; retryAfterMs: number | undefined } {
  const isBlock = retryAfter !== null || status === 429
  return { status, body: redact(body), retryAfterMs: isBlock ? waitMs(retryAfter, nowMs) : undefined }
}

function waitMs(retryAfter: string | null, nowMs: number): number {
  const seconds = retryAfter === null ? NaN : Number(retryAfter)
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter ?? '') - nowMs : seconds * 1000
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, LARGEST_RETRY_AFTER_MS) : DEFAULT_RETRY_AFTER_MS
}
