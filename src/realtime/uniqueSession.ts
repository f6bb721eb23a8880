// Only the newest sign-in of a user stays: announces this session, and yields to a newer one.
import {
  forgetOldest,
  newer,
  NIL_DEVICE,
  parsePresenceId,
  REALTIME_CACHE_SIZE,
  type SessionAnnouncement,
} from '../protocol/presence.ts'
import type { Platform } from '../session/platform/platform.ts'

/** A newer session takes over this long after its announcement, unless it announces its logout first. */
const SETTLE_MS = 300
const ANNOUNCE_GAP_MS = 2_000
/** While others are on the channel, announcements are repeated this long after the first, then every `LAST_REPEAT_MS`. */
const REPEAT_MS: readonly number[] = [2_000, 8_000, 30_000, 120_000, 420_000]
const LAST_REPEAT_MS = 300_000
/** An unannounced client that stays this long ends the session. */
const UNANNOUNCED_LIMIT_MS = 12_000
/** Announcements are ignored for this long after the session's logout. Later, the user may have signed in to it again. */
const GOODBYE_COUNTS_MS = 10_000
/** Without access control, a logout message ends only a session with an id of at least this length: too long to guess. */
const UNGUESSABLE_LENGTH = 22

/** The session that this one yields to; only an agent id for an unannounced client. */
export type Winner = Pick<SessionAnnouncement, 'agentId'> & Partial<SessionAnnouncement>

/** Another client of the channel. */
interface Client {
  isPresent: boolean
  /** It was present when this session connected, so its presence does not end this session. */
  isEarlier: boolean
  /** Whether the session that it announced conflicts with this one; `undefined`: it has announced none. */
  isConflicting: boolean | undefined
  /** It joined after this session and has not announced itself: when to ask the service whether it is still present. */
  askAtMs: number
  /** Its leave may have been missed: the service has been asked. */
  isAsked: boolean
  /** This session has yielded to it before it announced itself. */
  hasWon: boolean
}

export interface UniqueSessionOptions {
  /** `undefined`: it cannot be announced, so no session yields. */
  readonly own: SessionAnnouncement | undefined
  /** False: anyone can publish to the channel, so announcements and presence end no session. */
  readonly isProtected: boolean
  /** False: the app allows several sessions per user. */
  readonly isUnique: boolean
  readonly ports: Pick<Platform, 'monotonicNow' | 'setTimer'>
  readonly announce: () => void
  /** Fetches the occupants for `listed`. */
  readonly ask: () => void
  /** Called once for each newer session: the app's hook may decide to stay. */
  readonly onYield: (winner: Winner) => void
  /** This session has ended at the server or in another browser. */
  readonly onEnd: () => void
}

export type UniqueSession = ReturnType<typeof createUniqueSession>

export function createUniqueSession(options: UniqueSessionOptions) {
  const { isProtected, isUnique, ports } = options
  let { own } = options
  let isConnected = false
  /** By agent id. */
  const clients = new Map<string, Client>()
  /** Whether the service has listed the clients that were present before. */
  let isListed = false
  let announcedAtMs = -Infinity
  let announceAtMs = Infinity
  /** When the current round of announcements began, and how many of its steps are done. */
  let roundAtMs = 0
  let stepCount = 0
  /** Announce even if no other session is present: the last announcement failed, or an older session must receive one. */
  let mustAnnounce = false
  /** The newest session that announced itself, until `settleAtMs`. */
  let pending: SessionAnnouncement | undefined
  let settleAtMs = Infinity
  /** When each session logged out. */
  const endedAtMs = new Map<string, number>()
  /** The ids of the sessions that this one has yielded to. */
  const winners = new Set<string>()
  let cancelTick = () => {}

  const now = () => ports.monotonicNow()
  /** Impersonated sessions never conflict. On an unprotected channel an announcement would only disclose the session id. */
  const isSilent = () => !isProtected || !isUnique || own?.impersonatorId !== undefined
  /** Whether a client is present that may conflict with this session. */
  const hasUnsettled = () =>
    [...clients.values()].some(({ isPresent, isConflicting }) => isPresent && isConflicting !== false)
  const nextAskAtMs = () => Math.min(...Array.from(clients.values(), ({ askAtMs }) => askAtMs))

  function clientOf(agentId: string): Client {
    const unknown = { isPresent: false, isEarlier: false, isConflicting: undefined }
    const client = clients.get(agentId) ?? { ...unknown, askAtMs: Infinity, isAsked: false, hasWon: false }
    clients.set(agentId, client)
    forgetOldest(clients)
    return client
  }

  function otherClients(presenceIds: readonly string[]) {
    return presenceIds.flatMap((presenceId) => {
      const parsed = parsePresenceId(presenceId)
      return parsed && parsed.agentId !== own?.agentId ? [{ ...parsed, presenceId }] : []
    })
  }

  /** Decides nothing after the end of this session. */
  const deciding =
    <Given extends unknown[]>(decide: (self: SessionAnnouncement, ...given: Given) => void) =>
    (...given: Given): void => {
      if (own) decide(own, ...given)
      cancelTick()
      const dueAtMs = Math.min(announceAtMs, settleAtMs, nextAskAtMs())
      if (own && dueAtMs < Infinity) cancelTick = ports.setTimer(tick, Math.max(0, dueAtMs - now()))
    }

  const tick = deciding(() => {
    const nowMs = now()
    if (pending && nowMs >= settleAtMs) {
      winners.add(pending.sessionId)
      forgetOldest(winners)
      const winner = pending
      dropPending()
      return yieldTo(winner)
    }
    if (nowMs >= nextAskAtMs()) {
      for (const client of clients.values())
        // Without a response, they are asked again.
        if (nowMs >= client.askAtMs) {
          client.askAtMs = nowMs + UNANNOUNCED_LIMIT_MS
          client.isAsked = true
        }
      options.ask()
    }
    if (nowMs >= announceAtMs) announce(nowMs)
  })

  function announce(nowMs: number): void {
    const step = REPEAT_MS[stepCount]
    const isDue = stepCount === 0 || mustAnnounce || hasUnsettled()
    const soonestMs = nowMs + ANNOUNCE_GAP_MS
    stepCount += 1
    if (nextAskAtMs() < Infinity) announceAtMs = soonestMs
    else if (step !== undefined) announceAtMs = Math.max(roundAtMs + step, soonestMs)
    else announceAtMs = isDue ? nowMs + LAST_REPEAT_MS : Infinity
    if (!isDue) return
    mustAnnounce = false
    announcedAtMs = nowMs
    options.announce()
  }

  const earliestMs = () => Math.max(now(), announcedAtMs + ANNOUNCE_GAP_MS)

  /** Announces as soon as the gap allows, and again while others are present. */
  function startRound(): void {
    if (isSilent() || !isConnected) return
    roundAtMs = earliestMs()
    announceAtMs = roundAtMs
    stepCount = 0
  }

  /** Starts a new round unless the next announcement is due at the earliest possible time. */
  function bringForward(): void {
    if (announceAtMs > earliestMs()) startRound()
  }

  function noteJoined(presenceIds: readonly string[]): void {
    const others = otherClients(presenceIds).filter(({ type }) => type !== '2')
    if (others.length === 0) return
    for (const { agentId } of others) clientOf(agentId).isPresent = true
    bringForward()
    // A hundred clients on one user's channel are an attack or a fault, not sign-ins.
    const isCrowd = clients.size >= REALTIME_CACHE_SIZE
    if (isCrowd) for (const client of clients.values()) client.askAtMs = Infinity
    if (isCrowd || !isConnected || !isListed || isSilent()) return
    for (const { type, device, agentId } of others) {
      const client = clientOf(agentId)
      const isKnown = client.isEarlier || client.isConflicting !== undefined || client.askAtMs < Infinity
      if (type === '1' && device === NIL_DEVICE && !isKnown)
        Object.assign(client, { askAtMs: now() + UNANNOUNCED_LIMIT_MS, isAsked: false })
    }
  }

  /** A leave or timeout never ends a session. */
  function noteGone(gone: Iterable<Client | undefined>): void {
    for (const client of gone) if (client) Object.assign(client, { isPresent: false, askAtMs: Infinity })
  }

  /** The app's hook may decide to stay: then this session keeps announcing itself. */
  function yieldTo(winner: Winner): void {
    const client = clientOf(winner.agentId)
    client.isEarlier = true
    client.askAtMs = Infinity
    client.hasWon = winner.sessionId === undefined
    options.onYield(winner)
  }

  function dropPending(): void {
    pending = undefined
    settleAtMs = Infinity
  }

  function receiveGoodbye(self: SessionAnnouncement, { authHost, sessionId }: SessionAnnouncement): void {
    if (authHost !== self.authHost) return
    if (sessionId === self.sessionId) {
      if (!isProtected && sessionId.length < UNGUESSABLE_LENGTH) return
      own = undefined
      return options.onEnd()
    }
    if (pending?.sessionId === sessionId) dropPending()
    endedAtMs.delete(sessionId)
    endedAtMs.set(sessionId, now())
    forgetOldest(endedAtMs)
  }

  function receiveAnnouncement(
    self: SessionAnnouncement,
    announcement: SessionAnnouncement,
    publisher: string | undefined,
  ): void {
    const { agentId, sessionId } = announcement
    const sender = parsePresenceId(publisher)
    if (sender?.agentId !== agentId || agentId === self.agentId) return
    const isConflicting =
      !isSilent() &&
      announcement.impersonatorId === undefined &&
      sender.type !== '2' &&
      announcement.authHost === self.authHost &&
      announcement.clientId === self.clientId &&
      sessionId !== self.sessionId &&
      now() - (endedAtMs.get(sessionId) ?? -Infinity) >= GOODBYE_COUNTS_MS
    const client = clientOf(agentId)
    const isNews = client.askAtMs < Infinity || client.isConflicting !== isConflicting
    client.askAtMs = Infinity
    client.isConflicting = isConflicting
    if (!isConflicting) return
    if (!newer(announcement, self)) {
      // An older session has to yield: announce a full round if it is new here, once more if it had a round.
      if (isNews) bringForward()
      else if (isConnected) announceAtMs = earliestMs()
      mustAnnounce = true
      return
    }
    // This session has yielded to it before its announcement: from now on, only its session id counts.
    if (client.hasWon) winners.add(sessionId)
    client.hasWon = false
    if (winners.has(sessionId) || (pending && !newer(announcement, pending))) return
    if (!pending) settleAtMs = now() + SETTLE_MS
    pending = announcement
  }

  return {
    isConnected: () => isConnected,
    connected: deciding(() => {
      isConnected = true
      startRound()
    }),
    /** Joins and leaves are missed meanwhile, so no client counts as present. */
    disconnected: deciding(() => {
      isConnected = false
      announceAtMs = Infinity
      noteGone(clients.values())
    }),
    /** Receives the clients that are present. Yields to an unannounced one that stayed. */
    listed: deciding((_self, presenceIds: readonly string[]) => {
      const hadUnsettled = hasUnsettled()
      const asked = [...clients].filter(([, { askAtMs, isAsked }]) => askAtMs < Infinity && isAsked)
      for (const client of clients.values()) client.isPresent = false
      for (const { agentId, type } of otherClients(presenceIds)) {
        const client = clientOf(agentId)
        client.isPresent = type !== '2'
        // It was here first, or its join was missed.
        client.isEarlier ||= client.askAtMs === Infinity
      }
      isListed = true
      noteGone(asked.flatMap(([, client]) => (client.isPresent ? [] : [client])))
      if (hasUnsettled() && !hadUnsettled) bringForward()
      const stayed = asked.find(([, { isPresent }]) => isPresent)
      if (stayed) yieldTo({ agentId: stayed[0] })
    }),
    presence: deciding((_self, action: 'join' | 'leave' | 'timeout', presenceIds: readonly string[]) => {
      if (action === 'join') noteJoined(presenceIds)
      else noteGone(otherClients(presenceIds).map(({ agentId }) => clients.get(agentId)))
    }),
    announcement: deciding((self, received: SessionAnnouncement, publisher: string | undefined) => {
      if (received.logout) receiveGoodbye(self, received)
      else receiveAnnouncement(self, received, publisher)
    }),
    /** The last announcement was not sent. */
    unsent() {
      mustAnnounce = true
    },
    /** Continues with another session of the same user, once it is `connected` again. */
    follow(next: SessionAnnouncement | undefined) {
      own = next
      isConnected = false
      isListed = false
      mustAnnounce = false
      announceAtMs = Infinity
      clients.clear()
      winners.clear()
      dropPending()
      cancelTick()
    },
    stop() {
      own = undefined
      cancelTick()
    },
  }
}
