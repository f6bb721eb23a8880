// Tokens that arrive in an address, and the page that turns one into a session (spec §2, §4 "Passthrough").
import { LARGEST_ADDRESS_TOKEN_LENGTH } from '../constants.ts'
import { type Claims, decodeAccessToken } from './claims.ts'
import type { Settings } from './config.ts'
import { parameterName, parameterPieces, withoutPieces } from './signIn.ts'

/** Parameters of an address in which a token may be found (spec §2). */
export const TOKEN_PARAMETERS: readonly string[] = ['access_token', 'auth', 'authToken', 'token', 'jwt']

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
  const fitting = parameterPieces(address).filter(
    (piece) =>
      TOKEN_PARAMETERS.includes(parameterName(piece)) && readFitting(valueOf(piece), settings) !== undefined,
  )
  const [piece] = fitting
  const claims =
    fitting.length === 1 && piece !== undefined ? readFitting(valueOf(piece), settings) : undefined
  return {
    address: withoutPieces(address, fitting),
    jti: claims && usableJti(claims, nowMs),
    userId: claims?.userId,
    count: fitting.length,
  }
}

/** The `jti` of a token given to `createAuth` as `initToken`, when it is for this app and has not expired. */
export function readInitToken(
  token: string,
  settings: Pick<Settings, 'audience'>,
  nowMs: number,
): string | undefined {
  const claims = readFitting(token, settings)
  return claims && usableJti(claims, nowMs)
}

/** The page that signs the browser in with a `jti` and comes back to `redirect`. */
export function passthroughUrl(authHost: string, jti: string, redirect: string): string {
  return `${authHost}/oauth/passthrough?${new URLSearchParams({ jti, redirect })}`
}

const valueOf = (piece: string): string | undefined => new URLSearchParams(piece).values().next().value

/** The claims of a token whose audience is ours and that names a user and a firm. */
function readFitting(
  token: string | undefined,
  { audience }: Pick<Settings, 'audience'>,
): Claims | undefined {
  if (!token || token.length > LARGEST_ADDRESS_TOKEN_LENGTH) return undefined
  try {
    const { claims } = decodeAccessToken(token)
    return claims.firmId !== undefined && [claims.aud].flat().includes(audience) ? claims : undefined
  } catch {
    return undefined
  }
}

function usableJti({ jti, exp }: Claims, nowMs: number): string | undefined {
  return exp !== undefined && exp * 1000 <= nowMs ? undefined : jti || undefined
}
