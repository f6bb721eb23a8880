// Whether two tokens, or two ids, mean the same (contract §2 "Ids from tokens").
import type { Claims, Id } from './claims.ts'

/** Whether two tokens belong to the same session of the same user, acted by the same person. */
export function isSameIdentity(a: Claims, b: Claims): boolean {
  return (
    sameId(a.userId, b.userId) &&
    sameId(a.firmId, b.firmId) &&
    sameId(a.impersonatorId, b.impersonatorId) &&
    String(a.aud) === String(b.aud)
  )
}

/** Ids are equal when their texts are (contract §2). */
export function sameId(a: Id | undefined, b: Id | undefined): boolean {
  return a === undefined || b === undefined ? a === b : String(a) === String(b)
}
