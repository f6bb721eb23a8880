// Tracks which clients are on a user's session channel, and which of them have not announced themselves.
import { NIL_DEVICE, parsePresenceId, REALTIME_CACHE_SIZE } from './presence.ts'

/** An unannounced client that stays this long ends the session. */
export const UNANNOUNCED_LIMIT_MS = 12_000

/** A client that joined after this session and has not announced itself. */
export interface UnannouncedClient {
  readonly presenceId: string
  readonly agentId: string
  readonly dueAtMs: number
  /** Whether the service is being asked if the client is still present: its leave event may have been missed. */
  readonly isAsked: boolean
}

/** A session that this one yielded to. The id of an unannounced session is unknown. */
export interface Winner {
  readonly agentId: string
  readonly sessionId?: string | undefined
}

/** The other clients of the channel, by agent id. */
export interface ChannelOccupants {
  /** Have announced their session. */
  readonly announced: readonly string[]
  /** Have announced a session that does not conflict with this one. */
  readonly nonConflicting: readonly string[]
  /** Were present when this session connected; `undefined` until the service has listed them. */
  readonly earlier: readonly string[] | undefined
  readonly present: readonly string[]
  readonly unannounced: readonly UnannouncedClient[]
  /** The sessions that this one has yielded to. It yields once to each, because the app's hook may decide to stay. */
  readonly winners: readonly Winner[]
}

export const noOccupants: ChannelOccupants = Object.freeze({
  announced: [],
  nonConflicting: [],
  earlier: undefined,
  present: [],
  unannounced: [],
  winners: [],
})

/** Joins and leaves are missed while the connection is down, so the list of present clients is dropped. */
export function forgetPresent(occupants: ChannelOccupants): ChannelOccupants {
  return { ...occupants, present: [], unannounced: [] }
}

/** Whether a client is present that may conflict with this session. */
export function hasUnsettled({ present, nonConflicting }: ChannelOccupants): boolean {
  return present.some((agentId) => !nonConflicting.includes(agentId))
}

/** A client has announced its session. */
export function noteAnnouncement(
  occupants: ChannelOccupants,
  agentId: string,
  isConflicting: boolean,
): ChannelOccupants {
  const wasUnannounced = occupants.unannounced.some((client) => client.agentId === agentId)
  const isKnown =
    occupants.announced.includes(agentId) && occupants.nonConflicting.includes(agentId) !== isConflicting
  if (isKnown && !wasUnannounced) return occupants
  return {
    ...occupants,
    announced: remember(occupants.announced, agentId),
    nonConflicting: isConflicting
      ? occupants.nonConflicting.filter((other) => other !== agentId)
      : remember(occupants.nonConflicting, agentId),
    unannounced: occupants.unannounced.filter((client) => client.agentId !== agentId),
  }
}

/** The service has listed who was present when this session connected. */
export function noteOccupants(
  occupants: ChannelOccupants,
  ownAgentId: string,
  presenceIds: readonly string[],
): ChannelOccupants {
  const others = otherClients(ownAgentId, presenceIds)
  const present = others.filter(({ type }) => type !== '2').map(({ agentId }) => agentId)
  const earlier = new Set([...(occupants.earlier ?? []), ...others.map(({ agentId }) => agentId)])
  return {
    ...occupants,
    earlier: [...earlier],
    present: present.slice(-REALTIME_CACHE_SIZE),
    unannounced: occupants.unannounced.filter(({ agentId }) => !earlier.has(agentId)),
  }
}

/** Clients have joined. With `mayJudge` false, presence ends no session, so none of them is tracked as unannounced. */
export function noteJoined(
  occupants: ChannelOccupants,
  ownAgentId: string,
  presenceIds: readonly string[],
  { mayJudge, nowMs }: { mayJudge: boolean; nowMs: number },
): ChannelOccupants {
  const others = otherClients(ownAgentId, presenceIds).filter(({ type }) => type !== '2')
  if (others.length === 0) return occupants
  const { announced } = occupants
  const earlier = occupants.earlier && new Set(occupants.earlier)
  const present = others.reduce((list, { agentId }) => remember(list, agentId), occupants.present)
  // A hundred clients on one user's channel are an attack or a fault, not sign-ins.
  if (!mayJudge || present.length >= REALTIME_CACHE_SIZE) return { ...occupants, present, unannounced: [] }

  const unannounced = [...occupants.unannounced]
  for (const { type, device, agentId, presenceId } of others) {
    const isSignIn = type === '1' && device === NIL_DEVICE
    const isKnown = !earlier || earlier.has(agentId) || announced.includes(agentId)
    if (!isSignIn || isKnown || unannounced.some((client) => client.agentId === agentId)) continue
    unannounced.push({ presenceId, agentId, dueAtMs: nowMs + UNANNOUNCED_LIMIT_MS, isAsked: false })
  }
  return { ...occupants, present, unannounced }
}

/** Asks about unannounced clients whose time is up. Asks again after another wait when no response comes. */
export function askAboutUnannounced(
  occupants: ChannelOccupants,
  nowMs: number,
): { occupants: ChannelOccupants; isAsking: boolean } {
  const isDue = ({ dueAtMs }: UnannouncedClient) => nowMs >= dueAtMs
  if (!occupants.unannounced.some(isDue)) return { occupants, isAsking: false }
  const unannounced = occupants.unannounced.map((client) =>
    isDue(client) ? { ...client, dueAtMs: nowMs + UNANNOUNCED_LIMIT_MS, isAsked: true } : client,
  )
  return { occupants: { ...occupants, unannounced }, isAsking: true }
}

/** This session yields to another one; its client no longer counts as unannounced. */
export function noteWinner(occupants: ChannelOccupants, { agentId, sessionId }: Winner): ChannelOccupants {
  return {
    ...occupants,
    earlier: remember(occupants.earlier ?? [], agentId),
    unannounced: occupants.unannounced.filter((client) => client.agentId !== agentId),
    winners: [...occupants.winners, { agentId, sessionId }].slice(-REALTIME_CACHE_SIZE),
  }
}

/** Recognises a session that this one has yielded to, also when that session had not announced itself then. Returns `undefined` for any other. */
export function recogniseWinner(
  occupants: ChannelOccupants,
  { agentId, sessionId }: Winner,
): ChannelOccupants | undefined {
  const isSame = (winner: Winner) =>
    winner.sessionId === sessionId || (winner.sessionId === undefined && winner.agentId === agentId)
  if (!occupants.winners.some(isSame)) return undefined
  const winners = occupants.winners.map((winner) => (isSame(winner) ? { agentId, sessionId } : winner))
  return { ...occupants, winners }
}

/** Clients have left or timed out. That never ends a session. */
export function noteLeft(occupants: ChannelOccupants, presenceIds: readonly string[]): ChannelOccupants {
  const gone = presenceIds.map((presenceId) => parsePresenceId(presenceId)?.agentId)
  return {
    ...occupants,
    present: occupants.present.filter((agentId) => !gone.includes(agentId)),
    unannounced: occupants.unannounced.filter(({ agentId }) => !gone.includes(agentId)),
  }
}

/** Appends an item that the list lacks, and drops the oldest above the cache size. */
export function remember(list: readonly string[], item: string): readonly string[] {
  return list.includes(item) ? list : [...list, item].slice(-REALTIME_CACHE_SIZE)
}

function otherClients(ownAgentId: string, presenceIds: readonly string[]) {
  return presenceIds.flatMap((presenceId) => {
    const parsed = parsePresenceId(presenceId)
    return parsed && parsed.agentId !== ownAgentId ? [{ ...parsed, presenceId }] : []
  })
}
