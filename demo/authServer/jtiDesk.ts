// Takes a one-time `jti` in exchange for the account behind it: a handed-over session, or the claim of a live token.
import type { Handovers } from './handovers.ts'
import type { Issued } from './issued.ts'

export interface Redeemed {
  accountId: string
  /** The session of the token, when it was a token's claim. */
  sessionUid: string | undefined
}

export interface JtiDesk {
  /** Once: the second call with the same key gives undefined, whoever makes it. */
  redeem(jti: string): Redeemed | undefined
}

export function createJtiDesk({ issued, handovers }: { issued: Issued; handovers: Handovers }): JtiDesk {
  const spent = new Set<string>()

  return {
    redeem(jti) {
      const handedOver = handovers.take(jti)
      if (handedOver !== undefined) return { accountId: handedOver, sessionUid: undefined }
      const token = issued.liveToken(jti)
      if (!token || spent.has(jti)) return undefined
      spent.add(jti)
      return { accountId: token.accountId, sessionUid: token.sessionUid }
    },
  }
}
