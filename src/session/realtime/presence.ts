// Keeps one session per user and delivers the channel messages, over whatever real-time line it is given (spec §4; contract §7).
import {
  channelNames,
  makeAnnouncementBody,
  makePresenceId,
  NIL_DEVICE,
  parseAnnouncement,
  parsePresenceId,
  parseTopicMessage,
} from '../../protocol/presence.ts'
import { announcementOf, type PresenceIdentity } from '../../protocol/presenceIdentity.ts'
import { initialUniqueSession, nextTickAtMs, stepUniqueSession } from '../../protocol/uniqueSession.ts'
import type { UniqueSessionEvent } from '../../protocol/uniqueSession.ts'
import type { Platform } from '../platform/platform.ts'
import { createOccupants, type Occupant } from './occupants.ts'
import { RealtimeFault } from './realtime.ts'
import type { RealtimeEvent, RealtimeLink, RealtimeTransport } from './realtime.ts'
import { parsePresenceIds, parseRealtimeEvent } from './realtimeEvents.ts'
import { createSeenMessages } from './seenMessages.ts'
import { createTopicListeners, type MessageKind, type MessageListener } from './topicListeners.ts'

/** Why this session is the one to go. */
export interface YieldInfo {
  readonly by: 'announcement' | 'presence'
  readonly atMs: number
  /** The browser that stays. */
  readonly agentId: string
  readonly sessionId: string | undefined
  /** When the session that stays began, by the server's clock; undefined when its browser does not say. */
  readonly sinceMs: number | undefined
}

/** `degraded` is quiet: sign-in is unaffected, and the line heals by itself where it can. */
export type PresenceStatus = 'connecting' | 'connected' | 'degraded'

export interface PresenceOptions {
  readonly identity: PresenceIdentity
  readonly transport: RealtimeTransport
  readonly ports: Pick<Platform, 'monotonicNow' | 'now' | 'setTimer' | 'warn'>
  readonly firmChannel?: ((firmId: string) => string) | undefined
  /** False: messages and presence only, nobody yields (spec §3 `uniqueSession`). Default true. */
  readonly isUnique?: boolean | undefined
  readonly cacheSize?: number | undefined
  /** A newer session has taken over. Called once, and then never again. */
  readonly onYield: (info: YieldInfo) => void
  /** Somebody ended exactly this session. Called once. */
  readonly onRemoteLogout: () => void
  readonly onStatus: (status: PresenceStatus, reason: string | undefined) => void
}

export interface Presence {
  readonly presenceId: string | undefined
  /** Why nobody yields to anybody here, in words; `undefined` where the newest sign-in stays. */
  whyNotUnique(): string | undefined
  /** Calls back for every message of a topic and type; returns the removal. */
  listen(kind: MessageKind, topic: string, messageType: string, callback: MessageListener): () => void
  /** Sends a user- or firm-channel message; rejects where the service lets only the server write. */
  publish(kind: MessageKind, message: { topic: string; messageType: string; data: unknown }): Promise<void>
  /** Sessions of this user that are online now, this one included; the same array until it changes. */
  occupants(): readonly Occupant[]
  onOccupants(listener: () => void): () => void
  /** Tells the user's other browsers that this session has ended; resolves when sent or given up. */
  announceLogout(): Promise<void>
  /** The line as the devtools see it: who holds it, and what takes its events; another `listen` cuts it off. */
  readonly line: { listen(event: RealtimeEvent): void; isLeading(): boolean }
  dispose(options?: { readonly leave?: boolean | undefined }): void
}

export interface SpeakingPresence extends Presence {
  /** Speaks for another session of the same user from now on, over the same line: nothing is missed, nobody leaves. */
  takeSession(session: Pick<PresenceIdentity, 'sessionId' | 'sinceMs'>): void
}

const LEAST_RETRY_MS = 2_000
const LARGEST_RETRY_MS = 60_000

const UNPROTECTED =
  'Real time: other devices cannot log this session out, because anybody could send such a message. ' +
  'Give `realtime.getToken` (access control), or accept the risk with `realtime.allowUnprotected: true`.'

export function createPresence(options: PresenceOptions): SpeakingPresence {
  const { identity, transport, ports, isUnique = true } = options
  const { agentId, sessionType, impersonatorId, deviceId = NIL_DEVICE } = identity
  const type = impersonatorId === undefined ? sessionType : '2'
  const presenceId = makePresenceId({ type, device: deviceId, agentId })
  const names = channelNames({ ...identity, firmChannel: options.firmChannel })
  let own = announcementOf(identity)
  const isProtected = transport.isProtected !== false
  const seen = createSeenMessages(options.cacheSize)
  const topics = createTopicListeners((what, error) => ports.warn(`A listener of ${what} failed`, error))
  const line: Presence['line'] = { listen: hear, isLeading: () => link?.isSpeaker ?? false }
  const occupants = createOccupants(presenceId, own, (error) =>
    ports.warn('A listener of who is online failed', error),
  )
  let session = initialUniqueSession
  let isDisposed = false
  let link: RealtimeLink | undefined
  let cancelTick: (() => void) | undefined
  let tickAtMs: number | undefined
  let cancelRetry: (() => void) | undefined

  function decide(event: UniqueSessionEvent): void {
    if (isDisposed || !own) return
    const step = stepUniqueSession({ own, isProtected, isUnique }, session, event, ports.monotonicNow())
    session = step.state
    planTick()
    for (const effect of step.effects) {
      if (effect.type === 'announce') void announce(false)
      if (effect.type === 'ask') askWhoIsHere('still-here')
      if (effect.type === 'end') options.onRemoteLogout()
      if (effect.type === 'yield') {
        const { cause } = effect
        const announcement = cause.by === 'announcement' ? cause.announcement : undefined
        const agent = cause.by === 'announcement' ? cause.announcement.agentId : cause.agentId
        options.onYield({
          by: cause.by,
          atMs: ports.now(),
          agentId: agent,
          sessionId: announcement?.sessionId,
          sinceMs: announcement?.since === 0 ? undefined : announcement?.since,
        })
      }
    }
  }

  function planTick(): void {
    const dueMs = nextTickAtMs(session)
    if (dueMs === tickAtMs) return
    cancelTick?.()
    tickAtMs = dueMs
    cancelTick =
      dueMs === undefined
        ? undefined
        : ports.setTimer(
            () => {
              tickAtMs = undefined
              decide({ type: 'tick' })
            },
            Math.max(0, dueMs - ports.monotonicNow()),
          )
  }

  /** One tab speaks for the browser. */
  function announce(logout: boolean): Promise<void> {
    if (!link?.isSpeaker || !names || !own) return Promise.resolve()
    return link.publish(names.session, makeAnnouncementBody({ ...own, logout })).catch((fault: unknown) => {
      // What the service refuses it will refuse again.
      if (!logout && !(fault instanceof RealtimeFault && fault.code === 'denied')) decide({ type: 'unsent' })
    })
  }

  function askWhoIsHere(purpose: 'occupants' | 'still-here', retryMs = LEAST_RETRY_MS): void {
    if (!link || !names) return
    cancelRetry?.()
    link.occupants(names.session).then((listed) => {
      if (isDisposed) return
      const presenceIds = parsePresenceIds(listed)
      if (!presenceIds) return askLater()
      occupants.replace(presenceIds)
      decide({ type: purpose, presenceIds })
    }, askLater)
    function askLater() {
      // Nobody is judged by an answer that did not come; who is here is asked again while the line is up.
      if (isDisposed || purpose === 'still-here' || !session.isConnected) return
      const laterMs = Math.min(retryMs * 2, LARGEST_RETRY_MS)
      cancelRetry = ports.setTimer(() => askWhoIsHere(purpose, laterMs), retryMs)
    }
  }

  function hear(heard: unknown): void {
    const event = parseRealtimeEvent(heard)
    if (isDisposed || !event) return
    if (event.type === 'state') hearState(event)
    else if (event.type === 'presence') {
      if (event.channel !== names?.session) return
      occupants.change(event.action, event.presenceIds)
      decide(event)
    } else if (seen.add(`${event.channel} ${event.cursor} ${event.publisher}`)) hearMessage(event)
  }

  function hearState({ state, reason }: Extract<RealtimeEvent, { type: 'state' }>): void {
    if (state === 'connected') {
      options.onStatus('connected', undefined)
      decide({ type: 'connected' })
      askWhoIsHere('occupants')
      return
    }
    cancelRetry?.()
    options.onStatus(state === 'connecting' ? 'connecting' : 'degraded', reason ?? state)
    decide({ type: 'disconnected' })
  }

  function hearMessage({ channel, body, publisher }: Extract<RealtimeEvent, { type: 'message' }>): void {
    if (channel === names?.session) {
      const announcement = parseAnnouncement(body)
      if (!announcement) return
      if (!announcement.logout && parsePresenceId(publisher)?.agentId === announcement.agentId)
        occupants.describe(publisher, announcement)
      decide({ type: 'announcement', announcement, publisher })
      return
    }
    if (channel !== names?.user && channel !== names?.firm) return
    const message = parseTopicMessage(body)
    if (message) topics.deliver(channel === names.user ? 'user' : 'firm', message)
  }

  if (names && presenceId) {
    if (!isProtected && isUnique) ports.warn(UNPROTECTED)
    try {
      link = transport.open({
        identity: presenceId,
        channels: [
          { name: names.session, hasPresence: true },
          { name: names.user },
          ...(names.firm === undefined ? [] : [{ name: names.firm }]),
        ],
        listen: (event) => line.listen(event),
      })
    } catch (error) {
      // A transport of the app's own may throw; sign-in must not notice.
      ports.warn('Real time: the transport could not be opened', error)
      options.onStatus('degraded', 'The transport could not be opened')
    }
  } else options.onStatus('degraded', 'The ids of this session cannot be channel names')

  return {
    presenceId,
    line,
    whyNotUnique() {
      if (!names) return 'The user id cannot be part of a channel name'
      if (own?.impersonatorId !== undefined) return 'An impersonated session conflicts with no other'
      if (!own || !presenceId) return 'The token has no sessionId, or one that is too long'
      return isProtected ? undefined : UNPROTECTED
    },

    listen: topics.listen,

    async publish(kind, message) {
      const channel = kind === 'user' ? names?.user : names?.firm
      if (link && channel !== undefined) await link.publish(channel, message)
    },

    occupants: () => occupants.list(),
    onOccupants: (listener) => occupants.subscribe(listener),
    announceLogout() {
      link?.stopListening?.()
      return announce(true)
    },

    takeSession({ sessionId, sinceMs }) {
      own = announcementOf({ ...identity, sessionId, sinceMs })
      if (own) occupants.describe(presenceId, own)
      const { isConnected, announcedAtMs, ended } = session
      session = { ...initialUniqueSession, announcedAtMs, ended }
      if (isConnected) hearState({ type: 'state', state: 'connected' })
      else planTick()
    },

    dispose({ leave = false } = {}) {
      if (isDisposed) return
      isDisposed = true
      cancelTick?.()
      cancelRetry?.()
      topics.clear()
      // The tab that holds the line says goodbye; another one would keep it from saying why.
      link?.close({ leave: leave && link.isSpeaker })
      link = undefined
    },
  }
}
