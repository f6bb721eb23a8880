// Reads the entry of session storage with everything of a tab that must survive a navigation, and judges the sign-in attempts in it.
import { ATTEMPT_LIFETIME_MS } from '../base/constants.ts'
import { listOf, parseJson, recordOf, textsOf } from '../base/json.ts'
import { LARGEST_ATTEMPT_COUNT, NAVIGATION_WINDOW_MS } from '../base/sessionConstants.ts'
import type { Claims } from './claims.ts'
import { parseSilentSignIn, type SilentSignIn } from './frameFailures.ts'

/** The records of one tab. Callers check the members that are `unknown`. */
export interface StoredTab {
  /** Attempts and visits to the logout page by their state key. */
  attempts: Attempts
  /** Times of automatic navigations. */
  navigations: number[]
  /** Failed frames since the last response of a frame and the last sign-in. */
  silentSignIn: SilentSignIn | undefined
  /** What is done once per tab and has been done. */
  marks: string[]
  /** Ids of the user who was signed in when the page was left, until the next sign-in. */
  user?: unknown
  /** The parameters of the switch to the organization that this tab works in, and its firm. */
  switched?: unknown
}

export type Attempts = Readonly<Record<string, unknown>>

/** An invalid member, of an older version or another script, counts as absent. */
export function parseTab(text: string | undefined): StoredTab {
  const { attempts, navigations, silentSignIn, marks, user, switched } = recordOf(parseJson(text))
  return {
    attempts: recordOf(attempts),
    navigations: listOf(navigations).filter((atMs): atMs is number => Number.isFinite(atMs)),
    silentSignIn: parseSilentSignIn(silentSignIn),
    marks: textsOf(marks),
    user,
    switched,
  }
}

export function isEmptyTab({
  attempts,
  navigations,
  silentSignIn,
  marks,
  user,
  switched,
}: StoredTab): boolean {
  const count = Object.keys(attempts).length + navigations.length + marks.length
  return count === 0 && !silentSignIn && !user && !switched
}

export function parseUser(value: unknown): Claims | undefined {
  const { userId, firmId, impersonatorId, aud } = recordOf(value)
  const isId = (id: unknown) => typeof id === 'string' || typeof id === 'number'
  const isUser = isId(userId) && [firmId, impersonatorId].every((id) => id === undefined || isId(id))
  // The audience is compared as text, whatever it is.
  return isUser ? ({ userId, firmId, impersonatorId, aud } as Claims) : undefined
}

export const recentNavigations = ({ navigations }: StoredTab, nowMs: number): number[] =>
  navigations.filter((atMs) => Math.abs(nowMs - atMs) < NAVIGATION_WINDOW_MS)

/** Whether the response to an attempt has not come, and its window or frame is not gone. */
export const isAwaited = (attempt: unknown): boolean => recordOf(attempt)['isOver'] !== true

/** The same, while the server may still respond. */
export const isOpen = (attempt: unknown, nowMs: number): boolean =>
  isAwaited(attempt) && nowMs - Number(recordOf(attempt)['createdAtMs']) <= ATTEMPT_LIFETIME_MS

/** Makes room for one more attempt. Attempts that are over go first, then the oldest. */
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
