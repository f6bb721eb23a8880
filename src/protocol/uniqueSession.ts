// Decides which of a user's sessions stays: one pure step from state and event to state and effects (spec §4 "Unique session"; contract §7).
import {
  askAfter,
  forget,
  giveWay,
  hasUnsettled,
  loseSight,
  meetJoined,
  meetOccupants,
  meetSpeaker,
  meetWinner,
  nobody,
  remember,
} from './company.ts'
import type { Company } from './company.ts'
import { newer, parsePresenceId } from './presence.ts'
import type { Claim } from './presence.ts'

/** A newer claim is believed after this long, unless its session says goodbye first (contract §7). */
export const SETTLE_MS = 300
/** Claims are at least this far apart. */
export const ANNOUNCE_GAP_MS = 2_000
/** With others on the channel a claim is repeated this long after the first, then every last step. */
const REPEAT_MS: readonly number[] = [2_000, 8_000, 30_000, 120_000, 420_000]
const LAST_REPEAT_MS = 300_000
/** Without access control only a session id that nobody can guess ends a session. */
const UNGUESSABLE_LENGTH = 22

/** What a state is about: this session, and whether strangers are kept off its channel. */
export interface UniqueSessionOptions {
  readonly own: Claim
  /** False: anybody could speak here, so claims and presence log nobody out. */
  readonly isProtected: boolean
  /** False: the app lets a user have several sessions. */
  readonly isUnique: boolean
}

/** Why this session has to go. */
export type YieldCause =
  | { readonly by: 'claim'; readonly claim: Claim }
  | { readonly by: 'presence'; readonly presenceId: string; readonly agentId: string }

/** Everything remembered between events; times are milliseconds of a clock nobody sets. */
export interface UniqueSessionState {
  /** The server, or the user elsewhere, ended this session: silent from now on. */
  readonly isOver: boolean
  readonly isConnected: boolean
  readonly announcedAtMs: number | undefined
  readonly announceAtMs: number | undefined
  readonly roundAtMs: number
  readonly repeat: number
  /** The next claim is sent whoever is here: the last one did not get through, or an older session has to hear it. */
  readonly mustAnnounce: boolean
  readonly pending: { readonly claim: Claim; readonly dueAtMs: number } | undefined
  readonly ended: readonly string[]
  readonly company: Company
}

export type UniqueSessionEvent =
  | { readonly type: 'connected' }
  | { readonly type: 'disconnected' }
  | { readonly type: 'occupants'; readonly presenceIds: readonly string[] }
  | { readonly type: 'still-here'; readonly presenceIds: readonly string[] }
  | {
      readonly type: 'presence'
      readonly action: 'join' | 'leave' | 'timeout'
      readonly presenceIds: readonly string[]
    }
  | { readonly type: 'claim'; readonly claim: Claim; readonly publisher: string | undefined }
  | { readonly type: 'unsent' }
  | { readonly type: 'tick' }

export type UniqueSessionEffect =
  | { readonly type: 'announce' }
  /** Find out who is here now; the answer comes back as `still-here`. */
  | { readonly type: 'ask' }
  | { readonly type: 'yield'; readonly cause: YieldCause }
  | { readonly type: 'end' }

export interface UniqueSessionStep {
  readonly state: UniqueSessionState
  readonly effects: readonly UniqueSessionEffect[]
}

export const initialUniqueSession: UniqueSessionState = Object.freeze({
  isOver: false,
  isConnected: false,
  announcedAtMs: undefined,
  announceAtMs: undefined,
  roundAtMs: 0,
  repeat: 0,
  mustAnnounce: false,
  pending: undefined,
  ended: [],
  company: nobody,
})

/** When the next `tick` is due; undefined when only an event can change anything. */
export function nextTickAtMs({ announceAtMs, pending, company }: UniqueSessionState): number | undefined {
  const due = [announceAtMs, pending?.dueAtMs, ...company.strangers.map(({ dueAtMs }) => dueAtMs)]
  const times = due.filter((time) => time !== undefined)
  return times.length === 0 ? undefined : Math.min(...times)
}

export function stepUniqueSession(
  options: UniqueSessionOptions,
  state: UniqueSessionState,
  event: UniqueSessionEvent,
  nowMs: number,
): UniqueSessionStep {
  if (state.isOver) return still(state)
  const { company } = state
  const ownAgentId = options.own.agentId
  switch (event.type) {
    case 'connected':
      return still(startRound(options, { ...state, isConnected: true }, nowMs))
    case 'disconnected':
      return still({ ...state, isConnected: false, announceAtMs: undefined, company: loseSight(company) })
    case 'occupants': {
      const met = { ...state, company: meetOccupants(company, ownAgentId, event.presenceIds) }
      const isNews = hasUnsettled(met.company) && !hasUnsettled(company)
      return still(isNews ? bringForward(options, met, nowMs) : met)
    }
    case 'still-here':
      return judgeStrangers(state, event.presenceIds)
    case 'presence': {
      if (event.action !== 'join') return still({ ...state, company: forget(company, event.presenceIds) })
      const mayJudge = state.isConnected && !isSilent(options)
      const joined = meetJoined(company, ownAgentId, event.presenceIds, { mayJudge, nowMs })
      return still(joined === company ? state : bringForward(options, { ...state, company: joined }, nowMs))
    }
    case 'claim':
      return event.claim.logout
        ? hearGoodbye(options, state, event.claim)
        : hear(options, state, event.claim, event.publisher, nowMs)
    case 'unsent':
      return still({ ...state, mustAnnounce: true })
    case 'tick':
      return tick(state, nowMs)
  }
}

const still = (state: UniqueSessionState): UniqueSessionStep => ({ state, effects: [] })

const over = (state: UniqueSessionState, effect: UniqueSessionEffect): UniqueSessionStep => ({
  state: { ...state, isOver: true, announceAtMs: undefined, pending: undefined, company: nobody },
  effects: [effect],
})

/** The app's hook decides what this means; whoever stays goes on announcing itself. */
const yieldTo = (state: UniqueSessionState, cause: YieldCause): UniqueSessionStep => ({
  state: { ...state, company: giveWay(state.company, cause.by === 'claim' ? cause.claim : cause) },
  effects: [{ type: 'yield', cause }],
})

/** An impersonated session is no rival of anybody, and on an open channel a claim would only give the session id away. */
const isSilent = ({ own, isProtected, isUnique }: UniqueSessionOptions) =>
  !isProtected || !isUnique || own.impersonatorId !== undefined

function hearGoodbye(
  { own, isProtected }: UniqueSessionOptions,
  state: UniqueSessionState,
  claim: Claim,
): UniqueSessionStep {
  if (claim.authHost !== own.authHost) return still(state)
  if (claim.sessionId === own.sessionId) {
    const isProof = isProtected || own.sessionId.length >= UNGUESSABLE_LENGTH
    return isProof ? over(state, { type: 'end' }) : still(state)
  }
  const isPending = state.pending?.claim.sessionId === claim.sessionId
  const ended = remember(state.ended, claim.sessionId)
  return still({ ...state, ended, pending: isPending ? undefined : state.pending })
}

function hear(
  options: UniqueSessionOptions,
  state: UniqueSessionState,
  claim: Claim,
  publisher: string | undefined,
  nowMs: number,
): UniqueSessionStep {
  const { own } = options
  const sender = parsePresenceId(publisher)
  if (!sender || sender.agentId !== claim.agentId || claim.agentId === own.agentId) return still(state)
  const isRival =
    !isSilent(options) &&
    claim.impersonatorId === undefined &&
    sender.type !== '2' &&
    claim.authHost === own.authHost &&
    claim.clientId === own.clientId &&
    claim.sessionId !== own.sessionId &&
    !state.ended.includes(claim.sessionId)
  const company = meetSpeaker(state.company, claim.agentId, isRival)
  const met = company === state.company ? state : { ...state, company }
  if (!isRival) return still(met)
  if (!newer(claim, own)) {
    // A round of claims for one who is new here; one who has heard us before, and stays, is told once more.
    return still(met === state ? answerOnce(met, nowMs) : bringForward(options, met, nowMs))
  }
  const known = meetWinner(met.company, claim)
  if (known) return still({ ...met, company: known })
  if (met.pending && !newer(claim, met.pending.claim)) return still(met)
  return still({ ...met, pending: { claim, dueAtMs: met.pending?.dueAtMs ?? nowMs + SETTLE_MS } })
}

/** Yields to a silent stranger that stayed; forgets those who are gone. */
function judgeStrangers(state: UniqueSessionState, presenceIds: readonly string[]): UniqueSessionStep {
  const { company } = state
  const stayed = company.strangers.find(
    ({ isAsked, presenceId }) => isAsked && presenceIds.includes(presenceId),
  )
  if (stayed) {
    const { presenceId, agentId } = stayed
    return yieldTo(state, { by: 'presence', presenceId, agentId })
  }
  const gone = company.strangers.filter(({ isAsked }) => isAsked).map(({ presenceId }) => presenceId)
  return still({ ...state, company: forget(company, gone) })
}

function tick(state: UniqueSessionState, nowMs: number): UniqueSessionStep {
  const { pending } = state
  if (pending && nowMs >= pending.dueAtMs) {
    return yieldTo({ ...state, pending: undefined }, { by: 'claim', claim: pending.claim })
  }

  const { company, isAsking } = askAfter(state.company, nowMs)
  const waited = isAsking ? { ...state, company } : state
  const asking: readonly UniqueSessionEffect[] = isAsking ? [{ type: 'ask' }] : []
  if (waited.announceAtMs === undefined || nowMs < waited.announceAtMs)
    return { state: waited, effects: asking }
  const announced = announce(waited, nowMs)
  return { ...announced, effects: [...asking, ...announced.effects] }
}

function announce(state: UniqueSessionState, nowMs: number): UniqueSessionStep {
  const { company, repeat, roundAtMs, mustAnnounce } = state
  const step = REPEAT_MS[repeat]
  const isDue = repeat === 0 || mustAnnounce || hasUnsettled(company)
  const regularMs = step === undefined ? nowMs + LAST_REPEAT_MS : roundAtMs + step
  const earliestMs = nowMs + ANNOUNCE_GAP_MS
  const laterMs = company.strangers.length > 0 ? earliestMs : Math.max(regularMs, earliestMs)
  const next = {
    ...state,
    repeat: repeat + 1,
    announceAtMs: isDue || step !== undefined ? laterMs : undefined,
  }
  if (!isDue) return still(next)
  return { state: { ...next, mustAnnounce: false, announcedAtMs: nowMs }, effects: [{ type: 'announce' }] }
}

/** Claims now (as soon as the gap allows), and again while there is company. */
function startRound(
  options: UniqueSessionOptions,
  state: UniqueSessionState,
  nowMs: number,
): UniqueSessionState {
  if (isSilent(options) || !state.isConnected) return state
  const announceAtMs = earliestAnnouncementMs(state, nowMs)
  return { ...state, announceAtMs, roundAtMs: announceAtMs, repeat: 0 }
}

/** Starts a new round unless the next claim is due as early as may be. */
function bringForward(
  options: UniqueSessionOptions,
  state: UniqueSessionState,
  nowMs: number,
): UniqueSessionState {
  const isSoon =
    state.announceAtMs !== undefined && state.announceAtMs <= earliestAnnouncementMs(state, nowMs)
  return isSoon ? state : startRound(options, state, nowMs)
}

/** Claims as soon as the gap allows, in place of the next claim of the round. */
function answerOnce(state: UniqueSessionState, nowMs: number): UniqueSessionState {
  const soonMs = earliestAnnouncementMs(state, nowMs)
  if (!state.isConnected || (state.announceAtMs ?? Infinity) <= soonMs) return state
  return { ...state, announceAtMs: soonMs, mustAnnounce: true }
}

function earliestAnnouncementMs({ announcedAtMs }: UniqueSessionState, nowMs: number): number {
  return announcedAtMs === undefined ? nowMs : Math.max(nowMs, announcedAtMs + ANNOUNCE_GAP_MS)
}
