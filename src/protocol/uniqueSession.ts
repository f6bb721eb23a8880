// Decides which of a user's sessions stays: one pure step from a state and an event to the next state and its effects.
import {
  askAboutUnannounced,
  type ChannelOccupants,
  noteLeft,
  noteWinner,
  hasUnsettled,
  forgetPresent,
  noteJoined,
  noteOccupants,
  noteAnnouncement,
  recogniseWinner,
  noOccupants,
} from './channelOccupants.ts'
import { newer, parsePresenceId, type SessionAnnouncement, REALTIME_CACHE_SIZE } from './presence.ts'

/** A newer session takes over this long after its announcement, unless it announces its logout first. */
export const SETTLE_MS = 300
/** The least time between two announcements. */
export const ANNOUNCE_GAP_MS = 2_000
/** While others are on the channel, announcements are repeated this long after the first one, then every `LAST_REPEAT_MS`. */
const REPEAT_MS: readonly number[] = [2_000, 8_000, 30_000, 120_000, 420_000]
const LAST_REPEAT_MS = 300_000
/** Without access control, a logout message ends a session only if its id is at least this long: too long to guess. */
const UNGUESSABLE_LENGTH = 22

/** This session, and whether access control protects its channel. */
export interface UniqueSessionOptions {
  readonly own: SessionAnnouncement
  /** False when anyone can publish to the channel. Then announcements and presence end no session. */
  readonly isProtected: boolean
  /** False when the app allows several sessions per user. */
  readonly isUnique: boolean
}

/** Why this session yields. */
export type YieldCause =
  | { readonly by: 'announcement'; readonly announcement: SessionAnnouncement }
  | { readonly by: 'presence'; readonly presenceId: string; readonly agentId: string }

/** What is remembered between events. Times are milliseconds of the monotonic clock. */
export interface UniqueSessionState {
  /** The session has ended at the server or in another browser. Nothing more is sent or decided. */
  readonly isOver: boolean
  readonly isConnected: boolean
  readonly announcedAtMs: number | undefined
  readonly announceAtMs: number | undefined
  readonly roundAtMs: number
  readonly repeat: number
  /** Send the next announcement, even if no other session is present: the last one failed, or an older session must receive one. */
  readonly mustAnnounce: boolean
  readonly pending: { readonly announcement: SessionAnnouncement; readonly dueAtMs: number } | undefined
  readonly ended: readonly EndedSession[]
  readonly occupants: ChannelOccupants
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
  | {
      readonly type: 'announcement'
      readonly announcement: SessionAnnouncement
      readonly publisher: string | undefined
    }
  | { readonly type: 'unsent' }
  | { readonly type: 'tick' }

export type UniqueSessionEffect =
  | { readonly type: 'announce' }
  /** Ask the service who is present. The response comes back as `still-here`. */
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
  occupants: noOccupants,
})

/** When the next `tick` is due; `undefined` when only an event can change the state. */
export function nextTickAtMs({ announceAtMs, pending, occupants }: UniqueSessionState): number | undefined {
  const due = [announceAtMs, pending?.dueAtMs, ...occupants.unannounced.map(({ dueAtMs }) => dueAtMs)]
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
  const { occupants } = state
  switch (event.type) {
    case 'connected':
      return still(startRound(options, { ...state, isConnected: true }, nowMs))
    case 'disconnected':
      return still({
        ...state,
        isConnected: false,
        announceAtMs: undefined,
        occupants: forgetPresent(occupants),
      })
    case 'occupants': {
      const met = { ...state, occupants: noteOccupants(occupants, options.own.agentId, event.presenceIds) }
      const isNews = hasUnsettled(met.occupants) && !hasUnsettled(occupants)
      return still(isNews ? bringForward(options, met, nowMs) : met)
    }
    case 'still-here':
      return judgeUnannounced(state, event.presenceIds)
    case 'presence': {
      if (event.action !== 'join')
        return still({ ...state, occupants: noteLeft(occupants, event.presenceIds) })
      const mayJudge = state.isConnected && !isSilent(options)
      const joined = noteJoined(occupants, options.own.agentId, event.presenceIds, { mayJudge, nowMs })
      return still(
        joined === occupants ? state : bringForward(options, { ...state, occupants: joined }, nowMs),
      )
    }
    case 'announcement':
      return event.announcement.logout
        ? hearGoodbye(options, state, event.announcement, nowMs)
        : hear(options, state, event.announcement, event.publisher, nowMs)
    case 'unsent':
      return still({ ...state, mustAnnounce: true })
    case 'tick':
      return tick(state, nowMs)
  }
}

const still = (state: UniqueSessionState): UniqueSessionStep => ({ state, effects: [] })

const over = (state: UniqueSessionState, effect: UniqueSessionEffect): UniqueSessionStep => ({
  state: { ...state, isOver: true, announceAtMs: undefined, pending: undefined, occupants: noOccupants },
  effects: [effect],
})

/** The app's hook decides what yielding means. A session that stays keeps announcing itself. */
const yieldTo = (state: UniqueSessionState, cause: YieldCause): UniqueSessionStep => ({
  state: {
    ...state,
    occupants: noteWinner(state.occupants, cause.by === 'announcement' ? cause.announcement : cause),
  },
  effects: [{ type: 'yield', cause }],
})

/** Impersonated sessions never conflict, so they send no announcement. On an unprotected channel it would only disclose the session id. */
const isSilent = ({ own, isProtected, isUnique }: UniqueSessionOptions) =>
  !isProtected || !isUnique || own.impersonatorId !== undefined

function hearGoodbye(
  { own, isProtected }: UniqueSessionOptions,
  state: UniqueSessionState,
  announcement: SessionAnnouncement,
  nowMs: number,
): UniqueSessionStep {
  if (announcement.authHost !== own.authHost) return still(state)
  if (announcement.sessionId === own.sessionId) {
    const isProof = isProtected || own.sessionId.length >= UNGUESSABLE_LENGTH
    return isProof ? over(state, { type: 'end' }) : still(state)
  }
  const isPending = state.pending?.announcement.sessionId === announcement.sessionId
  const ended = noteEnded(state.ended, announcement.sessionId, nowMs)
  return still({ ...state, ended, pending: isPending ? undefined : state.pending })
}

function hear(
  options: UniqueSessionOptions,
  state: UniqueSessionState,
  announcement: SessionAnnouncement,
  publisher: string | undefined,
  nowMs: number,
): UniqueSessionStep {
  const { own } = options
  const sender = parsePresenceId(publisher)
  if (!sender || sender.agentId !== announcement.agentId || announcement.agentId === own.agentId)
    return still(state)
  const isConflicting =
    !isSilent(options) &&
    announcement.impersonatorId === undefined &&
    sender.type !== '2' &&
    announcement.authHost === own.authHost &&
    announcement.clientId === own.clientId &&
    announcement.sessionId !== own.sessionId &&
    !hasJustEnded(state.ended, announcement.sessionId, nowMs)
  const occupants = noteAnnouncement(state.occupants, announcement.agentId, isConflicting)
  const met = occupants === state.occupants ? state : { ...state, occupants }
  if (!isConflicting) return still(met)
  if (!newer(announcement, own)) {
    // An older session has to yield: a full round of announcements if it is new here, one more if it has had a round.
    const announcing = met === state ? announceOnce(met, nowMs) : bringForward(options, met, nowMs)
    return still({ ...announcing, mustAnnounce: true })
  }
  const known = recogniseWinner(met.occupants, announcement)
  if (known) return still({ ...met, occupants: known })
  if (met.pending && !newer(announcement, met.pending.announcement)) return still(met)
  return still({ ...met, pending: { announcement, dueAtMs: met.pending?.dueAtMs ?? nowMs + SETTLE_MS } })
}

/** Yields to an unannounced client that stayed. Forgets those that have left. */
function judgeUnannounced(state: UniqueSessionState, presenceIds: readonly string[]): UniqueSessionStep {
  const { occupants } = state
  const stayed = occupants.unannounced.find(
    ({ isAsked, presenceId }) => isAsked && presenceIds.includes(presenceId),
  )
  if (stayed) {
    const { presenceId, agentId } = stayed
    return yieldTo(state, { by: 'presence', presenceId, agentId })
  }
  const gone = occupants.unannounced.filter(({ isAsked }) => isAsked).map(({ presenceId }) => presenceId)
  return still({ ...state, occupants: noteLeft(occupants, gone) })
}

function tick(state: UniqueSessionState, nowMs: number): UniqueSessionStep {
  const { pending } = state
  if (pending && nowMs >= pending.dueAtMs) {
    return yieldTo(
      { ...state, pending: undefined },
      { by: 'announcement', announcement: pending.announcement },
    )
  }

  const { occupants, isAsking } = askAboutUnannounced(state.occupants, nowMs)
  const waited = isAsking ? { ...state, occupants } : state
  const asking: readonly UniqueSessionEffect[] = isAsking ? [{ type: 'ask' }] : []
  if (waited.announceAtMs === undefined || nowMs < waited.announceAtMs)
    return { state: waited, effects: asking }
  const announced = announce(waited, nowMs)
  return { ...announced, effects: [...asking, ...announced.effects] }
}

function announce(state: UniqueSessionState, nowMs: number): UniqueSessionStep {
  const { occupants, repeat, roundAtMs, mustAnnounce } = state
  const step = REPEAT_MS[repeat]
  const isDue = repeat === 0 || mustAnnounce || hasUnsettled(occupants)
  const regularMs = step === undefined ? nowMs + LAST_REPEAT_MS : roundAtMs + step
  const earliestMs = nowMs + ANNOUNCE_GAP_MS
  const laterMs = occupants.unannounced.length > 0 ? earliestMs : Math.max(regularMs, earliestMs)
  const next = {
    ...state,
    repeat: repeat + 1,
    announceAtMs: isDue || step !== undefined ? laterMs : undefined,
  }
  if (!isDue) return still(next)
  return { state: { ...next, mustAnnounce: false, announcedAtMs: nowMs }, effects: [{ type: 'announce' }] }
}

/** Announces as soon as the gap allows, and again while others are present. */
function startRound(
  options: UniqueSessionOptions,
  state: UniqueSessionState,
  nowMs: number,
): UniqueSessionState {
  if (isSilent(options) || !state.isConnected) return state
  const announceAtMs = earliestAnnouncementMs(state, nowMs)
  return { ...state, announceAtMs, roundAtMs: announceAtMs, repeat: 0 }
}

/** Starts a new round unless the next announcement is due at the earliest possible time. */
function bringForward(
  options: UniqueSessionOptions,
  state: UniqueSessionState,
  nowMs: number,
): UniqueSessionState {
  const isSoon =
    state.announceAtMs !== undefined && state.announceAtMs <= earliestAnnouncementMs(state, nowMs)
  return isSoon ? state : startRound(options, state, nowMs)
}

/** Announces as soon as the gap allows, in place of the next announcement of the round. */
function announceOnce(state: UniqueSessionState, nowMs: number): UniqueSessionState {
  return state.isConnected ? { ...state, announceAtMs: earliestAnnouncementMs(state, nowMs) } : state
}

function earliestAnnouncementMs({ announcedAtMs }: UniqueSessionState, nowMs: number): number {
  return announcedAtMs === undefined ? nowMs : Math.max(nowMs, announcedAtMs + ANNOUNCE_GAP_MS)
}

/** A session that said goodbye, and when; milliseconds of the monotonic clock. */
export interface EndedSession {
  readonly sessionId: string
  readonly atMs: number
}

/** For this long, its announcements are ignored. Later the user may have signed in again in the same session of the server. */
const GOODBYE_COUNTS_MS = 10_000

export function noteEnded(
  ended: readonly EndedSession[],
  sessionId: string,
  nowMs: number,
): readonly EndedSession[] {
  const others = ended.filter((one) => one.sessionId !== sessionId)
  return [...others.slice(1 - REALTIME_CACHE_SIZE), { sessionId, atMs: nowMs }]
}

export function hasJustEnded(ended: readonly EndedSession[], sessionId: string, nowMs: number): boolean {
  return ended.some((one) => one.sessionId === sessionId && nowMs - one.atMs < GOODBYE_COUNTS_MS)
}
