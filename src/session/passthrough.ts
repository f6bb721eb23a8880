// Takes a token that arrived, or that the app was given, to the page that makes a session of it (spec §4 "Passthrough").
import { redirectLoop } from '../sessionErrors.ts'
import type { Claims } from '../protocol/claims.ts'
import { sameId } from '../protocol/identity.ts'
import type { Settings } from '../protocol/config.ts'
import type { AddressToken } from '../protocol/passthrough.ts'
import { passthroughUrl, readInitToken } from '../protocol/passthroughPage.ts'
import type { Ledger } from './ledger.ts'
import type { Platform } from './platform.ts'
import type { Timeline } from './timeline.ts'

export interface PassthroughOptions extends Pick<Ledger, 'mark' | 'markOnce' | 'countNavigation'> {
  settings: Settings
  platform: Pick<Platform, 'address' | 'navigate' | 'now'>
  timeline: Timeline
  /** Who is signed in already. */
  user: Pick<Claims, 'userId'> | undefined
  onLeaving(): void
}

const ADDRESS = 'token in the address'
const INIT = 'initToken'

/**
 * Leaves for the passthrough page; false when there is nothing to go with, or somebody is signed in already.
 *
 * @throws AuthError `redirect-loop`
 */
export function passThrough(options: PassthroughOptions, token: AddressToken | undefined): boolean {
  const { settings, platform, timeline, user } = options
  const skip = (step: string, why: string) => {
    timeline.record(step, 'skipped', why)
    return false
  }
  if (user) {
    const isOther = token?.count === 1 && !sameId(token.userId, user.userId)
    return token
      ? skip(ADDRESS, `there is a session already${isOther ? '; the token was for another user' : ''}`)
      : false
  }
  // The mark before the navigation: without it the way back could lead here again and again.
  const leave = (step: string, jti: string) => {
    if (!options.countNavigation(platform.now())) throw redirectLoop()
    timeline.record(step, 'started', 'to the passthrough page')
    options.onLeaving()
    platform.navigate(passthroughUrl(settings.authHost, jti, platform.address()))
    return true
  }

  if (token?.jti !== undefined) {
    if (options.mark('passthrough')) return leave(ADDRESS, token.jti)
    skip(ADDRESS, 'this browser cannot remember that it was tried')
  } else if (token) {
    skip(ADDRESS, token.count > 1 ? 'there are several' : 'it has expired, or has no jti')
  }

  if (settings.initToken === undefined) return false
  const jti = readInitToken(settings.initToken, settings, platform.now())
  if (jti === undefined) return skip(INIT, 'it has expired, or is not for this app')
  if (options.markOnce('passthrough initToken')) return leave(INIT, jti)
  return skip(INIT, 'it was tried before in this browser session, or that cannot be remembered')
}
