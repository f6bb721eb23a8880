// What runs in a page while a user is signed in: real time, the channel to the other tabs, and what the features run.
import { REASONS, type SignedOutReason } from '../../protocol/signedOutReasons.ts'
import type { Context } from '../context.ts'
import type { Feature } from '../feature.ts'
import { fetchAppFetchFile } from '../http/lazyFetch.ts'
import type { Connection, LeaveHow } from '../realtimePort.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'

export type TimersAndChannels = ReturnType<typeof createTimersAndChannels>

export const leaveHow = (reason: SignedOutReason): LeaveHow =>
  REASONS[reason].isAnnounced ? 'signed-out' : 'over'

export function createTimersAndChannels(
  { platform }: Pick<Context, 'platform'>,
  parts: {
    connection: Pick<Connection, 'start' | 'leave'>
    otherTabs: Pick<OtherTabs, 'open'>
    features: readonly Feature[]
  },
) {
  const { connection, otherTabs, features } = parts
  let scope = new AbortController()
  return {
    /** A session began here, or a renewal brought another one of the same user; `isNew` when this tab got it from the server. */
    start(isNew: boolean): void {
      fetchAppFetchFile(platform)
      for (const { whileSignedIn } of features) whileSignedIn?.(scope.signal, isNew)
      connection.start()
      const others = otherTabs.open()
      if (isNew) void others?.signedIn()
    },
    /** Stops everything. Resolves when the user's other browsers have been told, a second later at the latest. */
    stop(how: LeaveHow): Promise<void> {
      scope.abort()
      scope = new AbortController()
      return connection.leave(how)
    },
  }
}
