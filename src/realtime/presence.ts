// Keeps one session per user and delivers the channel messages, over whatever connection it is given.
import type { Listening, MessageKind, Presence } from '../session/realtimePort.ts'
import {
  type ChannelNames,
  channelNames,
  makeAnnouncementBody,
  makePresenceId,
  NIL_DEVICE,
  parseAnnouncement,
  parsePresenceId,
  parseTopicMessage,
  type SessionAnnouncement,
  type TopicMessage,
  announcementOf,
  type PresenceIdentity,
} from '../protocol/presence.ts'
import type { UniqueSessionEffect, YieldCause } from '../protocol/uniqueSession.ts'
import type { Platform } from '../session/platform/platform.ts'
import { createOccupants } from './occupants.ts'
import type {
  RealtimeEvent,
  RealtimeLink,
  RealtimeOpenOptions,
  RealtimeTransport,
} from '../protocol/realtimeTransport.ts'
import { faultCodeOf, parsePresenceIds, parseRealtimeEvent } from './realtimeEvents.ts'
import { createSeenMessages } from './streamHistory.ts'
import { createUniqueSession } from './uniqueSession.ts'

/** `degraded` is quiet: sign-in is unaffected, and the connection comes back automatically where it can. */
export type PresenceStatus = 'connecting' | 'connected' | 'degraded'

export interface PresenceOptions {
  readonly identity: PresenceIdentity
  readonly transport: RealtimeTransport
  readonly ports: Pick<Platform, 'monotonicNow' | 'setTimer' | 'warn'>
  readonly firmChannel?: ((firmId: string) => string) | undefined
  /** False: messages and presence only, nobody yields. Default true. */
  readonly isUnique?: boolean | undefined
  readonly cacheSize?: number | undefined
  /** Who listens to messages now. */
  readonly listening: ReadonlySet<Listening>
  /** A newer session has taken over. Called once, and then never again. */
  readonly onYield: (cause: YieldCause) => void
  /** Somebody ended exactly this session. Called once. */
  readonly onRemoteLogout: () => void
  readonly onStatus: (status: PresenceStatus, reason: string | undefined) => void
}

export interface SpeakingPresence extends Presence {
  /** Speaks for another session of the same user from now on, over the same connection: nothing is missed, nobody leaves. */
  takeSession(session: Pick<PresenceIdentity, 'sessionId' | 'sinceMs'>): void
}

const UNPROTECTED =
  'Real time: other devices cannot log this session out, because anybody could send such a message. ' +
  'Give `realtime.getToken` (access control), or accept the risk with `realtime.allowUnprotected: true`.'
const LEAST_RETRY_MS = 2_000
const LARGEST_RETRY_MS = 60_000
/** Why there is no connection. */
export const BAD_IDS = 'The ids of this session cannot be channel names'

type Heard<Type extends RealtimeEvent['type']> = Extract<RealtimeEvent, { type: Type }>

export function createPresence(options: PresenceOptions): SpeakingPresence {
  const { identity, transport, ports, isUnique = true } = options
  const { agentId, sessionType, impersonatorId, deviceId = NIL_DEVICE } = identity
  const type = impersonatorId === undefined ? sessionType : '2'
  const presenceId = makePresenceId({ type, device: deviceId, agentId })
  const names = channelNames({ ...identity, firmChannel: options.firmChannel })
  const isProtected = transport.isProtected !== false
  const own = announcementOf(identity)
  const uniqueSession = createUniqueSession({ own, isProtected, isUnique, ports, carryOut })
  const seen = createSeenMessages(options.cacheSize)
  const occupants = createOccupants(presenceId, own, (error) =>
    ports.warn('A listener of who is online failed', error),
  )
  const connection: Presence['connection'] = { listen: hear, isLeading: () => link?.isSpeaker ?? false }
  let isDisposed = false
  let link: RealtimeLink | undefined
  let cancelAsking: (() => void) | undefined

  function carryOut(effect: UniqueSessionEffect): void {
    if (effect.type === 'announce') void announce(false)
    if (effect.type === 'ask') ask('still-here')
    if (effect.type === 'end') options.onRemoteLogout()
    if (effect.type === 'yield') options.onYield(effect.cause)
  }

  /**
   * Asks who is on the session channel (`occupants`), again until the service responds; or whether those are here who never
   * announced themselves (`still-here`): no response decides about them.
   */
  function ask(purpose: 'occupants' | 'still-here', retryMs = LEAST_RETRY_MS): void {
    cancelAsking?.()
    if (!names || !link) return
    const askLater = () => {
      if (purpose === 'still-here' || isDisposed || !uniqueSession.isConnected) return
      const laterMs = Math.min(retryMs * 2, LARGEST_RETRY_MS)
      cancelAsking = ports.setTimer(() => ask(purpose, laterMs), retryMs)
    }
    link.occupants(names.session).then((listed) => {
      const presenceIds = parsePresenceIds(listed)
      if (!presenceIds) return askLater()
      if (isDisposed) return
      occupants.replace(presenceIds)
      uniqueSession.decide({ type: purpose, presenceIds })
    }, askLater)
  }

  /** One tab speaks for the browser. */
  function announce(logout: boolean): Promise<void> {
    if (!link?.isSpeaker || !names || !uniqueSession.own) return Promise.resolve()
    const body = makeAnnouncementBody({ ...uniqueSession.own, logout })
    return link.publish(names.session, body).catch((fault: unknown) => {
      // What the service refuses it will refuse again.
      if (!logout && faultCodeOf(fault) !== 'denied') uniqueSession.decide({ type: 'unsent' })
    })
  }

  function hear(heard: unknown): void {
    const event = parseRealtimeEvent(heard)
    if (isDisposed || !event) return
    if (event.type === 'state') hearState(event)
    else if (event.type === 'presence') {
      if (event.channel !== names?.session) return
      occupants.change(event.action, event.presenceIds)
      uniqueSession.decide(event)
    } else if (seen.add(`${event.channel} ${event.cursor} ${event.publisher}`)) hearMessage(event)
  }

  function hearState({ state, reason }: Heard<'state'>): void {
    if (state === 'connected') {
      options.onStatus('connected', undefined)
      uniqueSession.decide({ type: 'connected' })
      ask('occupants')
      return
    }
    cancelAsking?.()
    options.onStatus(state === 'connecting' ? 'connecting' : 'degraded', reason ?? state)
    uniqueSession.decide({ type: 'disconnected' })
  }

  function hearMessage({ channel, body, publisher }: Heard<'message'>): void {
    if (channel === names?.session) {
      const announcement = parseAnnouncement(body)
      if (!announcement) return
      if (!announcement.logout && parsePresenceId(publisher)?.agentId === announcement.agentId)
        occupants.describe(publisher, announcement)
      uniqueSession.decide({ type: 'announcement', announcement, publisher })
      return
    }
    if (channel !== names?.user && channel !== names?.firm) return
    const message = parseTopicMessage(body)
    if (!message) return
    deliver(options.listening, channel === names.user ? 'user' : 'firm', message, (what, error) =>
      ports.warn(`A listener of ${what} failed`, error),
    )
  }

  if (!isProtected && isUnique && names && presenceId) ports.warn(UNPROTECTED)
  link = openLink(options, { names, presenceId, listen: (event) => connection.listen(event) })

  return {
    presenceId,
    connection,
    whyNotUnique: () => whyNotUnique({ names, presenceId, own: uniqueSession.own, isProtected }),
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
    takeSession(session) {
      const next = announcementOf({ ...identity, ...session })
      if (next) occupants.describe(presenceId, next)
      const { isConnected } = uniqueSession
      uniqueSession.replace(next)
      if (isConnected) hearState({ type: 'state', state: 'connected' })
    },
    dispose({ leave = false } = {}) {
      if (isDisposed) return
      isDisposed = true
      uniqueSession.stop()
      cancelAsking?.()
      // The tab that holds the connection says goodbye; another one would keep it from saying why.
      link?.close({ leave: leave && link.isSpeaker })
      link = undefined
    },
  }
}

interface Identified {
  names: ChannelNames | undefined
  presenceId: string | undefined
}

function openLink(
  { transport, ports, onStatus }: PresenceOptions,
  { names, presenceId, listen }: Identified & Pick<RealtimeOpenOptions, 'listen'>,
): RealtimeLink | undefined {
  if (!names || !presenceId) {
    onStatus('degraded', BAD_IDS)
    return undefined
  }
  const channels = [{ name: names.session, hasPresence: true }, { name: names.user }]
  if (names.firm !== undefined) channels.push({ name: names.firm })
  try {
    return transport.open({ identity: presenceId, channels, listen })
  } catch (error) {
    // A transport of the app's own may throw; sign-in must not notice.
    ports.warn('Real time: the transport could not be opened', error)
    onStatus('degraded', 'The transport could not be opened')
    return undefined
  }
}

function whyNotUnique({
  names,
  presenceId,
  own,
  isProtected,
}: Identified & { own: SessionAnnouncement | undefined; isProtected: boolean }): string | undefined {
  if (!names) return 'The user id cannot be part of a channel name'
  if (own?.impersonatorId !== undefined) return 'An impersonated session conflicts with no other'
  if (!own || !presenceId) return 'The token has no sessionId, or one that is too long'
  return isProtected ? undefined : UNPROTECTED
}

/** Hands a message to those who listen to its topic and type. `report` is given what a listener throws, and which topic it listens to. */
function deliver(
  all: ReadonlySet<Listening>,
  kind: MessageKind,
  message: TopicMessage,
  report: (what: string, error: unknown) => void,
): void {
  const { topic, messageType: type } = message
  const fail = (error: unknown) => report(`topic ${topic}, type ${type}`, error)
  // A copy: a listener may add and remove listeners.
  const interested = [...all].filter((one) => one.kind === kind && one.topic === topic && one.type === type)
  for (const one of interested) {
    // Removed by one before it.
    if (!all.has(one)) continue
    try {
      Promise.resolve(one.callback(message.data, message)).catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}
