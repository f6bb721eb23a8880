// Takes a token that arrived, or that the app was given, to the page that makes a session of it; that loads when there is one.
import { sameId } from '../../../protocol/identity.ts'
import { ADDRESS_STEP, type AddressToken, INIT_MARK } from '../../../protocol/passthrough.ts'
import type { Context } from '../../context.ts'
import { loadLater } from '../../laterFile.ts'
import type { IdleTime } from '../idleLogout.ts'
import type { PassthroughContext } from './passthroughPage.ts'

export type Passthrough = ReturnType<typeof createPassthrough>

export function createPassthrough(
  context: PassthroughContext & Pick<Context, 'tokens'>,
  { wasSentAway }: Pick<IdleTime, 'wasSentAway'>,
) {
  const { settings, platform, timeline, tabRecords, tokens, store } = context
  let isOtherUsersLink = false
  return {
    /** Asks for the file that leaving needs: at once, so that it comes while the session is looked for. */
    prepare(token: AddressToken | undefined) {
      if (token || (settings.initToken !== undefined && !tabRecords.isMarked(INIT_MARK)))
        loadLater(platform).catch(() => {})
    },
    /**
     * Leaves for the passthrough page; false when there is nothing to go with, or somebody is signed in already. A click
     * meanwhile, by `isOvertaken`, comes first.
     *
     * @throws AuthError `redirect-loop`, and others where the server is away or a file of latchkey does not come
     */
    async leave(token: AddressToken | undefined, isOvertaken: () => boolean) {
      // The page leaves already: the session that was found has ended as idle.
      if (wasSentAway()) return true
      const user = tokens.current?.claims
      if (user && token) {
        const isOther = token.count === 1 && !sameId(token.userId, user.userId)
        if (isOther) {
          isOtherUsersLink = true
          store.notify()
        }
        const why = isOther ? '; the token was for another user' : ''
        timeline.record(ADDRESS_STEP, 'skipped', `there is a session already${why}`)
      }
      if (user || (!token && settings.initToken === undefined)) return false
      const file = await loadLater(platform)
      return file.passThrough(context, token, isOvertaken)
    },
    /** Whether the link that was followed was meant for another user than the one who is signed in; true once. */
    takeOtherUsersLink() {
      const isUntold = isOtherUsersLink
      isOtherUsersLink = false
      return isUntold
    },
  }
}
