// What the demo's authorization server has handed out: which tokens live, which sign-in began each family of them.
import { createHash, timingSafeEqual } from 'node:crypto'

/** Everything that came out of one sign-in: one code, its refresh tokens and their access tokens. */
export interface Family {
  grantId: string
  clientId: string
  accountId: string
  sessionUid: string | undefined
  /** S256 of the verifier that every refresh has to show again. */
  challenge: string | undefined
  /** False until the code has been turned into tokens. */
  isExchanged: boolean
}

export interface IssuedToken {
  jti: string
  accountId: string
  clientId: string
  grantId: string | undefined
  sessionUid: string | undefined
  expiresAtMs: number
  /** How strongly the user has signed in for it; absent without a name for it. */
  strength?: Strength
}

/** How strongly somebody signed in (RFC 9470), and when. */
export interface Strength {
  acr: string
  authTimeSeconds: number
}

/** Counted since the start or the last `reset()`. */
export interface IssuedCounts {
  codesExchanged: number
  refreshes: number
  reuseDetected: number
  familiesRevoked: number
  accessTokens: number
}

export interface Issued {
  readonly counts: IssuedCounts
  addFamily(family: Family): void
  familyOf(grantId: string): Family | undefined
  familiesOfSession(sessionUid: string): Family[]
  allFamilies(): Family[]
  exchanged(grantId: string): void
  revokeFamily(grantId: string): void
  addToken(token: IssuedToken): void
  liveToken(jti: string): IssuedToken | undefined
  /** Makes every access token invalid at once; refresh tokens stay good. */
  expireAllTokens(): void
  reset(): void
}

const noCounts = (): IssuedCounts => ({
  codesExchanged: 0,
  refreshes: 0,
  reuseDetected: 0,
  familiesRevoked: 0,
  accessTokens: 0,
})

/** Expired tokens are dropped every so many new ones. */
const TOKENS_BETWEEN_SWEEPS = 500

export function createIssued(): Issued {
  const families = new Map<string, Family>()
  const tokens = new Map<string, IssuedToken>()
  const counts = noCounts()

  return {
    counts,
    addFamily: (family) => void families.set(family.grantId, family),
    familyOf: (grantId) => families.get(grantId),
    familiesOfSession: (sessionUid) =>
      [...families.values()].filter((family) => family.sessionUid === sessionUid),
    allFamilies: () => [...families.values()],
    exchanged(grantId) {
      const family = families.get(grantId)
      if (!family) return
      family.isExchanged = true
      counts.codesExchanged += 1
    },
    revokeFamily(grantId) {
      if (families.get(grantId)?.isExchanged === true) counts.familiesRevoked += 1
      families.delete(grantId)
      for (const [jti, token] of tokens) if (token.grantId === grantId) tokens.delete(jti)
    },
    addToken(token) {
      tokens.set(token.jti, token)
      counts.accessTokens += 1
      if (counts.accessTokens % TOKENS_BETWEEN_SWEEPS !== 0) return
      const nowMs = Date.now()
      for (const [jti, { expiresAtMs }] of tokens) if (expiresAtMs <= nowMs) tokens.delete(jti)
    },
    liveToken(jti) {
      const token = tokens.get(jti)
      return token !== undefined && token.expiresAtMs > Date.now() ? token : undefined
    },
    expireAllTokens: () => tokens.clear(),
    reset: () => void Object.assign(counts, noCounts()),
  }
}

export function matchesChallenge(verifier: string, challenge: string): boolean {
  const computed = createHash('sha256').update(verifier).digest('base64url')
  return (
    computed.length === challenge.length && timingSafeEqual(Buffer.from(computed), Buffer.from(challenge))
  )
}
