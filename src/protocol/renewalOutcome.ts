// What becomes of a session whose renewal brought no tokens: one table over what the refresh token and the hidden frame came to.
import type { AuthError } from '../errors.ts'

/** What the refresh token came to. */
export type RefreshFailure =
  /** The session has none. */
  | 'none'
  /** By the server, or by latchkey's own reading of the response. */
  | 'refused'
  /** Something responded that the page cannot read: a refusal without CORS, a proxy's page, a cut connection. */
  | 'unreadable'
  /** The server is out of reach, or not well. */
  | 'away'

/** What the hidden frame came to. */
export type FrameFailure =
  | 'not asked'
  | 'another user'
  /** The server responded that nobody is signed in; it may only not see its cookies. */
  | 'nobody'
  /** The page loaded and gave no response. */
  | 'mute'
  /** The same, of a sign-in page that is known for it. */
  | 'known to be mute'
  /** Silent sign-in is off, the browser forbids the frame, or the server refuses it. */
  | 'kept out'
  | 'away'

type Rule =
  | 'again'
  | 'end'
  /** Nothing can bring tokens any more: the session ends with its token. */
  | 'end with the token'
  /** At once where a frame of this browser has found a session before, else with the token. */
  | 'end if frames work'
  /** Another attempt while the token lives. */
  | 'end when it is over'
  /** The same, and after the first response that could not be read. */
  | 'end the second time'

const AGAIN = {
  'not asked': 'again',
  'another user': 'again',
  nobody: 'again',
  mute: 'again',
  'known to be mute': 'again',
  'kept out': 'again',
  away: 'again',
} as const

const RULES: Record<RefreshFailure, Record<FrameFailure, Rule>> = {
  away: AGAIN,
  unreadable: {
    ...AGAIN,
    'another user': 'end the second time',
    nobody: 'end the second time',
    'known to be mute': 'end the second time',
  },
  none: {
    ...AGAIN,
    'another user': 'end with the token',
    nobody: 'end if frames work',
    'known to be mute': 'end when it is over',
    'kept out': 'end with the token',
  },
  refused: {
    ...AGAIN,
    'another user': 'end',
    nobody: 'end if frames work',
    mute: 'end with the token',
    'known to be mute': 'end with the token',
    'kept out': 'end with the token',
  },
}

/** What follows: another attempt at a later time, or the end of the session, now or when its token has had its time. */
export type Verdict = 'again' | 'end' | 'end with the token'

export function judgeRenewal(
  refresh: RefreshFailure,
  frame: FrameFailure,
  facts: {
    /** The token's life is over, or unknown. */
    isTokenOver: boolean
    /** A frame of this browser has found a session of this server. */
    doFramesWork: boolean
    /** The refresh token had been sent before, and no response could be read. */
    wasUnreadable: boolean
  },
): Verdict {
  const rule = RULES[refresh][frame]
  const { isTokenOver, doFramesWork, wasUnreadable } = facts
  if (rule === 'again' || rule === 'end') return rule
  if (rule === 'end when it is over') return isTokenOver ? 'end' : 'again'
  if (rule === 'end the second time') return isTokenOver && wasUnreadable ? 'end' : 'again'
  return isTokenOver || (rule === 'end if frames work' && doFramesWork) ? 'end' : 'end with the token'
}

/** Reads from the error what the refresh token came to. */
export function refreshFailure({ code, retryable }: AuthError): RefreshFailure {
  if (!retryable) return 'refused'
  return code === 'network' || code === 'unexpected-answer' ? 'unreadable' : 'away'
}

/** Reads from the error what the hidden frame came to. */
export function frameFailure({ code, retryable }: AuthError, isKnownToBeMute: boolean): FrameFailure {
  if (code === 'identity-changed') return 'another user'
  if (code === 'login-required') return 'nobody'
  if (code === 'iframe-timeout') return isKnownToBeMute ? 'known to be mute' : 'mute'
  return retryable ? 'away' : 'kept out'
}
