// Takes a token that arrived, or that the app was given, to the page that makes a session of it (spec §4 "Passthrough").
import { redirectLoop } from '../sessionErrors.ts'
import type { Settings } from '../protocol/config.ts'
import { type AddressToken, passthroughUrl, readInitToken } from '../protocol/passthrough.ts'
import type { Platform } from './platform.ts'
import type { Timeline } from './timeline.ts'

export interface PassthroughOptions {
  settings: Settings
  platform: Pick<Platform, 'address' | 'navigate' | 'now'>
  timeline: Timeline
  /** Remembers for this browser session that something was tried; false when it was before, or cannot be remembered. */
  markOnce(what: string): boolean
  countNavigation(nowMs: number): boolean
  onLeaving(): void
}

/**
 * Leaves for the passthrough page; false when there is nothing to go with.
 *
 * @throws AuthError `redirect-loop`
 */
export function passThrough(options: PassthroughOptions, token: AddressToken | undefined): boolean {
  const { settings, platform, timeline } = options
  const step = token ? 'token in the address' : 'initToken'
  if (!token && settings.initToken === undefined) return false

  const jti = token ? token.jti : readInitToken(settings.initToken!, settings, platform.now())
  if (jti === undefined) {
    const why = token && token.count > 1 ? 'there are several' : 'it has expired, or is not for this app'
    timeline.record(step, 'skipped', why)
    return false
  }
  // The mark before the navigation: without it the way back could lead here again and again.
  if (!options.markOnce(token ? `passthrough ${platform.now()}` : 'passthrough initToken')) {
    timeline.record(
      step,
      'skipped',
      'it was tried before in this browser session, or that cannot be remembered',
    )
    return false
  }
  if (!options.countNavigation(platform.now())) throw redirectLoop()
  timeline.record(step, 'started', 'to the passthrough page')
  options.onLeaving()
  platform.navigate(passthroughUrl(settings.authHost, jti, platform.address()))
  return true
}
