// Wires the real-time connection of a session: what carries it, which tab leads, what it may end.
import type { Claims } from '../protocol/claims.ts'
import { sameId } from '../protocol/identity.ts'
import { channelNames, makePresenceId, NIL_DEVICE } from '../protocol/presence.ts'
import type { PresenceIdentity } from '../protocol/presence.ts'
import { agentKey, clashLock, type Client, connectionName, messagesChannel } from '../protocol/storageKeys.ts'
import { createBroadcastTransport } from './broadcast.ts'
import type { Context } from '../session/context.ts'
import type { Platform, TabsPort } from '../session/platform/platform.ts'
import type { SendEvent } from '../session/sessionEvent.ts'
import { BAD_IDS, createPresence } from './presence.ts'
import type { RealtimeTransport } from '../protocol/realtimeTransport.ts'
import { createSharedConnection } from './sharedConnection.ts'
import { type LeaveHow, type Listening, NO_SERVICE, UNIQUE_SESSION_STEP } from '../session/realtimePort.ts'
import type { Timeline } from '../session/timeline.ts'
import { within } from '../base/within.ts'

/** The session that the channels are joined for. */
interface CurrentSession {
  claims: Claims
  /** When the user signed in, as the token tells it. */
  sinceMs?: number | undefined
}

type ChannelsContext = Pick<Context, 'settings' | 'platform' | 'store' | 'timeline' | 'marker'>

export interface ChannelsOptions {
  /** Who listens to messages. */
  listening: ReadonlySet<Listening>
  send: SendEvent
  session: CurrentSession
  tabsPort: TabsPort
  /** Carries the messages between devices; absent: messages reach the tabs of this browser only. */
  service: RealtimeTransport | undefined
  /** Aborted when the channels are left. */
  signal: AbortSignal
}

/** The channels of a session. */
export type JoinedChannels = ReturnType<typeof joinChannels>

/** A tab of a hidden window may hear of the clash this much later than the first one. */
const SAME_CLASH_MS = 60_000

/** Telling the user's other browsers of a logout may take this long. */
const GOODBYE_MS = 1_000

/** Joins the channels of the signed-in user. */
export function joinChannels(
  context: ChannelsContext,
  { listening, send, session, tabsPort, service, signal }: ChannelsOptions,
) {
  const { settings, platform, store, timeline } = context
  // Copied: a renewal changes the object in place.
  let { claims } = session
  const { realtime, firmChannel } = settings
  const identity = identityOf(context, session)
  const hasNames = channelNames({ ...identity, firmChannel }) !== undefined
  let last = ''

  const presence = createPresence({
    identity,
    transport: createTransport(context, { tabsPort, service }, identity),
    ports: platform,
    firmChannel,
    listening,
    // The tabs of one browser are one session: without a service there is nobody to give way to.
    isUnique: settings.uniqueSession && realtime !== undefined,
    cacheSize: service?.cacheSize,
    onYield(cause) {
      const { agentId, since } = cause.by === 'presence' ? { ...cause, since: 0 } : cause.announcement
      // A browser that does not say since when is there since now.
      const clash = { sinceMs: since || platform.now(), agentId }
      if (!signal.aborted) void send({ type: 'superseded', clash, isFirst: () => isFirst(context, claims) })
    },
    onRemoteLogout() {
      if (!signal.aborted) void send({ type: 'endedRemotely' })
    },
    onStatus(status, reason) {
      // Without a messaging service there is nothing whose health could be told.
      if (realtime === undefined || !hasNames || signal.aborted) return
      const now = `${status} ${reason}`
      if (now !== last)
        timeline.record('real time', status === 'degraded' ? 'failed' : 'done', reason ?? status)
      last = now
      store.change({ type: 'flags', flags: { realtime: status } })
    },
  })
  if (!hasNames) timeline.record('real time', 'skipped', BAD_IDS)
  const sayWhetherUnique = () =>
    settings.uniqueSession && recordUniqueSession(timeline, realtime ? presence.whyNotUnique() : NO_SERVICE)
  sayWhetherUnique()

  return {
    ...presence,
    /** A renewal may have brought another session of the same user: it speaks for that one from now on. */
    follow(next: CurrentSession) {
      const isSame = sameId(next.claims.sessionId, claims.sessionId)
      claims = next.claims
      if (isSame) return
      presence.takeSession(identityOf(context, next))
      sayWhetherUnique()
    },
    /** Resolves when the user's other browsers have been told, a second later at the latest. */
    async leave(how: LeaveHow) {
      if (how === 'signed-out') await within(platform, GOODBYE_MS, presence.announceLogout)
      presence.dispose({ leave: how !== 'paused' })
    },
  }
}

/** Says in `explain()` whether one session per user is on, and why it is not: once, until that changes. */
function recordUniqueSession(timeline: Timeline, whyNot: string | undefined): void {
  const detail = whyNot ?? 'on: the newest sign-in stays'
  const last = timeline.steps().findLast(({ step }) => step === UNIQUE_SESSION_STEP)
  if (last?.detail !== detail)
    timeline.record(UNIQUE_SESSION_STEP, whyNot === undefined ? 'done' : 'skipped', detail)
}

function identityOf(
  { settings, platform, marker }: ChannelsContext,
  { claims, sinceMs: signedInAtMs }: CurrentSession,
): PresenceIdentity {
  const { userId, firmId, sessionId, impersonatorId } = claims
  // The first token of a session tells when it began; later ones are younger.
  const sinceMs = signedInAtMs ?? platform.now()
  return {
    authHost: settings.authHost,
    clientId: settings.clientId,
    userId: String(userId),
    firmId: text(firmId),
    sessionId: text(sessionId),
    impersonatorId: text(impersonatorId),
    agentId: readAgentId(platform, settings),
    sessionType: impersonatorId === undefined ? settings.sessionType : '2',
    deviceId: settings.deviceId,
    sinceMs: sessionId === undefined ? sinceMs : marker.since(String(sessionId), sinceMs),
  }
}

const text = (id: string | number | undefined) => (id === undefined ? undefined : String(id))

function createTransport(
  { settings, platform }: ChannelsContext,
  { tabsPort, service }: Pick<ChannelsOptions, 'tabsPort' | 'service'>,
  { userId, firmId, agentId, sessionType, deviceId: device = NIL_DEVICE }: PresenceIdentity,
): RealtimeTransport {
  if (!service) return createBroadcastTransport(messagesChannel(settings), { ...tabsPort, now: platform.now })
  const presenceId = makePresenceId({ type: sessionType, device, agentId }) ?? ''
  const name = connectionName(settings, { userId, firmId, presenceId })
  return createSharedConnection(service, name, { ...platform, ...tabsPort })
}

/** Whether this tab is the first that hears of a clash. In a browser without locks, every tab is. */
const isFirst = ({ settings, platform }: ChannelsContext, claims: Claims) =>
  platform.takeLock(clashLock(settings, String(claims.sessionId)), SAME_CLASH_MS)

const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The agent id: made once, kept in local storage; where nothing can be stored, good for this page. */
export function readAgentId(
  { localStorage, crypto }: Pick<Platform, 'localStorage' | 'crypto'>,
  client: Client,
): string {
  const key = agentKey(client)
  const stored = localStorage.get(key)
  if (stored !== undefined && UUID_4.test(stored)) return stored
  const bytes = crypto.randomBytes?.(16) ?? new Uint8Array(16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const made = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  localStorage.set(key, made)
  return made
}
