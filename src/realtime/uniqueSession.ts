// Decides which of a user's sessions stays: the newest sign-in. Announces this session, and yields to a newer one.
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
/** The least time between two announcements. */
const ANNOUNCE_GAP_MS = 2_000
/** While others are on the channel, announcements are repeated this long after the first one, then every `LAST_REPEAT_MS`. */
const REPEAT_MS: readonly number[] = [2_000, 8_000, 30_000, 120_000, 420_000]
const LAST_REPEAT_MS = 300_000
/** An unannounced client that stays this long ends the session. */
const UNANNOUNCED_LIMIT_MS = 12_000
/** For this long after its goodbye, a session's announcements are ignored. Later the user may have signed in again in the same session of the server. */
const GOODBYE_COUNTS_MS = 10_000
/** Without access control, a logout message ends a session only if its id is at least this long: too long to guess. */
const UNGUESSABLE_LENGTH = 22

/** The session that this one yields to. A client that never announced itself has only an agent id. */
export interface Winner {
  readonly agentId: string
  readonly sessionId?: string | undefined
  readonly since?: number | undefined
}

/** A client that joined after this session and has not announced itself. */
interface UnannouncedClient {
  readonly presenceId: string
  dueAtMs: number
  /** Whether the service has been asked if the client is still present: its leave event may have been missed. */
  isAsked: boolean
}

export interface UniqueSessionOptions {
  /** This session; `undefined` when it cannot be announced. Then nothing is decided. */
  own: SessionAnnouncement | undefined
  /** False when anyone can publish to the channel. Then announcements and presence end no session. */
  readonly isProtected: boolean
  /** False when the app allows several sessions per user. */
  readonly isUnique: boolean
  readonly ports: Pick<Platform, 'monotonicNow' | 'setTimer'>
  readonly announce: () => void
  /** Asks the service who is present; the response goes to `stillHere`. */
  readonly ask: () => void
  /** Once for each session that this one yields to, because the app's hook may decide to stay. */
  readonly onYield: (winner: Winner) => void
  /** This session has ended at the server or in another browser. Nothing is announced or decided afterwards. */
  readonly onEnd: () => void
}

export function createUniqueSession({ isProtected, isUnique, ports, ...options }: UniqueSessionOptions) {
  let { own } = options
  let isConnected = false
  let announcedAtMs = -Infinity
  let announceAtMs = Infinity
  /** When the current round of announcements began, and how many of its steps are done. */
  let roundAtMs = 0
  let repeat = 0
  /** Send the next announcement, even if no other session is present: the last one failed, or an older session must receive one. */
  let mustAnnounce = false
  /** The newest session that announced itself, until `settleAtMs`. */
  let pending: SessionAnnouncement | undefined
  let settleAtMs = Infinity
  /** When each session said goodbye. */
  const ended = new Map<string, number>()
  // The other clients of the channel, by agent id.
  /** Have announced a session: whether it conflicts with this one. */
  const announced = new Map<string, boolean>()
  const present = new Set<string>()
  const unannounced = new Map<string, UnannouncedClient>()
  /** Were present when this session connected; `undefined` until the service has listed them. */
  let earlier: Set<string> | undefined
  /** The sessions that this one has yielded to, by session id; unannounced clients by agent id. */
  const winners = new Set<string>()
  const winnerKey = ({ agentId, sessionId }: Winner) =>
    sessionId === undefined ? `agent ${agentId}` : `session ${sessionId}`
  let cancelTick = () => {}

  /**
   * Impersonated sessions never conflict, so they send no announcement. On an unprotected channel it would only disclose the
   * session id.
   */
  const isSilent = () => !isProtected || !isUnique || own?.impersonatorId !== undefined
  const earliestMs = () => Math.max(ports.monotonicNow(), announcedAtMs + ANNOUNCE_GAP_MS)
  /** Whether a client is present that may conflict with this session. */
  const hasUnsettled = () => [...present].some((agentId) => announced.get(agentId) !== false)
  const otherClients = (presenceIds: readonly string[]) =>
    presenceIds.flatMap((presenceId) => {
      const parsed = parsePresenceId(presenceId)
      return parsed && parsed.agentId !== own?.agentId ? [{ ...parsed, presenceId }] : []
    })

  function planTick(): void {
    cancelTick()
    const asks = Array.from(unannounced.values(), ({ dueAtMs }) => dueAtMs)
    const dueAtMs = Math.min(announceAtMs, settleAtMs, ...asks)
    if (own && dueAtMs < Infinity)
      cancelTick = ports.setTimer(tick, Math.max(0, dueAtMs - ports.monotonicNow()))
  }

  /** Makes a decision of this session; there are none when it has ended. */
  const deciding =
    <Given extends unknown[]>(decide: (self: SessionAnnouncement, ...given: Given) => void) =>
    (...given: Given): void => {
      if (!own) return
      decide(own, ...given)
      planTick()
    }

  const tick = deciding(() => {
    const nowMs = ports.monotonicNow()
    if (pending && nowMs >= settleAtMs) {
      const winner = pending
      dropPending()
      return yieldTo(winner)
    }
    const due = [...unannounced.values()].filter(({ dueAtMs }) => nowMs >= dueAtMs)
    // Asked again after another wait when no response comes.
    for (const client of due) Object.assign(client, { dueAtMs: nowMs + UNANNOUNCED_LIMIT_MS, isAsked: true })
    if (due.length > 0) options.ask()
    if (nowMs >= announceAtMs) announce(nowMs)
  })

  function announce(nowMs: number): void {
    const step = REPEAT_MS[repeat]
    const isDue = repeat === 0 || mustAnnounce || hasUnsettled()
    const regularMs = step === undefined ? nowMs + LAST_REPEAT_MS : roundAtMs + step
    const soonestMs = nowMs + ANNOUNCE_GAP_MS
    repeat += 1
    announceAtMs = unannounced.size > 0 ? soonestMs : Math.max(regularMs, soonestMs)
    if (!isDue && step === undefined) announceAtMs = Infinity
    if (!isDue) return
    mustAnnounce = false
    announcedAtMs = nowMs
    options.announce()
  }

  /** Announces as soon as the gap allows, and again while others are present. */
  function startRound(): void {
    if (isSilent() || !isConnected) return
    roundAtMs = earliestMs()
    announceAtMs = roundAtMs
    repeat = 0
  }

  /** Starts a new round unless the next announcement is due at the earliest possible time. */
  function bringForward(): void {
    if (announceAtMs > earliestMs()) startRound()
  }

  function noteJoined(presenceIds: readonly string[]): void {
    const others = otherClients(presenceIds).filter(({ type }) => type !== '2')
    if (others.length === 0) return
    for (const { agentId } of others) present.add(agentId)
    forgetOldest(present)
    bringForward()
    // A hundred clients on one user's channel are an attack or a fault, not sign-ins.
    if (!isConnected || isSilent() || present.size >= REALTIME_CACHE_SIZE) return unannounced.clear()
    for (const { type, device, agentId, presenceId } of others) {
      const isSignIn = type === '1' && device === NIL_DEVICE
      const isKnown = !earlier || earlier.has(agentId) || announced.has(agentId) || unannounced.has(agentId)
      if (!isSignIn || isKnown) continue
      const dueAtMs = ports.monotonicNow() + UNANNOUNCED_LIMIT_MS
      unannounced.set(agentId, { presenceId, dueAtMs, isAsked: false })
    }
  }

  /** Clients have left or timed out. That never ends a session. */
  function noteGone(agentIds: readonly string[]): void {
    for (const agentId of agentIds) {
      present.delete(agentId)
      unannounced.delete(agentId)
    }
  }

  /** The app's hook decides what yielding means. A session that stays keeps announcing itself. */
  function yieldTo(winner: Winner): void {
    earlier ??= new Set()
    earlier.add(winner.agentId)
    unannounced.delete(winner.agentId)
    winners.add(winnerKey(winner))
    forgetOldest(winners)
    options.onYield(winner)
  }

  /** Whether this session has yielded to that one, also when that one had not announced itself then. */
  function isWinner({ agentId, sessionId }: SessionAnnouncement): boolean {
    // From its announcement on, it is known by its session alone.
    if (winners.delete(winnerKey({ agentId }))) winners.add(winnerKey({ agentId, sessionId }))
    return winners.has(winnerKey({ agentId, sessionId }))
  }

  function dropPending(): void {
    pending = undefined
    settleAtMs = Infinity
  }

  function stop(): void {
    own = undefined
    cancelTick()
  }

  function receiveGoodbye(self: SessionAnnouncement, { authHost, sessionId }: SessionAnnouncement): void {
    if (authHost !== self.authHost) return
    if (sessionId === self.sessionId) {
      if (!isProtected && sessionId.length < UNGUESSABLE_LENGTH) return
      stop()
      return options.onEnd()
    }
    if (pending?.sessionId === sessionId) dropPending()
    ended.delete(sessionId)
    ended.set(sessionId, ports.monotonicNow())
    forgetOldest(ended)
  }

  function receiveAnnouncement(
    self: SessionAnnouncement,
    announcement: SessionAnnouncement,
    publisher: string | undefined,
  ): void {
    const { agentId, sessionId } = announcement
    const sender = parsePresenceId(publisher)
    if (sender?.agentId !== agentId || agentId === self.agentId) return
    const nowMs = ports.monotonicNow()
    const isConflicting =
      !isSilent() &&
      announcement.impersonatorId === undefined &&
      sender.type !== '2' &&
      announcement.authHost === self.authHost &&
      announcement.clientId === self.clientId &&
      sessionId !== self.sessionId &&
      nowMs - (ended.get(sessionId) ?? -Infinity) >= GOODBYE_COUNTS_MS
    const wasUnannounced = unannounced.delete(agentId)
    const isNews = wasUnannounced || announced.get(agentId) !== isConflicting
    announced.set(agentId, isConflicting)
    forgetOldest(announced)
    if (!isConflicting) return
    if (!newer(announcement, self)) {
      // An older session has to yield: a full round of announcements if it is new here, one more if it has had a round.
      if (isNews) bringForward()
      else if (isConnected) announceAtMs = earliestMs()
      mustAnnounce = true
      return
    }
    if (isWinner(announcement) || (pending && !newer(announcement, pending))) return
    if (!pending) settleAtMs = nowMs + SETTLE_MS
    pending = announcement
  }

  return {
    get isConnected() {
      return isConnected
    },
    connected: deciding(() => {
      isConnected = true
      startRound()
    }),
    /** Joins and leaves are missed while the connection is down, so the list of present clients is dropped. */
    disconnected: deciding(() => {
      isConnected = false
      announceAtMs = Infinity
      present.clear()
      unannounced.clear()
    }),
    /** The service has listed who was present when this session connected. */
    listed: deciding((_self, presenceIds: readonly string[]) => {
      const hadUnsettled = hasUnsettled()
      earlier ??= new Set()
      present.clear()
      for (const { agentId, type } of otherClients(presenceIds)) {
        earlier.add(agentId)
        if (type !== '2') present.add(agentId)
      }
      forgetOldest(present)
      for (const agentId of earlier) unannounced.delete(agentId)
      if (hasUnsettled() && !hadUnsettled) bringForward()
    }),
    /** Yields to an unannounced client that stayed. Forgets those that have left. */
    stillHere: deciding((_self, presenceIds: readonly string[]) => {
      const listed = new Set(presenceIds)
      const asked = [...unannounced].filter(([, { isAsked }]) => isAsked)
      const stayed = asked.find(([, { presenceId }]) => listed.has(presenceId))
      if (stayed) yieldTo({ agentId: stayed[0] })
      else noteGone(asked.map(([agentId]) => agentId))
    }),
    presence: deciding((_self, action: 'join' | 'leave' | 'timeout', presenceIds: readonly string[]) => {
      if (action === 'join') noteJoined(presenceIds)
      else noteGone(otherClients(presenceIds).map(({ agentId }) => agentId))
    }),
    announcement: deciding((self, received: SessionAnnouncement, publisher: string | undefined) => {
      if (received.logout) receiveGoodbye(self, received)
      else receiveAnnouncement(self, received, publisher)
    }),
    /** The last announcement was not sent. */
    unsent() {
      mustAnnounce = true
    },
    /** Decides for another session of the same user from now on. */
    replace(next: SessionAnnouncement | undefined) {
      own = next
      isConnected = false
      announceAtMs = Infinity
      mustAnnounce = false
      earlier = undefined
      dropPending()
      for (const known of [announced, present, unannounced, winners]) known.clear()
      planTick()
    },
    /** Decides nothing any more. */
    stop,
  }
}
