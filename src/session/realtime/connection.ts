// Joins and leaves the real-time channels of the signed-in user; the code for it loads when it is first needed.
import { within } from '../../within.ts'
import type { Context } from '../context.ts'
import type { Announced, ChannelsOptions, JoinedChannels } from './channels.ts'
import type { Occupant } from './occupants.ts'
import type { Presence } from './presence.ts'
import { loadPubnub } from './pubnubFile.ts'

export interface ConnectionOptions extends Pick<ChannelsOptions, keyof Context | 'send' | 'began'> {
  /** The session held now; `undefined` while nobody is signed in. */
  announced(): Announced | undefined
}

/** `paused`: the session continues elsewhere; `over`: others know already, or need not; `signed-out`: they are told. */
export type LeaveHow = 'paused' | 'over' | 'signed-out'

export interface Connection {
  /** The channels of the signed-in user, once they are joined. */
  presence(): Presence | undefined
  /** Joins the channels; a second call joins the first. They follow a session that a renewal has brought. */
  join(): Promise<void>
  /** Joins the channels because somebody listens; joined channels see that themselves. */
  joinForListener(): void
  /** The user's sessions that are online; from the first call on the store's listeners hear of every change. */
  occupants(): readonly Occupant[]
  /** Whether the channels are joined with a sign-in: a service is configured, or somebody listens or looks who is online. */
  isWanted(): boolean
  /** Leaves the channels. Resolves when the user's other browsers have been told, a second later at the latest. */
  leave(how: LeaveHow): Promise<void>
}

const NOBODY: readonly Occupant[] = Object.freeze([])
/** Telling the user's other browsers of a logout may take this long. */
const GOODBYE_MS = 1_000

export function createConnection(options: ConnectionOptions): Connection {
  const { settings, platform, store, timeline } = options
  let joined: JoinedChannels | undefined
  let joining: Promise<void> | undefined
  let areOccupantsRead = false
  // Aborted by leaving: what loads too late is not started.
  let stay = new AbortController()

  async function joinNow({ signal }: AbortController) {
    const { realtime } = settings
    try {
      const hasService = realtime !== undefined && !('open' in realtime)
      // Both files at once; whoever uses the SDK says what became of it.
      if (hasService) loadPubnub().catch(() => {})
      const { joinChannels } = await import('./channels.ts')
      const announced = options.announced()
      if (signal.aborted || !announced) return
      if (joined) return joined.follow(announced)
      joined = joinChannels({ ...options, ...announced, tabsPort: platform.tabs(), signal })
      joined.onOccupants(() => areOccupantsRead && store.notify())
      store.notify()
    } catch (error) {
      if (signal.aborted) return
      // Wrong keys, or a file that does not load, must not end a session: the developer is told, the user keeps working.
      platform.warn('Real time is not available', error)
      timeline.record('real time', 'failed', 'It could not be started')
      if (realtime) store.change({ type: 'flags', flags: { realtime: 'degraded' } })
    }
  }
  const join = () => {
    joining ??= joinNow(stay).finally(() => {
      joining = undefined
    })
    return joining
  }
  const joinForListener = () => {
    if (!joined && options.announced()) void join()
  }

  return {
    presence: () => joined,
    join,
    joinForListener,
    occupants() {
      areOccupantsRead = true
      joinForListener()
      return joined?.occupants() ?? NOBODY
    },
    isWanted: () =>
      joined !== undefined ||
      settings.realtime !== undefined ||
      areOccupantsRead ||
      options.listening.size > 0,
    async leave(how) {
      stay.abort()
      stay = new AbortController()
      joining = undefined
      const left = joined
      joined = undefined
      if (how === 'signed-out' && left) await within(platform, GOODBYE_MS, left.announceLogout)
      left?.dispose({ leave: how !== 'paused' })
    },
  }
}
