// Parses the session record and the pending logout in local storage.
import { numberOf, parseJson, recordOf } from '../base/json.ts'
import { isSessionName } from './credentials.ts'
import { parseEndReason, REASONS, type SignedOutReason } from './signedOutReasons.ts'

/** The session record. Without `user` the session has ended, and no user has signed in since. */
export interface CountingSession {
  /** Random, new with each end, and when another user signs in. */
  readonly id: string
  /** A hash over server, subject and impersonator. */
  readonly user?: string | undefined
  readonly reason?: SignedOutReason | undefined
  /** As it is stored. */
  readonly text: string
}

/** An invalid record, of another script, counts as absent. */
export function parseRecord(text: string | undefined): CountingSession | undefined {
  const { id, user, reason } = recordOf(parseJson(text))
  if (text === undefined || !isSessionName(id)) return undefined
  return { id, user: typeof user === 'string' ? user : undefined, reason: parseEndReason(reason), text }
}

/** A logout that the server has not received. */
export interface OwedLogout {
  reason: SignedOutReason
  force: boolean
  /** A page has opened the logout page, and the browser has not returned yet. */
  isSent: boolean
  /** When it began, by the wall clock: older credentials do not sign the user in. */
  atMs: number
  hasNoPage?: boolean | undefined
  /** The user has seen that the server has not confirmed it. */
  isSaid?: boolean | undefined
  /** The user has seen that the server still has the session: the next sign-in continues with it. */
  isTold?: boolean | undefined
}

export function parseOwedLogout(text: string | undefined): OwedLogout | undefined {
  const stored = recordOf(parseJson(text))
  const reason = parseEndReason(stored['reason'])
  if (!reason || !REASONS[reason].isOwed) return undefined
  const is = (name: keyof OwedLogout) => stored[name] === true
  return {
    reason,
    force: stored['force'] !== false,
    isSent: is('isSent'),
    hasNoPage: is('hasNoPage'),
    isSaid: is('isSaid'),
    isTold: is('isTold'),
    atMs: numberOf(stored['atMs']) ?? 0,
  }
}
