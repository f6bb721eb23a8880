// Takes a token in the URL or in `initToken` to the passthrough page, which turns it into a session; the rest loads later.
import { sameId } from '../../../protocol/identity.ts'
import {
  ADDRESS_STEP,
  type AddressToken,
  INIT_MARK,
  INIT_STEP,
  takeToken,
} from '../../../protocol/passthrough.ts'
import type { Context } from '../../context.ts'
import type { Flow } from '../../http/reachability.ts'
import { loadLater, withLater } from '../../laterFile.ts'

export function createPassthrough(context: Context) {
  const { settings, platform, timeline, tabRecords, tokens, store, disposal } = context
  const { initToken } = settings
  /** Kept for a repeated start-up: by then it is no longer in the URL. */
  let token: AddressToken | undefined
  let isOtherUsersLink = false
  const forget = () => {
    token = undefined
  }
  return {
    forget,
    takeFromAddress(address: string) {
      // Without a passthrough page the parameter is the app's.
      const found = settings.server.supports('passthrough') && takeToken(address, settings, platform.now())
      if (found && found.count > 0) {
        token = found
        disposal().addEventListener('abort', forget)
      }
      // Preload the file during the search for a session.
      if (token || (initToken !== undefined && !tabRecords.isMarked(INIT_MARK)))
        void withLater(platform, () => {})
      return found && token ? found.address : undefined
    },
    startUpStep: {
      /** @throws AuthError `redirect-loop`, and others where the server is away or a file of latchkey does not come */
      async run(isOvertaken: () => boolean, flow: Flow) {
        if (!token && initToken === undefined) return false
        const file = await loadLater(platform)
        return file.passThrough(context, token, isOvertaken, flow)
      },
      skip(why: string) {
        const user = tokens.current?.claims
        if (user && token) {
          const isOther = token.count === 1 && !sameId(token.userId, user.userId)
          timeline.record(ADDRESS_STEP, 'skipped', why + (isOther ? '; the token was for another user' : ''))
          if (isOther) {
            isOtherUsersLink = true
            store.notify()
          }
        }
        if (initToken !== undefined) timeline.record(INIT_STEP, 'skipped', why)
      },
    },
    /** Whether the page was opened by a link for another user than the one signed in; true once. */
    takeOtherUsersLink() {
      const isUntold = isOtherUsersLink
      isOtherUsersLink = false
      return isUntold
    },
  }
}
