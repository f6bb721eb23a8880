// Compares tokens and ids.
import type { Claims, Id } from './claims.ts'

/** Whether two tokens are for the same user, firm, impersonator and audience. */
export function isSameIdentity(a: Claims, b: Claims): boolean {
  return (
    sameId(a.userId, b.userId) &&
    sameId(a.firmId, b.firmId) &&
    sameId(a.impersonatorId, b.impersonatorId) &&
    String(a.aud) === String(b.aud)
  )
}

/** Whether two tokens are of the same session of the same user. */
export const isSameSession = (a: Claims, b: Claims): boolean =>
  isSameIdentity(a, b) && sameId(a.sessionId, b.sessionId)

/** The user, firm and impersonator as one text, the same for ids that are equal as strings. */
export const identityOf = ({ userId, firmId, impersonatorId }: Claims): string =>
  JSON.stringify([userId, firmId, impersonatorId].map((id) => id !== undefined && String(id)))

/** Whether two ids are equal as strings. */
export function sameId(a: Id | undefined, b: Id | undefined): boolean {
  return a === undefined || b === undefined ? a === b : String(a) === String(b)
}
