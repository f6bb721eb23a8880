// Whether this tab opens hidden frames at all: what is remembered of those that failed (contract §4 "frame").
import { SILENT_SIGN_IN_OFF_MS } from '../constants.ts'

/** Of one tab, in its session storage. */
export interface SilentSignIn {
  /** Frames in a row that gave no answer. */
  readonly failures: number
  /** No frame is opened before this instant; 0: none has to wait. */
  readonly offUntilMs: number
}

/** So many frames without an answer, one after the other, switch silent sign-in off. */
const LARGEST_FAILURE_COUNT = 2

/** What is remembered after one more frame has failed; `isHopeless`: the next one would fail for the same reason. */
export function afterFailure(
  before: SilentSignIn | undefined,
  nowMs: number,
  isHopeless: boolean,
): SilentSignIn {
  const failures = Math.min((before?.failures ?? 0) + 1, LARGEST_FAILURE_COUNT)
  const isOff = isHopeless || failures === LARGEST_FAILURE_COUNT
  return { failures, offUntilMs: isOff ? nowMs + SILENT_SIGN_IN_OFF_MS : 0 }
}

/** Reads what was stored: anything else than what this module writes counts as absent. */
export function parseSilentSignIn(value: unknown): SilentSignIn | undefined {
  const { failures, offUntilMs } = Object(value) as Partial<SilentSignIn>
  if (!Number.isInteger(failures) || failures! < 1 || !Number.isFinite(offUntilMs)) return undefined
  return { failures: failures!, offUntilMs: offUntilMs! }
}

/** Five minutes at most, also when the clock has been set back. */
export function isSwitchedOff({ offUntilMs }: SilentSignIn, nowMs: number): boolean {
  return nowMs < offUntilMs && offUntilMs <= nowMs + SILENT_SIGN_IN_OFF_MS
}
