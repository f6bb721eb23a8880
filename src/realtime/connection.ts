// Joins and leaves the real-time channels of the signed-in user; the code for it loads when it is first needed.
import { within } from '../within.ts'
import type { RealtimeService } from '../protocol/realtimeTransport.ts'
import type { Context } from '../session/context.ts'
import type { CurrentSession, JoinedChannels } from './channels.ts'
import type { TabsPort } from '../session/platform/platform.ts'
import type { SendEvent } from '../session/sessionEvent.ts'
import {
  type Connection,
  type Listening,
  type Occupant,
  NO_SERVICE,
  recordUniqueSession,
} from '../session/realtimePort.ts'

const NOBODY: readonly Occupant[] = Object.freeze([])
/** Telling the user's other browsers of a logout may take this long. */
const GOODBYE_MS = 1_000

export function createConnection(
  {
    settings,
    platform,
    store,
    timeline,
    tokens,
    marker,
    page,
  }: Pick<Context, 'settings' | 'platform' | 'store' | 'timeline' | 'tokens' | 'marker' | 'page'>,
  send: SendEvent,
): Connection {
  const listening = new Set<Listening>()
  let channels: JoinedChannels | undefined
  let joining: Promise<void> | undefined
  let areOccupantsRead = false
  // Aborted by leaving: what loads too late is not started.
  let stay = new AbortController()

  /** The session held now. */
  const currentSession = (): CurrentSession | undefined =>
    tokens.current && { claims: tokens.current.claims, tokenSinceMs: tokens.current.sinceMs }

  const connectService = (service: RealtimeService, tabsPort: TabsPort, first: CurrentSession) =>
    service.connect({ ...platform, ...tabsPort }, () => {
      const { userId, firmId, sessionId, impersonatorId } = (currentSession() ?? first).claims
      return { userId, firmId, sessionId, impersonatorId }
    })

  async function joinNow({ signal }: AbortController) {
    const { realtime } = settings
    try {
      const first = currentSession()
      if (!first) return
      const tabsPort = platform.tabs()
      const transport =
        realtime && 'connect' in realtime ? connectService(realtime, tabsPort, first) : realtime
      // The files of both at once.
      const [{ joinChannels }, service] = await Promise.all([import('./channels.ts'), transport])
      const session = currentSession()
      if (signal.aborted || !session) return
      if (channels) return channels.follow(session)
      channels = joinChannels({
        settings,
        platform,
        store,
        timeline,
        listening,
        began: marker.since,
        send,
        ...session,
        tabsPort,
        service,
        signal,
      })
      channels.onOccupants(() => areOccupantsRead && store.notify())
      store.notify()
    } catch (error) {
      if (signal.aborted) return
      // Wrong keys, or a file that does not load, must not end a session: the developer is told, the user keeps working.
      platform.warn('Real time is not available', error)
      timeline.record('real time', 'failed', 'It could not be started')
      if (realtime) store.change({ type: 'flags', flags: { realtime: 'degraded' } })
    }
  }
  const join = async () => {
    // Nobody uses the page: the next one who does joins, if it is still wanted.
    if (page().aborted) return
    joining ??= joinNow(stay).finally(() => {
      joining = undefined
    })
    await joining
  }
  const joinForListener = () => {
    if (!channels && tokens.current) void join()
  }

  return {
    presence: () => channels,
    start() {
      const { realtime, uniqueSession } = settings
      if (uniqueSession && !realtime) recordUniqueSession(timeline, NO_SERVICE)
      if (channels || realtime || areOccupantsRead || listening.size > 0) void join()
    },
    join,
    listen(one) {
      listening.add(one)
      joinForListener()
      return () => void listening.delete(one)
    },
    occupants() {
      areOccupantsRead = true
      joinForListener()
      return channels?.occupants() ?? NOBODY
    },
    async leave(how) {
      stay.abort()
      stay = new AbortController()
      joining = undefined
      const left = channels
      channels = undefined
      if (how === 'signed-out' && left) await within(platform, GOODBYE_MS, left.announceLogout)
      left?.dispose({ leave: how !== 'paused' })
    },
  }
}
