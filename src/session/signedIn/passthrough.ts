// Takes a token that arrived, or that the app was given, to the page that makes a session of it (spec §4 "Passthrough").
import { redirectLoop } from '../../sessionErrors.ts'
import type { Claims } from '../../protocol/claims.ts'
import { sameId } from '../../protocol/identity.ts'
import type { Settings } from '../../protocol/config.ts'
import type { AddressToken } from '../../protocol/passthrough.ts'
import { passthroughUrl, readInitToken } from '../../protocol/passthroughPage.ts'
import type { Ledger } from '../signIn/attempts.ts'
import type { Platform } from '../platform/platform.ts'
import type { Timeline } from '../timeline.ts'

export interface PassthroughOptions extends Pick<Ledger, 'mark' | 'isMarked' | 'countNavigation'> {
  settings: Settings
  platform: Pick<Platform, 'address' | 'navigate' | 'now'>
  timeline: Timeline
  /** Who is signed in already. */
  user: Pick<Claims, 'userId'> | undefined
  onLeaving(): void
  /** The link was meant for another user than the one who is signed in. */
  onOtherUsersLink(): void
}

const ADDRESS = 'token in the address'
const INIT = 'initToken'
const INIT_MARK = 'passthrough initToken'

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
    if (!token) return false
    const isOther = token.count === 1 && !sameId(token.userId, user.userId)
    if (isOther) options.onOtherUsersLink()
    return skip(ADDRESS, `there is a session already${isOther ? '; the token was for another user' : ''}`)
  }
  // The mark before the navigation: without it the way back could lead here again and again.
  const leave = (step: string, mark: string, jti: string) => {
    if (!options.countNavigation(platform.now())) {
      const loop = redirectLoop()
      timeline.record(step, 'failed', loop)
      throw loop
    }
    if (!options.mark(mark)) return skip(step, 'this browser cannot remember that it was tried')
    timeline.record(step, 'started', 'to the passthrough page')
    options.onLeaving()
    platform.navigate(passthroughUrl(settings.authHost, jti, platform.address()))
    return true
  }

  const { initToken } = settings
  if (token?.jti !== undefined) {
    if (leave(ADDRESS, 'passthrough', token.jti)) {
      if (initToken !== undefined) skip(INIT, 'a token in the address came first')
      return true
    }
  } else if (token) {
    skip(ADDRESS, token.count > 1 ? 'there are several' : 'it has expired, or has no jti')
  }

  if (initToken === undefined) return false
  const read = readInitToken(initToken, platform.now())
  if ('why' in read) return skip(INIT, read.why)
  if (options.isMarked(INIT_MARK)) return skip(INIT, 'it was tried before in this browser session')
  return leave(INIT, INIT_MARK, read.jti)
}
