// Passthrough: finds access tokens in the URL of the page, and builds and checks the URLs that hand a session over.
import { readable } from '../base/json.ts'
import { invalidArgument, redirectRefused } from '../base/sessionErrors.ts'
import { isTokenShaped, TOKEN_PARAMETERS, withoutParameters, withoutTokens } from './address.ts'
import { type Claims, decodeAccessToken } from './claims.ts'
import type { Settings } from './config.ts'
import { parseOrigin, parseUrl } from './origin.ts'

/** Steps of `explain()`, and the mark that the `initToken` of the config was tried in this tab. */
export const ADDRESS_STEP = 'token in the address'
export const INIT_STEP = 'initToken'
export const INIT_MARK = 'passthrough initToken'

export type AddressToken = Readonly<ReturnType<typeof takeToken>>

/** Removes the tokens for this app from the query. Of several, none is used. */
export function takeToken(address: string, settings: Pick<Settings, 'audience'>, nowMs: number) {
  const fitting: Claims[] = []
  const rest = withoutParameters(address, (name, value) => {
    const claims = TOKEN_PARAMETERS.includes(name) ? readFitting(value, settings) : undefined
    if (claims) fitting.push(claims)
    return claims !== undefined
  })
  const claims = fitting.length === 1 ? fitting[0] : undefined
  return {
    /** The URL without these tokens. Every other byte is unchanged. */
    address: rest,
    /** The `jti` of the token, if there is exactly one and it has not expired. */
    jti: claims && usableJti(claims, nowMs),
    userId: claims?.userId,
    count: fitting.length,
  }
}

/** Without a check of its audience. */
export const readAddressToken = (token: string): Claims | undefined =>
  isTokenShaped(token) ? readable(() => decodeAccessToken(token).claims) : undefined

/** The claims of a token with this audience, a user and a firm. */
export function readFitting(token: string, { audience }: Pick<Settings, 'audience'>): Claims | undefined {
  const claims = readAddressToken(token)
  return claims?.firmId !== undefined && [claims.aud].flat().includes(audience) ? claims : undefined
}

/** `undefined` for an expired token. */
export const usableJti = ({ jti, exp }: Claims, nowMs: number): string | undefined =>
  exp !== undefined && exp * 1000 <= nowMs ? undefined : jti || undefined

/** The URL of the page that signs the browser in with a `jti` and redirects to `redirect`. */
export const passthroughUrl = (authHost: string, jti: string, redirect: string): string =>
  `${authHost}/oauth/passthrough?${new URLSearchParams({ jti, redirect })}`

/** The absolute URL of a redirect to this app or an allowed origin, without tokens. @throws AuthError `redirect-refused`, `invalid-argument` */
export function handOverAddress(
  redirect: unknown,
  { address, origins }: { address: string; origins: readonly string[] },
): string {
  if (!origins.every((origin) => parseOrigin(origin) === origin)) {
    throw invalidArgument('origins are not origins', 'Pass https origins without a path.')
  }
  const { origin: own } = new URL(address)
  // Browsers and servers read control characters and backslashes differently.
  const isClear = typeof redirect === 'string' && !/[\u0000-\u0020\u007f\\]/.test(redirect)
  const href = isClear ? parseUrl(redirect, address)?.href : undefined
  // Compare a foreign URL from its first letter, so that user info and a missing slash are noticed.
  const isMeant = (origin: string) =>
    href?.startsWith(`${origin}/`) && (origin === own || (redirect as string).startsWith(origin))
  if (href === undefined || ![own, ...origins].some(isMeant)) throw redirectRefused()
  return withoutTokens(href)
}
