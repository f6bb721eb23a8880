// Tokens that arrive in an address, and the page that turns one into a session (spec §2, §4 "Passthrough").
import { isTokenShaped, parameterPieces, readPiece, TOKEN_PARAMETERS, withoutPieces } from './address.ts'
import { type Claims, decodeAccessToken } from './claims.ts'
import type { Settings } from './config.ts'

/** What an address holds for us. */
export interface AddressToken {
  /** The address without the tokens that are for this app; every other byte stays. */
  readonly address: string
  /** The `jti` of the one fitting token that has not expired. The token itself is of no further use. */
  readonly jti: string | undefined
  /** Whose it is. */
  readonly userId: Claims['userId'] | undefined
  /** How many fitting tokens were taken out. */
  readonly count: number
}

/** Finds tokens for this app in the query. Two or more are all taken out, and none is used. */
export function takeToken(
  address: string,
  settings: Pick<Settings, 'audience'>,
  nowMs: number,
): AddressToken {
  const fitting = parameterPieces(address).flatMap((piece) => {
    const [name, value] = readPiece(piece)
    const claims = TOKEN_PARAMETERS.includes(name) && readFitting(value, settings)
    return claims ? [{ piece, claims }] : []
  })
  const claims = fitting.length === 1 ? fitting[0]?.claims : undefined
  return {
    address: withoutPieces(
      address,
      fitting.map(({ piece }) => piece),
    ),
    jti: claims && usableJti(claims, nowMs),
    userId: claims?.userId,
    count: fitting.length,
  }
}

/** The claims of a token whose audience is ours and that names a user and a firm. */
export function readFitting(token: string, { audience }: Pick<Settings, 'audience'>): Claims | undefined {
  if (!isTokenShaped(token)) return undefined
  try {
    const { claims } = decodeAccessToken(token)
    return claims.firmId !== undefined && [claims.aud].flat().includes(audience) ? claims : undefined
  } catch {
    return undefined
  }
}

/** The `jti` of a token that has not expired by this clock. */
export function usableJti({ jti, exp }: Claims, nowMs: number): string | undefined {
  return exp !== undefined && exp * 1000 <= nowMs ? undefined : jti || undefined
}
