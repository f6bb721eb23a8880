// What the demo's authorization server has handed out: which tokens live, which sign-in began each family of them.
import { createHash, timingSafeEqual } from 'node:crypto'

/** Everything that came out of one sign-in: one code, its refresh tokens and their access tokens. */
export interface Family {
  grantId: string
  sessionUid: string | undefined
  /** S256 of the verifier that every refresh has to show again. */
  challenge: string | undefined
  /** False until the code has been turned into tokens. */
  isExchanged: boolean
  /** Ends with the refresh that is under way: one refresh after the other. */
  turn?: Promise<void>
}

export interface IssuedToken {
  jti: string
  accountId: string
  clientId: string
  grantId: string | undefined
  sessionUid: string | undefined
  expiresAtMs: number
  /** How strongly the user has signed in for it; absent without a name for it. */
  strength?: Strength | undefined
}

/** How strongly somebody signed in (RFC 9470), and when. */
export interface Strength {
  acr: string
  authTimeSeconds: number
}

export type Issued = ReturnType<typeof createIssued>

export function createIssued() {
  const families = new Map<string, Family>()
  const tokens = new Map<string, IssuedToken>()
  const spentJtis = new Set<string>()
  const counts = { codesExchanged: 0, refreshes: 0, reuseDetected: 0, familiesRevoked: 0 }

  const liveToken = (jti: string): IssuedToken | undefined => {
    const token = tokens.get(jti)
    return token !== undefined && token.expiresAtMs > Date.now() ? token : undefined
  }

  return {
    /** Since the start. */
    counts,
    addFamily: (family: Family) => void families.set(family.grantId, family),
    familyOf: (grantId: string) => families.get(grantId),
    families: (): Family[] => [...families.values()],
    exchanged(grantId: string): void {
      const family = families.get(grantId)
      if (!family) return
      family.isExchanged = true
      counts.codesExchanged += 1
    },
    revokeFamily(grantId: string): void {
      if (families.get(grantId)?.isExchanged === true) counts.familiesRevoked += 1
      families.delete(grantId)
      for (const [jti, token] of tokens) if (token.grantId === grantId) tokens.delete(jti)
    },
    addToken: (token: IssuedToken) => void tokens.set(token.jti, token),
    liveToken,
    /** The token whose claim this is, once. */
    takeJti(jti: string): IssuedToken | undefined {
      const token = spentJtis.has(jti) ? undefined : liveToken(jti)
      if (token) spentJtis.add(jti)
      return token
    },
    /** Makes every access token invalid at once; refresh tokens stay good. */
    expireAllTokens: () => tokens.clear(),
  }
}

export function matchesChallenge(verifier: string, challenge: string): boolean {
  const computed = createHash('sha256').update(verifier).digest('base64url')
  return (
    computed.length === challenge.length && timingSafeEqual(Buffer.from(computed), Buffer.from(challenge))
  )
}
