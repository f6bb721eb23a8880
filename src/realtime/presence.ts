// Keeps one session per user and delivers channel messages, over any transport.
import type { Listening, MessageKind } from '../session/realtimePort.ts'
import {
  type ChannelNames,
  forgetOldest,
  makeAnnouncementBody,
  parseAnnouncement,
  parsePresenceId,
  parseTopicMessage,
  type SessionAnnouncement,
  type TopicMessage,
} from '../protocol/presence.ts'
import type { RealtimeEvent, RealtimeLink, RealtimeTransport } from '../protocol/realtimeTransport.ts'
import type { Platform } from '../session/platform/platform.ts'
import type { RealtimeStatus } from '../session/state.ts'
import { createOccupants } from './occupants.ts'
import { isDenied, parsePresenceIds, parseRealtimeEvent } from './realtimeEvents.ts'
import { UniqueSession, type Winner } from './uniqueSession.ts'

/** A session as the other browsers see it. */
export interface PresenceIdentity {
  readonly presenceId: string | undefined
  /** `undefined`: the ids cannot be channel names, so there are no channels. */
  readonly names: ChannelNames | undefined
  /** `undefined`: there is no session id, so no session yields. */
  readonly own: SessionAnnouncement | undefined
}

export interface PresenceOptions {
  readonly identity: PresenceIdentity
  readonly transport: RealtimeTransport
  readonly ports: Pick<Platform, 'monotonicNow' | 'setTimer' | 'warn'>
  /** False: messages and presence only, no session yields. Default true. */
  readonly isUnique?: boolean | undefined
  readonly cacheSize?: number | undefined
  readonly listening: ReadonlySet<Listening>
  readonly onOccupants: () => void
  /** Called once for each newer session. */
  readonly onYield: (winner: Winner) => void
  /** Another device has ended this session. Called once. */
  readonly onRemoteLogout: () => void
  /** `degraded`: sign-in is unaffected, and the connection recovers automatically if possible. `off`: there are no channels. */
  readonly onStatus: (status: RealtimeStatus, reason: string | undefined) => void
}

const UNPROTECTED =
  'Real time: other devices cannot log this session out, because anybody could send such a message. ' +
  'Give `realtime.getToken` (access control), or accept the risk with `realtime.allowUnprotected: true`.'
const LEAST_RETRY_MS = 2_000
const LARGEST_RETRY_MS = 60_000

type Received<Type extends RealtimeEvent['type']> = Extract<RealtimeEvent, { type: Type }>

export function createPresence(options: PresenceOptions) {
  const { transport, ports, isUnique = true, onStatus } = options
  const { presenceId, names } = options.identity
  let { own } = options.identity
  const isProtected = transport.isProtected !== false
  /** The names of the latest messages, to drop duplicates. */
  const seen = new Set<string>()
  const occupants = createOccupants(presenceId, options.onOccupants)
  if (own) occupants.describe(presenceId, own)
  let uniqueSession = new UniqueSession({
    own,
    isProtected,
    isUnique,
    ports,
    announce: () => void announce(false),
    ask: () => ask(),
    onYield: options.onYield,
    onEnd: options.onRemoteLogout,
  })
  let isDisposed = false
  let link: RealtimeLink | undefined
  let cancelAsking: (() => void) | undefined

  /** Fetches the occupants of the session channel, until the service responds. */
  function ask(retryMs = LEAST_RETRY_MS): void {
    cancelAsking?.()
    if (!names || !link) return
    const retry = () => {
      if (isDisposed || !uniqueSession.isConnected) return
      cancelAsking = ports.setTimer(() => ask(Math.min(retryMs * 2, LARGEST_RETRY_MS)), retryMs)
    }
    link.occupants(names.session).then((listed) => {
      const presenceIds = parsePresenceIds(listed)
      if (!presenceIds) return retry()
      if (isDisposed) return
      occupants.replace(presenceIds)
      uniqueSession.listed(presenceIds)
    }, retry)
  }

  /** Only the tab that has the connection announces the session of the browser. */
  async function announce(logout: boolean): Promise<void> {
    if (!link?.isSpeaker || !names || !own) return
    try {
      await link.publish(names.session, makeAnnouncementBody({ ...own, logout }))
    } catch (fault) {
      // The service would refuse it again.
      if (!logout && !isDenied(fault)) uniqueSession.unsent()
    }
  }

  function receive(received: unknown): void {
    const event = parseRealtimeEvent(received)
    if (isDisposed || !event) return
    if (event.type === 'state') receiveState(event)
    else if (event.type === 'presence') {
      if (event.channel !== names?.session) return
      occupants.change(event.action, event.presenceIds)
      uniqueSession.presence(event.action, event.presenceIds)
    } else {
      const name = `${event.channel} ${event.cursor} ${event.publisher}`
      if (seen.has(name)) return
      seen.add(name)
      forgetOldest(seen, options.cacheSize)
      receiveMessage(event)
    }
  }

  function receiveState({ state, reason }: Pick<Received<'state'>, 'state' | 'reason'>): void {
    if (state === 'connected') {
      onStatus('connected', undefined)
      uniqueSession.connected()
      ask()
      return
    }
    cancelAsking?.()
    onStatus(state === 'connecting' ? 'connecting' : 'degraded', reason ?? state)
    uniqueSession.disconnected()
  }

  function receiveMessage({ channel, body, publisher }: Received<'message'>): void {
    if (channel === names?.session) {
      const announcement = parseAnnouncement(body)
      if (!announcement) return
      if (!announcement.logout && parsePresenceId(publisher)?.agentId === announcement.agentId)
        occupants.describe(publisher, announcement)
      uniqueSession.announcement(announcement, publisher)
      return
    }
    const kind = channel === names?.user ? 'user' : channel === names?.firm ? 'firm' : undefined
    const message = parseTopicMessage(body)
    if (kind && message) deliver(options, kind, message)
  }

  if (names && !isProtected && isUnique) ports.warn(UNPROTECTED)
  link = openLink(options, receive)

  return {
    presenceId,
    isLeading: () => link?.isSpeaker ?? false,
    whyNotUnique: () => whyNotUnique(names, own, isProtected),
    occupants: occupants.list,
    /** Notifies the user's other browsers that this session has ended; resolves when sent or given up. */
    announceLogout() {
      link?.stopListening?.()
      return announce(true)
    },
    /** Announces another session of the same user from now on, over the same connection: no message is missed, and no leave is sent. */
    takeSession(next: SessionAnnouncement | undefined) {
      own = next
      if (own) occupants.describe(presenceId, own)
      const { isConnected } = uniqueSession
      uniqueSession = uniqueSession.follow(own)
      if (isConnected) receiveState({ state: 'connected' })
    },
    dispose({ leave = false } = {}) {
      if (isDisposed) return
      isDisposed = true
      uniqueSession.stop()
      cancelAsking?.()
      // Only the tab with the connection leaves: another tab would cut off its announcement of the logout.
      link?.close({ leave: leave && link.isSpeaker })
      link = undefined
    },
  }
}

function deliver({ listening, ports }: PresenceOptions, kind: MessageKind, message: TopicMessage): void {
  const { topic, messageType: type, data } = message
  // Async: what a listener throws rejects, too.
  const call = async ({ callback }: Listening) => callback(data, message)
  const report = (error: unknown) => ports.warn(`A listener of topic ${topic}, type ${type} failed`, error)
  // A copy, because a listener may add and remove listeners.
  for (const one of Array.from(listening)) {
    const isMeant = one.kind === kind && one.topic === topic && one.type === type
    if (isMeant && listening.has(one)) call(one).catch(report)
  }
}

function openLink(
  { identity: { presenceId, names }, transport, ports, onStatus }: PresenceOptions,
  listen: (event: RealtimeEvent) => void,
): RealtimeLink | undefined {
  if (!names || !presenceId) {
    onStatus('off', 'The ids of this session cannot be channel names')
    return undefined
  }
  const channels = [{ name: names.session, hasPresence: true }, { name: names.user }]
  if (names.firm !== undefined) channels.push({ name: names.firm })
  try {
    return transport.open({ identity: presenceId, channels, listen })
  } catch (error) {
    // The app's own transport may throw. Sign-in is unaffected.
    ports.warn('Real time: the transport could not be opened', error)
    onStatus('degraded', 'The transport could not be opened')
    return undefined
  }
}

/** Why no session yields, in words; `undefined` if the newest sign-in stays. */
function whyNotUnique(
  names: ChannelNames | undefined,
  own: SessionAnnouncement | undefined,
  isProtected: boolean,
): string | undefined {
  if (!names) return 'The user id cannot be part of a channel name'
  if (own?.impersonatorId !== undefined) return 'An impersonated session conflicts with no other'
  if (!own) return 'The token has no sessionId, or one that is too long'
  return isProtected ? undefined : UNPROTECTED
}
