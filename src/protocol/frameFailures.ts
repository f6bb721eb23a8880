// Disables silent sign-in in a tab whose hidden frames fail.
import { SILENT_SIGN_IN_OFF_MS } from '../base/constants.ts'

/** The failed frames of one tab, kept in its session storage. */
export interface SilentSignIn {
  /** How many frames in a row got no response. */
  readonly failures: number
  /** Silent sign-in is disabled until this time: milliseconds since 1970; 0 if it is not disabled. */
  readonly offUntilMs: number
}

/** This many frames in a row without a response disable silent sign-in. */
const LARGEST_FAILURE_COUNT = 2

/** Counts one more failed frame. `isHopeless` means that the next one would fail for the same reason. */
export function afterFailure(
  before: SilentSignIn | undefined,
  nowMs: number,
  isHopeless: boolean,
  offMs: number = SILENT_SIGN_IN_OFF_MS,
): SilentSignIn {
  const failures = Math.min((before?.failures ?? 0) + 1, LARGEST_FAILURE_COUNT)
  const isOff = isHopeless || failures === LARGEST_FAILURE_COUNT
  return { failures, offUntilMs: isOff ? nowMs + offMs : 0 }
}

/** Parses the stored record. Anything that this module does not write counts as absent. */
export function parseSilentSignIn(value: unknown): SilentSignIn | undefined {
  const { failures, offUntilMs } = Object(value) as Partial<SilentSignIn>
  if (!Number.isInteger(failures) || failures! < 1 || !Number.isFinite(offUntilMs)) return undefined
  return { failures: failures!, offUntilMs: offUntilMs! }
}

/** Whether silent sign-in is disabled: for at most `offMs`, also when the clock has been set back. */
export const isSwitchedOff = (
  { offUntilMs }: SilentSignIn,
  nowMs: number,
  offMs: number = SILENT_SIGN_IN_OFF_MS,
): boolean => nowMs < offUntilMs && offUntilMs <= nowMs + offMs
