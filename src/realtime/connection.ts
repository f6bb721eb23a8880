// Joins and leaves the real-time channels of the signed-in user; the code for it loads when it is first needed.
import type { Context } from '../session/context.ts'
import type { JoinedChannels } from './channels.ts'
import type { SendEvent } from '../session/sessionEvent.ts'
import {
  type Connection,
  type Listening,
  type Occupant,
  UNIQUE_SESSION_STEP,
} from '../session/realtimePort.ts'

const NOBODY: readonly Occupant[] = Object.freeze([])
const NO_SERVICE = 'No `realtime` in the config: the user’s other devices cannot be heard'

export function createConnection(
  context: Pick<Context, 'settings' | 'platform' | 'store' | 'timeline' | 'tokens' | 'marker' | 'page'>,
  send: SendEvent,
): Connection {
  const { settings, platform, store, timeline, tokens, page } = context
  const listening = new Set<Listening>()
  let channels: JoinedChannels | undefined
  let joining: Promise<void> | undefined
  let areOccupantsRead = false
  let isAloneTold = false
  // Aborted by `leave`: a file that loads later starts no channels.
  let stay = new AbortController()

  async function joinNow({ signal }: AbortController) {
    const { realtime } = settings
    try {
      const first = tokens.current
      if (!first) return
      const tabsPort = platform.tabs()
      const transport =
        realtime && 'connect' in realtime
          ? realtime.connect({ ...platform, ...tabsPort }, () => (tokens.current ?? first).claims)
          : realtime
      // The files of both at once.
      const [{ joinChannels }, service] = await Promise.all([import('./channels.ts'), transport])
      const session = tokens.current
      if (signal.aborted || !session) return
      if (channels) return channels.follow(session)
      const onOccupants = () => areOccupantsRead && store.notify()
      channels = joinChannels(context, { listening, onOccupants, send, session, tabsPort, service, signal })
      store.notify()
    } catch (error) {
      if (signal.aborted) return
      // Wrong keys, or a file that does not load, must not end a session: only the console says so.
      platform.warn('Real time is not available', error)
      timeline.record('real time', 'failed', 'It could not be started')
      if (realtime) store.change({ type: 'flags', flags: { realtime: 'degraded' } })
    }
  }
  const join = async () => {
    // The page is not in use. `start` joins the channels when it is used again.
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
      if (uniqueSession && !realtime && !isAloneTold)
        timeline.record(UNIQUE_SESSION_STEP, 'skipped', NO_SERVICE)
      isAloneTold = true
      if (channels || realtime || areOccupantsRead || listening.size > 0) void join()
    },
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
      await left?.leave(how)
    },
  }
}
