// The page that signs a browser in with a `jti`, and the token that an app is given to begin with (spec §4 "Passthrough").
import type { Settings } from './config.ts'
import { readFitting, usableJti } from './passthrough.ts'

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
