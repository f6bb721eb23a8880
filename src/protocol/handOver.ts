// Checks the target of a passthrough: a URL of this app, or of an allowed origin.
import { invalidArgument, redirectRefused } from '../base/sessionErrors.ts'
import { isTokenShaped, readPieces, TOKEN_PARAMETERS, withoutPieces } from './address.ts'
import { parseOrigin, parseUrl, sameOriginPath } from './origin.ts'

/**
 * Returns the absolute URL of a redirect, without tokens in its query.
 *
 * @throws AuthError `redirect-refused` for every other URL, `invalid-argument` for invalid origins
 */
export function handOverAddress(
  redirect: unknown,
  { address, origins }: { address: string; origins: readonly string[] },
): string {
  if (!origins.every((origin) => parseOrigin(origin) === origin)) {
    throw invalidArgument('origins are not origins', 'Pass https origins without a path.')
  }
  const target = ownAddress(redirect, address) ?? foreignAddress(redirect, origins)
  if (target === undefined) throw redirectRefused()
  const tokens = readPieces(target).flatMap(([piece, name, value]) =>
    TOKEN_PARAMETERS.includes(name) && isTokenShaped(value) ? piece : [],
  )
  return withoutPieces(target, tokens)
}

function ownAddress(redirect: unknown, address: string): string | undefined {
  const path = sameOriginPath(redirect, address)
  return path === undefined ? undefined : new URL(address).origin + path
}

function foreignAddress(redirect: unknown, origins: readonly string[]): string | undefined {
  // Browsers and servers read control characters and backslashes differently.
  if (typeof redirect !== 'string' || /[\u0000-\u0020\u007f\\]/.test(redirect)) return undefined
  const href = parseUrl(redirect)?.href
  // Compare the text from its first letter, so that user info and a missing slash are noticed.
  const isMeant = origins.some((origin) => href?.startsWith(`${origin}/`) && redirect.startsWith(origin))
  return isMeant ? href : undefined
}
