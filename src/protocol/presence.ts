// Parses and builds channel names, presence identifiers and messages of the real-time channels.
import { isRecord, memberOf, readable } from '../base/json.ts'
import { LARGEST_INSTANT_MS } from '../base/sessionConstants.ts'
import type { SessionType } from './config.ts'
import { type Client, nameOf } from './storageKeys.ts'

/** Device part of every browser's presence identifier. */
export const NIL_DEVICE = '00000000-0000-0000-0000-000000000000'
/** Longest channel name and presence identifier of the messaging service. */
export const LARGEST_NAME_LENGTH = 92
/** The rest of the name after `auth-session-`. */
const LARGEST_ID_LENGTH = 79
const LARGEST_TEXT_LENGTH = 512

/** Largest number of messages, clients and sessions that are remembered. */
export const REALTIME_CACHE_SIZE = 100

/** Drops the oldest entries above the cache size. */
export function forgetOldest(
  entries: Set<string> | Map<string, unknown>,
  size: number = REALTIME_CACHE_SIZE,
): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= size) return
    entries.delete(oldest)
  }
}

/** The parts of a presence identifier: `{type}:{device}:{agentId}`. */
export interface PresenceId {
  readonly type: SessionType
  readonly device: string
  readonly agentId: string
}

/** A checked session-channel message: a client announces its session, or the end of one. */
export interface SessionAnnouncement extends Client {
  readonly sessionId: string
  readonly agentId: string
  readonly impersonatorId: string | undefined
  readonly logout: boolean
  /** When the session began: milliseconds since 1970 by the server's clock; 0 if unknown. */
  readonly since: number
}

/** A checked user- or firm-channel message. `data` is unchecked. */
export interface TopicMessage {
  readonly topic: string
  readonly messageType: string
  readonly data: unknown
}

/** The channels of one signed-in user. */
export interface ChannelNames {
  readonly session: string
  readonly user: string
  readonly firm: string | undefined
}

const PRESENCE_ID =
  /^([123]):([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}):([0-9A-Za-z_-]{1,53})$/

export function parsePresenceId(value: unknown): PresenceId | undefined {
  if (typeof value !== 'string' || value.length > LARGEST_NAME_LENGTH) return undefined
  const match = PRESENCE_ID.exec(value)
  if (!match) return undefined
  const [, type, device = '', agentId = ''] = match
  return Object.freeze({ type: type as SessionType, device, agentId })
}

/** `undefined` if other clients would not accept it. */
export function makePresenceId({ type, device, agentId }: PresenceId): string | undefined {
  const made = `${type}:${device.toLowerCase()}:${agentId}`
  return parsePresenceId(made) ? made : undefined
}

// Without the service's special characters: comma (list), dot and star (wildcards), slash, colon, `-pnpres` (presence).
const ID = new RegExp(`^[\\w@|~+=-]{1,${LARGEST_ID_LENGTH}}$`)
const NAME = new RegExp(`^[\\w@|~+=.-]{1,${LARGEST_NAME_LENGTH}}$`)
const isId = (value: string) => ID.test(value) && !value.endsWith('-pnpres')
const isName = (name: unknown) => typeof name === 'string' && NAME.test(name) && !name.endsWith('-pnpres')

/** `undefined` if the user id cannot be part of a channel name; likewise `firm` for the firm id. */
export function channelNames(options: {
  userId: string
  firmId?: string | undefined
  firmChannel?: ((firmId: string) => string) | undefined
}): ChannelNames | undefined {
  const { userId, firmId, firmChannel = (firm: string) => `firm_${firm}` } = options
  if (!isId(userId)) return undefined
  const firmName = firmId !== undefined && isId(firmId) ? firmChannel(firmId) : undefined
  return Object.freeze({
    session: `auth-session-${userId}`,
    user: `user_${userId}`,
    firm: isName(firmName) ? firmName : undefined,
  })
}

/** `undefined` for every other shape. */
export const parseAnnouncement = (body: unknown): SessionAnnouncement | undefined =>
  readable(() => {
    const authHost = text(body, 'authHost')
    const clientId = text(body, 'clientId')
    const sessionId = id(body, 'sessionId')
    const agentId = text(body, 'agentId')
    const impersonatorId = id(body, 'impersonatorId')
    const logout = given(body, 'logout') ?? false
    const since = given(body, 'since') ?? 0
    if (!authHost || !clientId || !sessionId || !agentId) return undefined
    if (impersonatorId === undefined && given(body, 'impersonatorId') !== undefined) return undefined
    if (typeof logout !== 'boolean' || typeof since !== 'number' || !Number.isSafeInteger(since))
      return undefined
    if (since < 0 || since > LARGEST_INSTANT_MS) return undefined
    return bare({ authHost, clientId, sessionId, agentId, impersonatorId, logout, since })
  })

/** `undefined` for every other shape. */
export const parseTopicMessage = (body: unknown): TopicMessage | undefined =>
  readable(() => {
    const topic = text(body, 'topic')
    const messageType = text(body, 'messageType')
    if (!topic || !messageType) return undefined
    return bare({ topic, messageType, data: deepFreeze(memberOf(body, 'data')) })
  })

export function makeAnnouncementBody(announcement: SessionAnnouncement): Record<string, unknown> {
  return { ...announcement, impersonatorId: announcement.impersonatorId ?? null }
}

/** Whether session `a` is newer: by its beginning, then by its id. Every client computes the same order. */
export const newer = (a: Beginning, b: Beginning): boolean =>
  a.since === b.since ? a.sessionId > b.sessionId : a.since > b.since

type Beginning = Pick<SessionAnnouncement, 'since' | 'sessionId'>

/** Freezes JSON data at every depth. No recursion: deeply nested data must not overflow the stack. */
export function deepFreeze(value: unknown): unknown {
  const waiting = [value]
  while (waiting.length > 0) {
    const item = waiting.pop()
    if (typeof item !== 'object' || item === null || Object.isFrozen(item) || ArrayBuffer.isView(item))
      continue
    Object.freeze(item)
    for (const member of Object.values(item)) waiting.push(member)
  }
  return value
}

/** A member that is not empty. */
function given(body: unknown, name: string): unknown {
  const value = isRecord(body) ? memberOf(body, name) : undefined
  return value === null || value === '' ? undefined : value
}

function text(body: unknown, name: string): string | undefined {
  const value = given(body, name)
  return typeof value === 'string' && value.length <= LARGEST_TEXT_LENGTH ? value : undefined
}

// Ids from tokens may be strings or numbers and are compared as strings.
function id(body: unknown, name: string): string | undefined {
  const value = given(body, name)
  return Number.isSafeInteger(value) ? String(value) : text(body, name)
}

// No prototype, so that no member name can reach one.
function bare<Fields extends object>(fields: Fields): Readonly<Fields> {
  return Object.freeze(Object.assign(Object.create(null) as Fields, fields))
}

export const agentKey = (client: Client): string => nameOf(client, 'agent')
/** The channel and the lock of the tabs that share one real-time connection: same user, firm and presence identifier. */
export const connectionName = (
  client: Client,
  { userId, firmId = '', presenceId }: { userId: string; firmId?: string | undefined; presenceId: string },
): string => nameOf(client, 'connection', userId, firmId, presenceId)
