// Wires the real-time line of a session: who carries it, which tab leads, what it may end (spec §4 "Unique session", contract §7).
import { assertMessagingOptions } from '../protocol/realtimeOptions.ts'
import { agentKey } from '../protocol/storageKeys.ts'
import { decodeAccessToken } from '../protocol/claims.ts'
import { createAttachments } from './attachments.ts'
import { createBroadcastTransport } from './broadcastRealtime.ts'
import type { Core } from './core.ts'
import type { Hint } from './hint.ts'
import type { TabsPort } from './platform.ts'
import { createPresence, type Presence, type YieldInfo } from './presence.ts'
import { createPubnubTransport } from './pubnubRealtime.ts'
import type { RealtimeTransport } from './realtime.ts'
import { createLeaderTransport } from './realtimeLeader.ts'
import type { Holding } from './vault.ts'

export interface MessagingOptionsOfSession extends Core {
  holding: Holding
  hint: Hint
  tabsPort: TabsPort
  /** Another device signed in as this user. */
  onYield(info: YieldInfo): void
  /** Somebody ended exactly this session. */
  onRemoteLogout(): void
}

/** The channels of a session. */
export interface JoinedChannels extends Presence {
  /** Somebody listens, or no more. */
  followListeners(): void
}

/** Joins the channels of the signed-in user. @throws AuthError `invalid-config` when the keys or figures are wrong */
export function joinChannels(options: MessagingOptionsOfSession): JoinedChannels {
  const { settings, platform, store, holding, hint } = options
  const { authHost, clientId, realtime } = settings
  const { userId, firmId, sessionId, impersonatorId } = holding.claims
  const text = (id: string | number | undefined) => (id === undefined ? undefined : String(id))

  const presence = createPresence({
    identity: {
      authHost,
      clientId,
      userId: String(userId),
      firmId: text(firmId),
      sessionId: text(sessionId),
      impersonatorId: text(impersonatorId),
      agentId: agentId(options),
      sessionType: settings.sessionType,
      // The first token of a session tells when it began; later ones are younger.
      sinceMs: hint.since(
        String(sessionId),
        decodeAccessToken(holding.accessToken).sinceMs ?? platform.now(),
      ),
    },
    transport: createTransport(options),
    ports: platform,
    firmChannel: settings.firmChannel,
    isUnique: settings.uniqueSession,
    onYield: options.onYield,
    onRemoteLogout: options.onRemoteLogout,
    onStatus(status, reason) {
      // Without a messaging service there is nothing whose health could be told.
      if (realtime === undefined || store.state.realtime === status) return
      store.change({ type: 'flags', flags: { realtime: status } })
      options.timeline.record('real time', status === 'degraded' ? 'failed' : 'done', reason ?? status)
    },
  })
  const attachments = createAttachments(({ kind, topic, type, callback }) =>
    presence.listen(kind, topic, type, callback),
  )
  const followListeners = () => attachments.follow(options.listening)
  followListeners()
  return {
    ...presence,
    followListeners,
    dispose(how) {
      attachments.detach()
      presence.dispose(how)
    },
  }
}

function createTransport({
  settings,
  platform,
  tabsPort,
  holding,
}: MessagingOptionsOfSession): RealtimeTransport {
  const { realtime, authHost, clientId } = settings
  const { userId, firmId, sessionId } = holding.claims
  if (realtime === undefined) return createBroadcastTransport({ ...tabsPort, now: platform.now })
  const name = `${authHost} ${clientId} ${userId} ${settings.sessionType}`
  const shared = (transport: RealtimeTransport) =>
    createLeaderTransport(transport, name, { ...platform, ...tabsPort })
  if ('open' in realtime) return shared(realtime as RealtimeTransport)
  assertMessagingOptions(realtime)
  const { getToken, ...figures } = realtime
  const pubnub = createPubnubTransport(
    { ...figures, getToken: getToken && (() => getToken({ userId, firmId, sessionId })) },
    platform,
  )
  return shared(pubnub)
}

/** The name of this browser, made once and kept in local storage. */
function agentId({ platform }: Pick<Core, 'platform'>): string {
  const stored = platform.localStorage.get(agentKey)
  if (
    stored !== undefined &&
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(stored)
  )
    return stored
  const bytes = platform.crypto.randomBytes?.(16) ?? new Uint8Array(16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const agent = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  platform.localStorage.set(agentKey, agent)
  return agent
}
