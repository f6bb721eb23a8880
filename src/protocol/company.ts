// Knows who else is on a user's session channel, and who of them is a stranger to be wary of (spec §4 "Unique session"; contract §7).
import { NIL_DEVICE, parsePresenceId, REALTIME_CACHE_SIZE } from './presence.ts'

/** A silent stranger that stays this long ends the session (contract §7 "Presence logout"). */
export const STRANGER_MS = 12_000

/** An agent that joined after us and has not announced itself. */
export interface Stranger {
  readonly presenceId: string
  readonly agentId: string
  readonly dueAtMs: number
  /** The service is being asked whether it is still here: its leaving may have been missed. */
  readonly isAsked: boolean
}

/** A session that this one yielded to; the id is not known of one that has not announced itself. */
export interface Winner {
  readonly agentId: string
  readonly sessionId?: string | undefined
}

/** Agents by what is known of them. */
export interface Company {
  /** Have announced themselves. */
  readonly claimed: readonly string[]
  /** Of those, the ones that are no rivals. */
  readonly peaceful: readonly string[]
  /** Were there before us; undefined until the service has said who. */
  readonly earlier: readonly string[] | undefined
  readonly present: readonly string[]
  readonly strangers: readonly Stranger[]
  /** Whom this session has yielded to: once each, because the app's hook may have chosen to stay. */
  readonly winners: readonly Winner[]
}

export const nobody: Company = Object.freeze({
  claimed: [],
  peaceful: [],
  earlier: undefined,
  present: [],
  strangers: [],
  winners: [],
})

/** Who comes or goes while we are away is not known, so nobody is a stranger after that. */
export function loseSight(company: Company): Company {
  return { ...company, present: [], strangers: [] }
}

/** Whether somebody is here with whom it is not yet settled who stays. */
export function hasUnsettled({ present, peaceful }: Company): boolean {
  return present.some((agentId) => !peaceful.includes(agentId))
}

/** An agent has announced itself. */
export function meetSpeaker(company: Company, agentId: string, isRival: boolean): Company {
  const isStranger = company.strangers.some((stranger) => stranger.agentId === agentId)
  const isKnown = company.claimed.includes(agentId) && company.peaceful.includes(agentId) !== isRival
  if (isKnown && !isStranger) return company
  return {
    ...company,
    claimed: remember(company.claimed, agentId),
    peaceful: isRival
      ? company.peaceful.filter((peaceful) => peaceful !== agentId)
      : remember(company.peaceful, agentId),
    strangers: company.strangers.filter((stranger) => stranger.agentId !== agentId),
  }
}

/** The service has said who was here when we connected. */
export function meetOccupants(company: Company, ownAgentId: string, presenceIds: readonly string[]): Company {
  const others = foreign(ownAgentId, presenceIds)
  const present = others.filter(({ type }) => type !== '2').map(({ agentId }) => agentId)
  const earlier = new Set([...(company.earlier ?? []), ...others.map(({ agentId }) => agentId)])
  return {
    ...company,
    earlier: [...earlier],
    present: present.slice(-REALTIME_CACHE_SIZE),
    strangers: company.strangers.filter(({ agentId }) => !earlier.has(agentId)),
  }
}

/** Agents have joined; `mayJudge` is false where presence logs nobody out. */
export function meetJoined(
  company: Company,
  ownAgentId: string,
  presenceIds: readonly string[],
  { mayJudge, nowMs }: { mayJudge: boolean; nowMs: number },
): Company {
  const others = foreign(ownAgentId, presenceIds).filter(({ type }) => type !== '2')
  if (others.length === 0) return company
  const { claimed } = company
  const earlier = company.earlier && new Set(company.earlier)
  const present = others.reduce((list, { agentId }) => remember(list, agentId), company.present)
  // A crowd on one user's channel is an attack or a fault: nobody in it is taken for a sign-in.
  if (!mayJudge || present.length >= REALTIME_CACHE_SIZE) return { ...company, present, strangers: [] }

  const strangers = [...company.strangers]
  for (const { type, device, agentId, presenceId } of others) {
    const isSignIn = type === '1' && device === NIL_DEVICE
    const isKnown = !earlier || earlier.has(agentId) || claimed.includes(agentId)
    if (!isSignIn || isKnown || strangers.some((stranger) => stranger.agentId === agentId)) continue
    strangers.push({ presenceId, agentId, dueAtMs: nowMs + STRANGER_MS, isAsked: false })
  }
  return { ...company, present, strangers }
}

/** Strangers whose time is up; asked again after another wait if no answer comes. */
export function askAfter(company: Company, nowMs: number): { company: Company; isAsking: boolean } {
  const isDue = ({ dueAtMs }: Stranger) => nowMs >= dueAtMs
  if (!company.strangers.some(isDue)) return { company, isAsking: false }
  const strangers = company.strangers.map((stranger) =>
    isDue(stranger) ? { ...stranger, dueAtMs: nowMs + STRANGER_MS, isAsked: true } : stranger,
  )
  return { company: { ...company, strangers }, isAsking: true }
}

/** This session yields to another one, whose agent is no stranger from then on. */
export function giveWay(company: Company, { agentId, sessionId }: Winner): Company {
  return {
    ...company,
    earlier: remember(company.earlier ?? [], agentId),
    strangers: company.strangers.filter((stranger) => stranger.agentId !== agentId),
    winners: [...company.winners, { agentId, sessionId }].slice(-REALTIME_CACHE_SIZE),
  }
}

/** A session speaks that was yielded to before, perhaps when it had not announced itself; `undefined`: it was not. */
export function meetWinner(company: Company, { agentId, sessionId }: Winner): Company | undefined {
  const isSame = (winner: Winner) =>
    winner.sessionId === sessionId || (winner.sessionId === undefined && winner.agentId === agentId)
  if (!company.winners.some(isSame)) return undefined
  const winners = company.winners.map((winner) => (isSame(winner) ? { agentId, sessionId } : winner))
  return { ...company, winners }
}

/** Agents have left or timed out; that never logs anybody out. */
export function forget(company: Company, presenceIds: readonly string[]): Company {
  const gone = presenceIds.map((presenceId) => parsePresenceId(presenceId)?.agentId)
  return {
    ...company,
    present: company.present.filter((agentId) => !gone.includes(agentId)),
    strangers: company.strangers.filter(({ agentId }) => !gone.includes(agentId)),
  }
}

/** A list without repeats that keeps the latest. */
export function remember(list: readonly string[], item: string): readonly string[] {
  return list.includes(item) ? list : [...list, item].slice(-REALTIME_CACHE_SIZE)
}

function foreign(ownAgentId: string, presenceIds: readonly string[]) {
  return presenceIds.flatMap((presenceId) => {
    const parsed = parsePresenceId(presenceId)
    return parsed && parsed.agentId !== ownAgentId ? [{ ...parsed, presenceId }] : []
  })
}
