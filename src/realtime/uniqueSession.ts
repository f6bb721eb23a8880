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

export class UniqueSession {
  readonly #options: UniqueSessionOptions
  #own: SessionAnnouncement | undefined
  #isConnected = false
  /** By agent id. */
  readonly #clients = new Map<string, Client>()
  /** Whether the service has listed the clients that were present before. */
  #isListed = false
  #announcedAtMs: number
  #announceAtMs = Infinity
  /** When the current round of announcements began, and how many of its steps are done. */
  #roundAtMs = 0
  #stepCount = 0
  /** Announce even if no other session is present: the last announcement failed, or an older session must receive one. */
  #mustAnnounce = false
  /** The newest session that announced itself, until `#settleAtMs`. */
  #pending: SessionAnnouncement | undefined
  #settleAtMs = Infinity
  /** When each session logged out. */
  readonly #endedAtMs: Map<string, number>
  /** The ids of the sessions that this one has yielded to. */
  readonly #winners = new Set<string>()
  #cancelTick = () => {}

  constructor(options: UniqueSessionOptions, before?: UniqueSession) {
    this.#options = options
    this.#own = options.own
    this.#announcedAtMs = before ? before.#announcedAtMs : -Infinity
    this.#endedAtMs = before ? before.#endedAtMs : new Map<string, number>()
  }

  get #nowMs(): number {
    return this.#options.ports.monotonicNow()
  }

  get #earliestMs(): number {
    return Math.max(this.#nowMs, this.#announcedAtMs + ANNOUNCE_GAP_MS)
  }

  get #nextAskAtMs(): number {
    return Math.min(...Array.from(this.#clients.values(), ({ askAtMs }) => askAtMs))
  }

  /** Impersonated sessions never conflict. On an unprotected channel an announcement would only disclose the session id. */
  get #isSilent(): boolean {
    const { isProtected, isUnique } = this.#options
    return !isProtected || !isUnique || this.#own?.impersonatorId !== undefined
  }

  /** Whether a client is present that may conflict with this session. */
  get #hasUnsettled(): boolean {
    return [...this.#clients.values()].some((client) => client.isPresent && client.isConflicting !== false)
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  #clientOf(agentId: string): Client {
    const unknown = { isPresent: false, isEarlier: false, isConflicting: undefined }
    const client = this.#clients.get(agentId) ?? {
      ...unknown,
      askAtMs: Infinity,
      isAsked: false,
      hasWon: false,
    }
    this.#clients.set(agentId, client)
    forgetOldest(this.#clients)
    return client
  }

  #otherClients(presenceIds: readonly string[]) {
    return presenceIds.flatMap((presenceId) => {
      const parsed = parsePresenceId(presenceId)
      return parsed && parsed.agentId !== this.#own?.agentId ? [{ ...parsed, presenceId }] : []
    })
  }

  /** Decides nothing after the end of this session. */
  #deciding<Given extends unknown[]>(decide: (self: SessionAnnouncement, ...given: Given) => void) {
    return (...given: Given): void => {
      if (this.#own) decide(this.#own, ...given)
      this.#cancelTick()
      const dueAtMs = Math.min(this.#announceAtMs, this.#settleAtMs, this.#nextAskAtMs)
      if (this.#own && dueAtMs < Infinity)
        this.#cancelTick = this.#options.ports.setTimer(this.#tick, Math.max(0, dueAtMs - this.#nowMs))
    }
  }

  readonly #tick = this.#deciding(() => {
    const nowMs = this.#nowMs
    if (this.#pending && nowMs >= this.#settleAtMs) {
      this.#winners.add(this.#pending.sessionId)
      forgetOldest(this.#winners)
      const winner = this.#pending
      this.#dropPending()
      return this.#yieldTo(winner)
    }
    if (nowMs >= this.#nextAskAtMs) {
      for (const client of this.#clients.values())
        // Without a response, they are asked again.
        if (nowMs >= client.askAtMs) {
          client.askAtMs = nowMs + UNANNOUNCED_LIMIT_MS
          client.isAsked = true
        }
      this.#options.ask()
    }
    if (nowMs >= this.#announceAtMs) this.#announce(nowMs)
  })

  #announce(nowMs: number): void {
    const step = REPEAT_MS[this.#stepCount]
    const isDue = this.#stepCount === 0 || this.#mustAnnounce || this.#hasUnsettled
    const soonestMs = nowMs + ANNOUNCE_GAP_MS
    this.#stepCount += 1
    if (this.#nextAskAtMs < Infinity) this.#announceAtMs = soonestMs
    else if (step !== undefined) this.#announceAtMs = Math.max(this.#roundAtMs + step, soonestMs)
    else this.#announceAtMs = isDue ? nowMs + LAST_REPEAT_MS : Infinity
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
    this.#stepCount = 0
  }

  /** Starts a new round unless the next announcement is due at the earliest possible time. */
  #bringForward(): void {
    if (this.#announceAtMs > this.#earliestMs) this.#startRound()
  }

  #noteJoined(presenceIds: readonly string[]): void {
    const others = this.#otherClients(presenceIds).filter(({ type }) => type !== '2')
    if (others.length === 0) return
    for (const { agentId } of others) this.#clientOf(agentId).isPresent = true
    this.#bringForward()
    // A hundred clients on one user's channel are an attack or a fault, not sign-ins.
    const isCrowd = this.#clients.size >= REALTIME_CACHE_SIZE
    if (isCrowd) for (const client of this.#clients.values()) client.askAtMs = Infinity
    if (isCrowd || !this.#isConnected || !this.#isListed || this.#isSilent) return
    for (const { type, device, agentId } of others) {
      const client = this.#clientOf(agentId)
      const isKnown = client.isEarlier || client.isConflicting !== undefined || client.askAtMs < Infinity
      if (type === '1' && device === NIL_DEVICE && !isKnown)
        Object.assign(client, { askAtMs: this.#nowMs + UNANNOUNCED_LIMIT_MS, isAsked: false })
    }
  }

  /** A leave or timeout never ends a session. */
  #noteGone(gone: Iterable<Client | undefined>): void {
    for (const client of gone) if (client) Object.assign(client, { isPresent: false, askAtMs: Infinity })
  }

  /** The app's hook may decide to stay: then this session keeps announcing itself. */
  #yieldTo(winner: Winner): void {
    const client = this.#clientOf(winner.agentId)
    client.isEarlier = true
    client.askAtMs = Infinity
    client.hasWon = winner.sessionId === undefined
    this.#options.onYield(winner)
  }

  #dropPending(): void {
    this.#pending = undefined
    this.#settleAtMs = Infinity
  }

  #receiveGoodbye(self: SessionAnnouncement, { authHost, sessionId }: SessionAnnouncement): void {
    if (authHost !== self.authHost) return
    if (sessionId === self.sessionId) {
      if (!this.#options.isProtected && sessionId.length < UNGUESSABLE_LENGTH) return
      this.#own = undefined
      return this.#options.onEnd()
    }
    if (this.#pending?.sessionId === sessionId) this.#dropPending()
    this.#endedAtMs.delete(sessionId)
    this.#endedAtMs.set(sessionId, this.#nowMs)
    forgetOldest(this.#endedAtMs)
  }

  #receiveAnnouncement(
    self: SessionAnnouncement,
    announcement: SessionAnnouncement,
    publisher: string | undefined,
  ): void {
    const { agentId, sessionId } = announcement
    const sender = parsePresenceId(publisher)
    if (sender?.agentId !== agentId || agentId === self.agentId) return
    const isConflicting =
      !this.#isSilent &&
      announcement.impersonatorId === undefined &&
      sender.type !== '2' &&
      announcement.authHost === self.authHost &&
      announcement.clientId === self.clientId &&
      sessionId !== self.sessionId &&
      this.#nowMs - (this.#endedAtMs.get(sessionId) ?? -Infinity) >= GOODBYE_COUNTS_MS
    const client = this.#clientOf(agentId)
    const isNews = client.askAtMs < Infinity || client.isConflicting !== isConflicting
    client.askAtMs = Infinity
    client.isConflicting = isConflicting
    if (!isConflicting) return
    if (!newer(announcement, self)) {
      // An older session has to yield: announce a full round if it is new here, once more if it had a round.
      if (isNews) this.#bringForward()
      else if (this.#isConnected) this.#announceAtMs = this.#earliestMs
      this.#mustAnnounce = true
      return
    }
    // This session has yielded to it before its announcement: from now on, only its session id counts.
    if (client.hasWon) this.#winners.add(sessionId)
    client.hasWon = false
    if (this.#winners.has(sessionId) || (this.#pending && !newer(announcement, this.#pending))) return
    if (!this.#pending) this.#settleAtMs = this.#nowMs + SETTLE_MS
    this.#pending = announcement
  }

  readonly connected = this.#deciding(() => {
    this.#isConnected = true
    this.#startRound()
  })

  /** Joins and leaves are missed meanwhile, so no client counts as present. */
  readonly disconnected = this.#deciding(() => {
    this.#isConnected = false
    this.#announceAtMs = Infinity
    this.#noteGone(this.#clients.values())
  })

  /** Receives the clients that are present. Yields to an unannounced one that stayed. */
  readonly listed = this.#deciding((_self, presenceIds: readonly string[]) => {
    const hadUnsettled = this.#hasUnsettled
    const asked = [...this.#clients].filter(([, { askAtMs, isAsked }]) => askAtMs < Infinity && isAsked)
    for (const client of this.#clients.values()) client.isPresent = false
    for (const { agentId, type } of this.#otherClients(presenceIds)) {
      const client = this.#clientOf(agentId)
      client.isPresent = type !== '2'
      // It was here first, or its join was missed.
      client.isEarlier ||= client.askAtMs === Infinity
    }
    this.#isListed = true
    this.#noteGone(asked.flatMap(([, client]) => (client.isPresent ? [] : [client])))
    if (this.#hasUnsettled && !hadUnsettled) this.#bringForward()
    const stayed = asked.find(([, { isPresent }]) => isPresent)
    if (stayed) this.#yieldTo({ agentId: stayed[0] })
  })

  readonly presence = this.#deciding(
    (_self, action: 'join' | 'leave' | 'timeout', presenceIds: readonly string[]) => {
      if (action === 'join') this.#noteJoined(presenceIds)
      else this.#noteGone(this.#otherClients(presenceIds).map(({ agentId }) => this.#clients.get(agentId)))
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
