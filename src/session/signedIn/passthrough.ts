// Takes a token that arrived, or that the app was given, to the page that makes a session of it.
import { redirectLoop } from '../../sessionErrors.ts'
import { sameId } from '../../protocol/identity.ts'
import type { AddressToken } from '../../protocol/passthrough.ts'
import { passthroughUrl, readInitToken } from '../../protocol/passthroughPage.ts'
import type { Context } from '../context.ts'
import type { IdleAbsence } from './idleAbsence.ts'

type PassthroughContext = Pick<
  Context,
  | 'settings'
  | 'platform'
  | 'timeline'
  | 'tabRecords'
  | 'store'
  | 'tokens'
  | 'server'
  | 'reachability'
  | 'page'
>

const ADDRESS = 'token in the address'
const INIT = 'initToken'
const INIT_MARK = 'passthrough initToken'

export interface Passthrough {
  /**
   * Leaves for the passthrough page; false when there is nothing to go with, or somebody is signed in already. A click
   * meanwhile, by `isOvertaken`, comes first.
   *
   * @throws AuthError `redirect-loop`, and others where the server is away
   */
  leave(token: AddressToken | undefined, isOvertaken: () => boolean): Promise<boolean>
  /** Whether the link that was followed was meant for another user than the one who is signed in; true once. */
  takeOtherUsersLink(): boolean
}

export function createPassthrough(
  context: PassthroughContext,
  { wasSentAway }: Pick<IdleAbsence, 'wasSentAway'>,
): Passthrough {
  let isOtherUsersLink = false
  return {
    async leave(token, isOvertaken) {
      // The page leaves already: the session that was found has ended as idle.
      if (wasSentAway()) return true
      const onOtherUsersLink = () => {
        isOtherUsersLink = true
        context.store.notify()
      }
      return passThrough(context, token, { onOtherUsersLink, isOvertaken })
    },
    takeOtherUsersLink() {
      const isUntold = isOtherUsersLink
      isOtherUsersLink = false
      return isUntold
    },
  }
}

async function passThrough(
  context: PassthroughContext,
  token: AddressToken | undefined,
  { onOtherUsersLink, isOvertaken }: { onOtherUsersLink(): void; isOvertaken(): boolean },
): Promise<boolean> {
  const { settings, platform, timeline, tabRecords, tokens } = context
  const user = tokens.holding?.claims
  const skip = (step: string, why: string) => {
    timeline.record(step, 'skipped', why)
    return false
  }
  if (user) {
    if (!token) return false
    const isOther = token.count === 1 && !sameId(token.userId, user.userId)
    if (isOther) onOtherUsersLink()
    return skip(ADDRESS, `there is a session already${isOther ? '; the token was for another user' : ''}`)
  }
  // The mark before the navigation: without it the way back could lead here again and again.
  const leave = async (step: string, mark: string, jti: string) => {
    await context.reachability.check(context.server)
    if (context.page().aborted || isOvertaken()) return true
    if (!tabRecords.countNavigation(platform.now())) {
      const loop = redirectLoop()
      timeline.record(step, 'failed', loop)
      throw loop
    }
    if (!tabRecords.mark(mark)) return skip(step, 'this browser cannot remember that it was tried')
    timeline.record(step, 'started', 'to the passthrough page')
    context.store.change({ type: 'redirecting', to: 'passthrough' })
    platform.navigate(passthroughUrl(settings.authHost, jti, platform.address()))
    return true
  }

  const { initToken } = settings
  if (token?.jti !== undefined) {
    if (await leave(ADDRESS, 'passthrough', token.jti)) {
      if (initToken !== undefined) skip(INIT, 'a token in the address came first')
      return true
    }
  } else if (token) {
    skip(ADDRESS, token.count > 1 ? 'there are several' : 'it has expired, or has no jti')
  }

  if (initToken === undefined) return false
  if (!settings.server.supports('passthrough')) return skip(INIT, 'the server has no page for it')
  const read = readInitToken(initToken, platform.now())
  if ('why' in read) return skip(INIT, read.why)
  if (tabRecords.isMarked(INIT_MARK)) return skip(INIT, 'it was tried before in this browser session')
  return leave(INIT, INIT_MARK, read.jti)
}
