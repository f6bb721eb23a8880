// Parses the records of a tab in session storage, which survive a navigation: sign-in attempts, navigations, marks.
import { ATTEMPT_LIFETIME_MS, SILENT_SIGN_IN_OFF_MS } from '../base/constants.ts'
import { listOf, parseJson, recordOf, textsOf } from '../base/json.ts'
import { LARGEST_ATTEMPT_COUNT, NAVIGATION_WINDOW_MS } from '../base/sessionConstants.ts'
import type { Claims } from './claims.ts'

/** The records of one tab. Callers check the members that are `unknown`. */
export type StoredTab = ReturnType<typeof parseTab>

export type Attempts = Readonly<Record<string, unknown>>

/** An invalid member, of an older version or another script, counts as absent. */
export function parseTab(text: string | undefined) {
  const { attempts, navigations, silentSignIn, marks, user, switched } = recordOf(parseJson(text))
  return {
    /** Attempts and visits to the logout page by their state key. */
    attempts: recordOf(attempts) as Attempts,
    /** Times of automatic navigations. */
    navigations: listOf(navigations).filter((atMs): atMs is number => Number.isFinite(atMs)),
    /** Failed frames since the last response of a frame and the last sign-in. */
    silentSignIn: parseSilentSignIn(silentSignIn),
    /** Actions that happen once per tab, and have happened. */
    marks: textsOf(marks),
    /** Ids of the user who was signed in on the previous page, until the next sign-in. */
    user,
    /** The parameters of the switch to the organization that this tab works in, and its firm. */
    switched,
  }
}

export function isEmptyTab({ attempts, navigations, marks, ...others }: StoredTab): boolean {
  const lists = [Object.keys(attempts), navigations, marks]
  return lists.every((list) => list.length === 0) && !Object.values(others).some(Boolean)
}

export function parseUser(value: unknown): Claims | undefined {
  const { userId, firmId, impersonatorId, aud } = recordOf(value)
  const isId = (id: unknown) => ['string', 'number'].includes(typeof id)
  const isUser = isId(userId) && [firmId, impersonatorId].every((id) => id === undefined || isId(id))
  // The audience is compared as text, whatever it is.
  return isUser ? ({ userId, firmId, impersonatorId, aud } as Claims) : undefined
}

export const recentNavigations = ({ navigations }: StoredTab, nowMs: number): number[] =>
  navigations.filter((atMs) => Math.abs(nowMs - atMs) < NAVIGATION_WINDOW_MS)

/** Whether a response may still come: its window or frame is not gone. */
export const isAwaited = (attempt: unknown): boolean => recordOf(attempt)['isOver'] !== true

/** The same, within the lifetime of an attempt. */
export const isOpen = (attempt: unknown, nowMs: number): boolean =>
  isAwaited(attempt) && nowMs - Number(recordOf(attempt)['createdAtMs']) <= ATTEMPT_LIFETIME_MS

/** Makes room for one more attempt: drops those that are over first, then the oldest. */
export function withoutFirst(attempts: Attempts): [string, unknown][] {
  const all = Object.entries(attempts)
  const [open, over] = [true, false].map((is) => all.filter(([, one]) => isAwaited(one) === is))
  return [...over!, ...open!].slice(1 - LARGEST_ATTEMPT_COUNT)
}

/** Without `clientId`, so that `parseAttempt` refuses it and its code is never sent. */
export function traceOf(attempt: unknown): object {
  const { authHost, redirectUri, returnTo, createdAtMs, departure, isBare } = recordOf(attempt)
  return { authHost, redirectUri, returnTo, createdAtMs, departure, isBare, isOver: true }
}

/** Hidden frames in a row without a response, and until when silent sign-in is disabled; 0 if it is not. */
export interface SilentSignIn {
  readonly failures: number
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

export function parseSilentSignIn(value: unknown): SilentSignIn | undefined {
  const { failures, offUntilMs } = Object(value) as SilentSignIn
  return Number.isInteger(failures) && failures >= 1 && Number.isFinite(offUntilMs)
    ? { failures, offUntilMs }
    : undefined
}

/** Whether silent sign-in is disabled: for at most `offMs`, also when the clock has been set back. */
export const isSwitchedOff = (
  { offUntilMs }: SilentSignIn,
  nowMs: number,
  offMs: number = SILENT_SIGN_IN_OFF_MS,
): boolean => nowMs < offUntilMs && offUntilMs <= nowMs + offMs
