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

/** A client that joined after this session and has not announced itself. */
interface UnannouncedClient {
  readonly presenceId: string
  dueAtMs: number
  /** Whether the service has been asked if it is still present: its leave event may have been missed. */
  isAsked: boolean
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
  /** Fetches the occupants for `stillHere`. */
  readonly ask: () => void
  /** Called once for each newer session: the app's hook may decide to stay. */
  readonly onYield: (winner: Winner) => void
  /** This session has ended at the server or in another browser. */
  readonly onEnd: () => void
}

export class UniqueSession {
  readonly #options: UniqueSessionOptions
  #own: SessionAnnouncement | undefined
  #isConnected = false
  #announcedAtMs: number
  #announceAtMs = Infinity
  /** When the current round of announcements began, and how many of its steps are done. */
  #roundAtMs = 0
  #repeat = 0
  /** Announce even if no other session is present: the last announcement failed, or an older session must receive one. */
  #mustAnnounce = false
  /** The newest session that announced itself, until `#settleAtMs`. */
  #pending: SessionAnnouncement | undefined
  #settleAtMs = Infinity
  /** When each session logged out. */
  readonly #ended: Map<string, number>
  // The other clients of the channel, by agent id.
  /** Whether the session that they announced conflicts with this one. */
  readonly #announced = new Map<string, boolean>()
  readonly #present = new Set<string>()
  readonly #unannounced = new Map<string, UnannouncedClient>()
  /** Those present when this session connected; `undefined` until the service has listed them. */
  #earlier: Set<string> | undefined
  /** The sessions that this one has yielded to, by session id; unannounced clients by agent id. */
  readonly #winners = new Set<string>()
  #cancelTick = () => {}

  constructor(options: UniqueSessionOptions, before?: UniqueSession) {
    this.#options = options
    this.#own = options.own
    this.#announcedAtMs = before ? before.#announcedAtMs : -Infinity
    this.#ended = before ? before.#ended : new Map<string, number>()
  }

  /** Impersonated sessions never conflict. On an unprotected channel an announcement would only disclose the session id. */
  get #isSilent(): boolean {
    const { isProtected, isUnique } = this.#options
    return !isProtected || !isUnique || this.#own?.impersonatorId !== undefined
  }

  get #nowMs(): number {
    return this.#options.ports.monotonicNow()
  }

  get #earliestMs(): number {
    return Math.max(this.#nowMs, this.#announcedAtMs + ANNOUNCE_GAP_MS)
  }

  /** Whether a client is present that may conflict with this session. */
  get #hasUnsettled(): boolean {
    return [...this.#present].some((agentId) => this.#announced.get(agentId) !== false)
  }

  #otherClients(presenceIds: readonly string[]) {
    return presenceIds.flatMap((presenceId) => {
      const parsed = parsePresenceId(presenceId)
      return parsed && parsed.agentId !== this.#own?.agentId ? [{ ...parsed, presenceId }] : []
    })
  }

  #planTick(): void {
    this.#cancelTick()
    const asks = Array.from(this.#unannounced.values(), ({ dueAtMs }) => dueAtMs)
    const dueAtMs = Math.min(this.#announceAtMs, this.#settleAtMs, ...asks)
    if (this.#own && dueAtMs < Infinity)
      this.#cancelTick = this.#options.ports.setTimer(this.#tick, Math.max(0, dueAtMs - this.#nowMs))
  }

  /** Decides nothing after the end of this session. */
  #deciding<Given extends unknown[]>(decide: (self: SessionAnnouncement, ...given: Given) => void) {
    return (...given: Given): void => {
      if (!this.#own) return
      decide(this.#own, ...given)
      this.#planTick()
    }
  }

  readonly #tick = this.#deciding(() => {
    const nowMs = this.#nowMs
    if (this.#pending && nowMs >= this.#settleAtMs) {
      const winner = this.#pending
      this.#dropPending()
      return this.#yieldTo(winner)
    }
    const due = [...this.#unannounced.values()].filter(({ dueAtMs }) => nowMs >= dueAtMs)
    // Without a response, they are asked again.
    for (const client of due) Object.assign(client, { dueAtMs: nowMs + UNANNOUNCED_LIMIT_MS, isAsked: true })
    if (due.length > 0) this.#options.ask()
    if (nowMs >= this.#announceAtMs) this.#announce(nowMs)
  })

  #announce(nowMs: number): void {
    const step = REPEAT_MS[this.#repeat]
    const isDue = this.#repeat === 0 || this.#mustAnnounce || this.#hasUnsettled
    const regularMs = step === undefined ? nowMs + LAST_REPEAT_MS : this.#roundAtMs + step
    const soonestMs = nowMs + ANNOUNCE_GAP_MS
    this.#repeat += 1
    this.#announceAtMs = this.#unannounced.size > 0 ? soonestMs : Math.max(regularMs, soonestMs)
    if (!isDue && step === undefined) this.#announceAtMs = Infinity
    if (!isDue) return
    this.#mustAnnounce = false
    this.#announcedAtMs = nowMs
    this.#options.announce()
  }

  /** Announces as soon as the gap allows, and again while others are present. */
  #startRound(): void {
    if (this.#isSilent || !this.#isConnected) return
    this.#roundAtMs = this.#earliestMs
    this.#announceAtMs = this.#roundAtMs
    this.#repeat = 0
  }

  /** Starts a new round unless the next announcement is due at the earliest possible time. */
  #bringForward(): void {
    if (this.#announceAtMs > this.#earliestMs) this.#startRound()
  }

  #noteJoined(presenceIds: readonly string[]): void {
    const others = this.#otherClients(presenceIds).filter(({ type }) => type !== '2')
    if (others.length === 0) return
    for (const { agentId } of others) this.#present.add(agentId)
    forgetOldest(this.#present)
    this.#bringForward()
    // A hundred clients on one user's channel are an attack or a fault, not sign-ins.
    if (!this.#isConnected || this.#isSilent || this.#present.size >= REALTIME_CACHE_SIZE)
      return this.#unannounced.clear()
    for (const { type, device, agentId, presenceId } of others) {
      const isSignIn = type === '1' && device === NIL_DEVICE
      const isKnown =
        !this.#earlier ||
        this.#earlier.has(agentId) ||
        this.#announced.has(agentId) ||
        this.#unannounced.has(agentId)
      if (!isSignIn || isKnown) continue
      const dueAtMs = this.#nowMs + UNANNOUNCED_LIMIT_MS
      this.#unannounced.set(agentId, { presenceId, dueAtMs, isAsked: false })
    }
  }

  /** A leave or timeout never ends a session. */
  #noteGone(agentIds: readonly string[]): void {
    for (const agentId of agentIds) {
      this.#present.delete(agentId)
      this.#unannounced.delete(agentId)
    }
  }

  /** The app's hook may decide to stay: then this session keeps announcing itself. */
  #yieldTo(winner: Winner): void {
    this.#earlier ??= new Set()
    this.#earlier.add(winner.agentId)
    this.#unannounced.delete(winner.agentId)
    this.#winners.add(winnerKey(winner))
    forgetOldest(this.#winners)
    this.#options.onYield(winner)
  }

  /** Whether this session has yielded to it, also before its announcement. */
  #isWinner({ agentId, sessionId }: SessionAnnouncement): boolean {
    // After its announcement, only its session id counts.
    if (this.#winners.delete(winnerKey({ agentId }))) this.#winners.add(winnerKey({ agentId, sessionId }))
    return this.#winners.has(winnerKey({ agentId, sessionId }))
  }

  #dropPending(): void {
    this.#pending = undefined
    this.#settleAtMs = Infinity
  }

  #receiveGoodbye(self: SessionAnnouncement, { authHost, sessionId }: SessionAnnouncement): void {
    if (authHost !== self.authHost) return
    if (sessionId === self.sessionId) {
      if (!this.#options.isProtected && sessionId.length < UNGUESSABLE_LENGTH) return
      this.stop()
      return this.#options.onEnd()
    }
    if (this.#pending?.sessionId === sessionId) this.#dropPending()
    this.#ended.delete(sessionId)
    this.#ended.set(sessionId, this.#nowMs)
    forgetOldest(this.#ended)
  }

  #receiveAnnouncement(
    self: SessionAnnouncement,
    announcement: SessionAnnouncement,
    publisher: string | undefined,
  ): void {
    const { agentId, sessionId } = announcement
    const sender = parsePresenceId(publisher)
    if (sender?.agentId !== agentId || agentId === self.agentId) return
    const nowMs = this.#nowMs
    const isConflicting =
      !this.#isSilent &&
      announcement.impersonatorId === undefined &&
      sender.type !== '2' &&
      announcement.authHost === self.authHost &&
      announcement.clientId === self.clientId &&
      sessionId !== self.sessionId &&
      nowMs - (this.#ended.get(sessionId) ?? -Infinity) >= GOODBYE_COUNTS_MS
    const wasUnannounced = this.#unannounced.delete(agentId)
    const isNews = wasUnannounced || this.#announced.get(agentId) !== isConflicting
    this.#announced.set(agentId, isConflicting)
    forgetOldest(this.#announced)
    if (!isConflicting) return
    if (!newer(announcement, self)) {
      // An older session has to yield: announce a full round if it is new here, once more if it had a round.
      if (isNews) this.#bringForward()
      else if (this.#isConnected) this.#announceAtMs = this.#earliestMs
      this.#mustAnnounce = true
      return
    }
    if (this.#isWinner(announcement) || (this.#pending && !newer(announcement, this.#pending))) return
    if (!this.#pending) this.#settleAtMs = nowMs + SETTLE_MS
    this.#pending = announcement
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  readonly connected = this.#deciding(() => {
    this.#isConnected = true
    this.#startRound()
  })

  /** Joins and leaves are missed meanwhile, so the list of present clients is dropped. */
  readonly disconnected = this.#deciding(() => {
    this.#isConnected = false
    this.#announceAtMs = Infinity
    this.#present.clear()
    this.#unannounced.clear()
  })

  /** Receives the clients that were present when this session connected. */
  readonly listed = this.#deciding((_self, presenceIds: readonly string[]) => {
    const hadUnsettled = this.#hasUnsettled
    this.#earlier ??= new Set()
    this.#present.clear()
    for (const { agentId, type } of this.#otherClients(presenceIds)) {
      this.#earlier.add(agentId)
      if (type !== '2') this.#present.add(agentId)
    }
    forgetOldest(this.#present)
    for (const agentId of this.#earlier) this.#unannounced.delete(agentId)
    if (this.#hasUnsettled && !hadUnsettled) this.#bringForward()
  })

  /** Yields to an unannounced client that stayed. */
  readonly stillHere = this.#deciding((_self, presenceIds: readonly string[]) => {
    const listed = new Set(presenceIds)
    const asked = [...this.#unannounced].filter(([, { isAsked }]) => isAsked)
    const stayed = asked.find(([, { presenceId }]) => listed.has(presenceId))
    if (stayed) this.#yieldTo({ agentId: stayed[0] })
    else this.#noteGone(asked.map(([agentId]) => agentId))
  })

  readonly presence = this.#deciding(
    (_self, action: 'join' | 'leave' | 'timeout', presenceIds: readonly string[]) => {
      if (action === 'join') this.#noteJoined(presenceIds)
      else this.#noteGone(this.#otherClients(presenceIds).map(({ agentId }) => agentId))
    },
  )

  readonly announcement = this.#deciding(
    (self, received: SessionAnnouncement, publisher: string | undefined) => {
      if (received.logout) this.#receiveGoodbye(self, received)
      else this.#receiveAnnouncement(self, received, publisher)
    },
  )

  /** The last announcement was not sent. */
  unsent(): void {
    this.#mustAnnounce = true
  }

  /** Continues with another session of the same user. */
  follow(own: SessionAnnouncement | undefined): UniqueSession {
    this.stop()
    return new UniqueSession({ ...this.#options, own }, this)
  }

  stop(): void {
    this.#own = undefined
    this.#cancelTick()
  }
}

const winnerKey = ({ agentId, sessionId }: Winner) =>
  sessionId === undefined ? `agent ${agentId}` : `session ${sessionId}`
