// Joins the real-time channels of a session, and applies their events to it.
import { numberOf, recordOf } from '../base/json.ts'
import { within } from '../base/within.ts'
import type { Id } from '../protocol/claims.ts'
import type { Granted } from '../protocol/credentials.ts'
import { sameId } from '../protocol/identity.ts'
import {
  agentKey,
  channelNames,
  connectionName,
  makePresenceId,
  NIL_DEVICE,
  parseAnnouncement,
} from '../protocol/presence.ts'
import type { RealtimeTransport } from '../protocol/realtimeTransport.ts'
import type { Client } from '../protocol/storageKeys.ts'
import type { Context } from '../session/context.ts'
import type { Platform, TabsPort } from '../session/platform/platform.ts'
import { type LeaveHow, type Listening, UNIQUE_SESSION_STEP } from '../session/realtimePort.ts'
import type { SendEvent } from '../session/sessionEvent.ts'
import { createPresence, type PresenceIdentity } from './presence.ts'
import { createSharedConnection } from './sharedConnection.ts'

type CurrentSession = Pick<Granted, 'claims' | 'sinceMs'>
type ChannelsContext = Pick<Context, 'settings' | 'platform' | 'store' | 'timeline' | 'marker'>

export interface ChannelsOptions {
  listening: ReadonlySet<Listening>
  send: SendEvent
  session: CurrentSession
  tabsPort: TabsPort
  onOccupants: () => void
  /** Absent: nothing is published to other devices. */
  service: RealtimeTransport | undefined
  /** Aborted when the channels are left. */
  signal: AbortSignal
}

export type JoinedChannels = ReturnType<typeof joinChannels>

/** Longest wait for the notice of a logout to the user's other browsers. */
const GOODBYE_MS = 1_000

/** Without a messaging service no messages arrive, and only this browser is online. */
const NO_SERVICE: RealtimeTransport = {
  isProtected: false,
  open({ identity, listen }) {
    void Promise.resolve().then(() => listen({ type: 'state', state: 'connected' }))
    return { isSpeaker: true, publish: async () => {}, occupants: async () => [identity], close() {} }
  },
}

export function joinChannels(
  context: ChannelsContext,
  { listening, onOccupants, send, session, tabsPort, service, signal }: ChannelsOptions,
) {
  const { settings, platform, store, timeline } = context
  // Copied: a renewal changes the object in place.
  let { claims } = session
  const { realtime, uniqueSession } = settings
  const identity = identityOf(context, session)
  // The tabs share one connection where user, firm and presence identifier are the same.
  const name = connectionName(settings, {
    userId: String(claims.userId),
    firmId: text(claims.firmId),
    presenceId: identity.presenceId ?? '',
  })
  let last = ''

  const presence = createPresence({
    identity,
    transport: service ? createSharedConnection(service, name, { ...platform, ...tabsPort }) : NO_SERVICE,
    ports: platform,
    listening,
    onOccupants,
    // The tabs of one browser are one session: without a service there is no other session to yield to.
    isUnique: uniqueSession && realtime !== undefined,
    cacheSize: service?.cacheSize,
    onYield({ agentId, since }) {
      // A session that does not announce when it began counts from now.
      const sinceMs = since === undefined || since === 0 ? platform.now() : since
      if (!signal.aborted) void send({ type: 'superseded', clash: { sinceMs, agentId } })
    },
    onRemoteLogout() {
      if (!signal.aborted) void send({ type: 'endedRemotely' })
    },
    onStatus(status, reason) {
      // Without a messaging service there is no health to report.
      if ((!realtime && status !== 'off') || signal.aborted) return
      const detail = reason ?? status
      const outcome = status === 'off' ? 'skipped' : status === 'degraded' ? 'failed' : 'done'
      if (detail !== last) timeline.record('real time', outcome, detail)
      last = detail
      store.change({ type: 'flags', flags: { realtime: status } })
    },
  })
  /** Records in `explain()` whether one session per user is on, or why not, until that changes. */
  const recordUniqueSession = () => {
    const whyNot = presence.whyNotUnique()
    const detail = whyNot ?? 'on: the newest sign-in stays'
    const previous = timeline.steps().findLast(({ step }) => step === UNIQUE_SESSION_STEP)
    if (!uniqueSession || !realtime || previous?.detail === detail) return
    timeline.record(UNIQUE_SESSION_STEP, whyNot === undefined ? 'done' : 'skipped', detail)
  }
  recordUniqueSession()

  return {
    ...presence,
    /** A renewal may have brought another session of the same user, which is announced from now on. */
    follow(next: CurrentSession) {
      const isSame = sameId(next.claims.sessionId, claims.sessionId)
      claims = next.claims
      if (isSame) return
      presence.takeSession(identityOf(context, next).own)
      recordUniqueSession()
    },
    /** Resolves when the user's other browsers have been notified, after at most a second. */
    async leave(how: LeaveHow) {
      if (how === 'signed-out') await within(platform, GOODBYE_MS, presence.announceLogout)
      presence.dispose({ leave: how !== 'paused' })
    },
  }
}

const text = (id: Id | undefined) => (id === undefined ? undefined : String(id))

function identityOf(
  { settings, platform, marker }: ChannelsContext,
  { claims, sinceMs = platform.now() }: CurrentSession,
): PresenceIdentity {
  const { authHost, clientId, sessionType, deviceId: device = NIL_DEVICE, firmChannel } = settings
  const sessionId = text(claims.sessionId)
  const impersonatorId = text(claims.impersonatorId)
  const agentId = readAgentId(platform, settings)
  // Only the first token of a session has the time of its beginning.
  const beganAtMs = sessionId === undefined ? sinceMs : rememberedSince(marker, sessionId, sinceMs)
  const since = Number.isFinite(beganAtMs) ? Math.max(0, Math.trunc(beganAtMs)) : 0
  return {
    presenceId: makePresenceId({ type: impersonatorId === undefined ? sessionType : '2', device, agentId }),
    names: channelNames({ userId: String(claims.userId), firmId: text(claims.firmId), firmChannel }),
    own: parseAnnouncement({ authHost, clientId, sessionId, agentId, impersonatorId, since }),
  }
}

/** When the session began: as the tabs have stored it, else the given time, which is stored. */
export function rememberedSince(
  marker: Pick<ChannelsContext['marker'], 'began' | 'keepBegan'>,
  sessionId: string,
  sinceMs: number,
): number {
  const began = recordOf(marker.began())
  const beganAtMs = began['sessionId'] === sessionId ? numberOf(began['sinceMs']) : undefined
  if (beganAtMs === undefined) marker.keepBegan({ sessionId, sinceMs })
  return beganAtMs ?? sinceMs
}

const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Made once and stored in local storage; without storage, only for this page. */
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
