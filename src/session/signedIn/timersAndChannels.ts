// What runs in a page while somebody is signed in: idle time, real time, the look for another environment.
import type { SignedOutReason } from '../../protocol/claims.ts'
import { FILE_WAIT_MS } from '../../sessionConstants.ts'
import type { Context } from '../context.ts'
import { loadAppFetchFile } from '../http/lazyFetch.ts'
import { loadFile, loadLater } from '../laterFile.ts'
import type { Connection, LeaveHow } from '../realtimePort.ts'
import type { SendEvent } from '../sessionEvent.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { Bearer } from './bearer.ts'
import type { IdleTime } from './idle.ts'

export const loadEnvironment = (platform: Context['platform']) =>
  loadFile(platform, () => import('./environment.ts'))

export type TimersAndChannels = ReturnType<typeof createTimersAndChannels>

/** Who gives way need not say so: the other session knows; and the server knows of one that expired. */
export const leaveHow = (reason: SignedOutReason): LeaveHow =>
  reason === 'session-clash' || reason === 'expired' ? 'over' : 'signed-out'

export function createTimersAndChannels(
  context: Pick<Context, 'settings' | 'platform' | 'timeline' | 'store' | 'tokens' | 'tabRecords'>,
  {
    connection,
    otherTabs,
    bearer,
    idleTime,
    send,
  }: {
    connection: Pick<Connection, 'start' | 'leave'>
    otherTabs: Pick<OtherTabs, 'open'>
    bearer: Pick<Bearer, 'call'>
    idleTime: Pick<IdleTime, 'start' | 'stop'>
    send: SendEvent
  },
) {
  const { settings, platform, timeline, tokens } = context
  let scope = new AbortController()

  /** After the user is in, and without making anything wait. */
  async function lookForEnvironment(signal: AbortSignal) {
    const { claims } = tokens.current ?? {}
    const file = await loadEnvironment(platform).catch(() => undefined)
    if (!file) return timeline.record('environment', 'failed', 'it could not be loaded')
    if (!claims || signal.aborted) return
    await file.redirectToEnvironment(context, { claims, signal, call: bearer.call, send })
  }

  /** A file that does not come is asked for again: the session must end in time. */
  async function watchEnd(signal: AbortSignal) {
    const file = await loadLater(platform).catch(() => undefined)
    if (file) file.watchSessionEnd(context, signal, send)
    else if (!signal.aborted) platform.setTimer(() => void watchEnd(signal), FILE_WAIT_MS)
  }

  return {
    /** A session began here, or a renewal brought another one of the same user; `isNew` when this tab got it from the server. */
    start(isNew: boolean): void {
      // So that the app's first own call seldom waits for it; one that comes sooner, or after a failure, asks for it itself.
      platform.whenIdle?.(() => void loadAppFetchFile().catch(() => {}))
      idleTime.start()
      if (tokens.current?.sessionEndsAtMs !== undefined) void watchEnd(scope.signal)
      connection.start()
      const mayRedirect = settings.redirectionsUrl !== undefined && settings.server.supports('environments')
      if (isNew && mayRedirect) void lookForEnvironment(scope.signal)
      const others = otherTabs.open()
      if (isNew) void others?.signedIn()
    },
    /** Stops everything. Resolves when the user's other browsers have been told, a second later at the latest. */
    stop(how: LeaveHow): Promise<void> {
      scope.abort()
      scope = new AbortController()
      idleTime.stop()
      return connection.leave(how)
    },
  }
}
