// What the tabs of one browser say to each other, and how each reads the words of the others (contract §5).
import { LARGEST_RETRY_AFTER_MS } from '../constants.ts'
import { listOf, recordOf } from '../json.ts'
import { parseEndReason, type SignedOutReason } from './claims.ts'
import { parseTokens, type Tokens } from './tokens.ts'

/** What one tab hands to another, sealed. */
export interface Offer {
  granted: { tokens: Tokens; verifier: string; session?: string | undefined }
  generation: number
}

/** What all tabs agree on. */
export interface Agreed {
  /** How often tokens were got. */
  generation: number
  /** A tab is asking the server; still set when nobody is: that tab died in the middle. */
  isPending: boolean
  /** Endpoints that the server wants left alone, and until when by the wall clock. */
  blocks: readonly Block[]
}

/** An endpoint, and a time in milliseconds. */
export type Block = readonly [endpoint: string, ms: number]

const LARGEST_BLOCK_COUNT = 20
/** As many as the tabs that the session marker names. */
const LARGEST_SESSION_COUNT = 64

export function writeOffer(
  { tokens, verifier, session, remainingMs }: Offer['granted'] & { remainingMs: number | undefined },
  generation: number,
): string {
  const { accessToken, refreshToken } = tokens
  const expires_in = remainingMs === undefined ? -1 : Math.max(remainingMs / 1000, 0.001)
  return JSON.stringify({
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in,
    verifier,
    session,
    generation,
  })
}

export function parseOffer(text: string): Offer {
  const answer = recordOf(JSON.parse(text))
  const { session } = answer
  return {
    granted: {
      tokens: parseTokens(answer),
      verifier: String(answer['verifier']),
      session: isName(session) ? session : undefined,
    },
    generation: Number(answer['generation']),
  }
}

export function parseAgreed(value: unknown, nowMs: number): Agreed {
  const { generation, isPending, blocks } = recordOf(value)
  // What has passed is dropped, and so is what no server was ever obeyed for: a clock was wrong, or somebody wrote here.
  const isInForce = (block: unknown): block is Block =>
    Array.isArray(block) && parseBlock(block[0], Number(block[1]) - nowMs) !== undefined
  return {
    generation: isCount(generation) ? generation : 0,
    isPending: isPending === true,
    blocks: listOf(blocks).filter(isInForce).slice(0, LARGEST_BLOCK_COUNT),
  }
}

// A number that cannot grow by one any more would leave every tab with the token it has.
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 50

/** An endpoint and how long it is to be left alone. */
export function parseBlock(endpoint: unknown, forMs: unknown): Block | undefined {
  const isBlock = typeof endpoint === 'string' && typeof forMs === 'number'
  return isBlock && forMs > 0 && forMs <= LARGEST_RETRY_AFTER_MS ? [endpoint, forMs] : undefined
}

export function parseReason(value: unknown): SignedOutReason {
  return parseEndReason(value) ?? 'signed-out'
}

/** The sessions that another tab names: one for each tab that cannot share, so further ones are nobody's. */
export const parseSessions = (value: unknown): string[] =>
  listOf(value).slice(0, LARGEST_SESSION_COUNT).filter(isName)

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 64
