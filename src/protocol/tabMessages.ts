// Parses what the tabs of one browser share: messages, and the record of their renewals.
import { LARGEST_RETRY_AFTER_MS } from '../base/constants.ts'
import { listOf, numberOf, recordOf } from '../base/json.ts'
import { parseEndReason } from './signedOutReasons.ts'
import { isSessionName } from './credentials.ts'
import { parseClash } from './eventHooks.ts'

/** The record that all tabs share. */
export interface Agreed {
  /** How often tokens have been fetched. */
  generation: number
  /** Whether a tab is fetching tokens. Set while none is fetching: that tab was closed or crashed, or the response was lost. */
  isPending: boolean
  /** Since when, by the wall clock; 0 if unknown. */
  pendingSinceMs?: number | undefined
}

/** A rate-limited endpoint, a time in milliseconds, and the status that the server answered. */
export type Block = readonly [endpoint: string, ms: number, status: number]

/** The session marker names at most as many tabs. */
const LARGEST_SESSION_COUNT = 64

export function parseAgreed(value: unknown): Agreed {
  const { generation, isPending, pendingSinceMs } = recordOf(value)
  return {
    generation: countOf(generation),
    isPending: isPending === true,
    ...(isPending === true && { pendingSinceMs: numberOf(pendingSinceMs) ?? 0 }),
  }
}

/** How often the tabs have fetched tokens. Above 2^50 it might not grow any more, and no tab would notice new tokens. */
export const countOf = (value: unknown): number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 50 ? Number(value) : 0

/** `undefined` for a limit longer than latchkey's longest, too: it comes from another script. */
export function parseBlock(value: unknown): Block | undefined {
  const [endpoint, ms, status] = listOf(value)
  if (typeof endpoint !== 'string' || typeof ms !== 'number' || typeof status !== 'number') return undefined
  return ms > 0 && ms <= LARGEST_RETRY_AFTER_MS ? [endpoint, ms, status] : undefined
}

/** A message between tabs. Each type has some of these members; the others are empty. */
export type TabMessage = ReturnType<typeof parseMessage>

/** An invalid member counts as missing. */
export function parseMessage(value: unknown) {
  const { type, asked, question, publicKey, to, generation, sealed, key, by, block, ...ends } =
    recordOf(value)
  const { ending, session, isReady, sessions, next, reason, clash } = ends
  return {
    type: textOf(type),
    /** Audience, resource, DPoP and scopes of the tokens of that tab. */
    asked,
    // `ask` and `offer`: the name of the question, and the one-time key of the tab that asks.
    question: textOf(question),
    publicKey: textOf(publicKey),
    /** `ask`: the one tab that is to respond; empty: all. */
    to: textOf(to),
    /** `ask`: how new the tokens must be. `renewed` and `ended`: how new those of that tab are. */
    generation: countOf(generation),
    // `offer`: the encrypted tokens, and the key that they are bound to.
    sealed: textOf(sealed),
    key,
    /** `renewed` and `preparing`: the tab that sends it. */
    by: textOf(by),
    /** `blocked`. */
    block: parseBlock(block),
    /** `prepare` and `preparing`: the name of the end. */
    ending: textOf(ending),
    /** The session that is about to end; of `prepare`, `undefined`: every one. */
    session: session === undefined ? undefined : (parseSessions([session])[0] ?? ''),
    isReady: isReady === true,
    // `ended`: the sessions that are over, and the record since.
    sessions: parseSessions(sessions),
    next: textOf(next),
    reason: parseEndReason(reason) ?? 'signed-out',
    clash: parseClash(clash),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** There is at most one session per tab, so further ones are ignored. */
export const parseSessions = (value: unknown): string[] =>
  listOf(value).slice(0, LARGEST_SESSION_COUNT).filter(isSessionName)
