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
  let areOccupantsRead = false
  /** Set while the channels are joined or being joined. Aborted by `leave`: a file that loads later starts no channels. */
  let stay: AbortController | undefined

  async function join() {
    const { realtime } = settings
    const first = tokens.current
    // While the page is not in use, nothing is joined: `start` does so when it is used again.
    if (stay || !first || page().aborted) return
    stay = new AbortController()
    const { signal } = stay
    try {
      const tabsPort = platform.tabs()
      const transport =
        realtime && 'connect' in realtime
          ? realtime.connect({ ...platform, ...tabsPort }, () => (tokens.current ?? first).claims)
          : realtime
      // The files of both at once.
      const [{ joinChannels }, service] = await Promise.all([import('./channels.ts'), transport])
      if (signal.aborted) return
      const session = tokens.current
      if (!session) return void (stay = undefined)
      const onOccupants = () => areOccupantsRead && store.notify()
      channels = joinChannels(context, { listening, onOccupants, send, session, tabsPort, service, signal })
      store.notify()
    } catch (error) {
      if (signal.aborted) return
      stay = undefined
      // Wrong keys, or a file that does not load, must not end a session: only the console says so.
      platform.warn('Real time is not available', error)
      timeline.record('real time', 'failed', 'It could not be started')
      if (realtime) store.change({ type: 'flags', flags: { realtime: 'degraded' } })
    }
  }

  return {
    presence: () => channels,
    start() {
      const { realtime, uniqueSession } = settings
      if (uniqueSession && !realtime) timeline.record(UNIQUE_SESSION_STEP, 'skipped', NO_SERVICE)
      if (channels && tokens.current) channels.follow(tokens.current)
      else if (realtime || areOccupantsRead || listening.size > 0) void join()
    },
    listen(one) {
      listening.add(one)
      void join()
      return () => void listening.delete(one)
    },
    occupants() {
      areOccupantsRead = true
      void join()
      return channels?.occupants() ?? NOBODY
    },
    async leave(how) {
      stay?.abort()
      stay = undefined
      const left = channels
      channels = undefined
      await left?.leave(how)
    },
  }
}
