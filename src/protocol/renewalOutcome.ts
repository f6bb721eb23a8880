// What becomes of a session whose renewal brought no tokens: one table over what the refresh token and the hidden frame came to.
import { AuthError } from '../base/errors.ts'
import { memberOf } from '../base/json.ts'

/**
 * What the refresh token came to. `refused`: by the server, or by latchkey's own reading of the response. `unreadable`: a refusal
 * without CORS, a proxy's page, a cut connection. `away`: the server is out of reach, or not well.
 */
export type RefreshFailure = 'none' | 'refused' | 'unreadable' | 'away'

/**
 * What the hidden frame came to. `nobody`: the server has no session; perhaps the browser blocks its cookies. `mute`: the page loaded
 * and gave no response. `kept out`: silent sign-in is off, the browser forbids the frame, or the server refuses it.
 */
export type FrameFailure =
  | 'not asked'
  | 'another user'
  | 'nobody'
  | 'mute'
  | 'known to be mute'
  | 'kept out'
  | 'away'

/** What follows: another attempt at a later time, or the end of the session, now or when its token has had its time. */
export type Verdict = 'again' | 'end' | 'end with the token'

interface Facts {
  /** The token's life is over, or unknown. */
  isTokenOver: boolean
  /** A frame of this browser has found a session of this server. */
  doFramesWork: boolean
  /** The refresh token had been sent before, and no response could be read. */
  wasUnreadable: boolean
}

type Rule = (facts: Facts) => Verdict
const end: Rule = () => 'end'
/** Nothing can bring tokens any more. */
const endWithToken: Rule = ({ isTokenOver }) => (isTokenOver ? 'end' : 'end with the token')
const endIfFramesWork: Rule = (facts) => (facts.doFramesWork ? 'end' : endWithToken(facts))
/** Another attempt while the token lives. */
const endWhenOver: Rule = ({ isTokenOver }) => (isTokenOver ? 'end' : 'again')
/** The same, and after the first response that could not be read. */
const endTheSecondTime: Rule = (facts) => (facts.wasUnreadable ? endWhenOver(facts) : 'again')

/** Where it says nothing: another attempt. */
const RULES: Record<RefreshFailure, Partial<Record<FrameFailure, Rule>>> = {
  away: {},
  unreadable: {
    'another user': endTheSecondTime,
    nobody: endTheSecondTime,
    'known to be mute': endTheSecondTime,
  },
  none: {
    'another user': endWithToken,
    nobody: endIfFramesWork,
    'known to be mute': endWhenOver,
    'kept out': endWithToken,
  },
  refused: {
    'another user': end,
    nobody: endIfFramesWork,
    mute: endWithToken,
    'known to be mute': endWithToken,
    'kept out': endWithToken,
  },
}

export const judgeRenewal = (refresh: RefreshFailure, frame: FrameFailure, facts: Facts): Verdict =>
  RULES[refresh][frame]?.(facts) ?? 'again'

export function refreshFailure({ code, retryable }: AuthError): RefreshFailure {
  if (!retryable) return 'refused'
  return code === 'network' || code === 'unexpected-answer' ? 'unreadable' : 'away'
}

export function frameFailure({ code, retryable }: AuthError, isKnownToBeMute: boolean): FrameFailure {
  if (code === 'identity-changed') return 'another user'
  if (code === 'login-required') return 'nobody'
  if (code === 'iframe-timeout') return isKnownToBeMute ? 'known to be mute' : 'mute'
  return retryable ? 'away' : 'kept out'
}

/**
 * Whether the refresh token is certainly unused: it was not sent, or the token endpoint refused it by an OAuth `error` (RFC 6749 §5.2).
 * A proxy's page, its 408 or 503 may come after the server has used it.
 */
export function isUntouched(error: unknown): boolean {
  if (!(error instanceof AuthError)) return false
  const { code, status = 0, body } = error
  if (code === 'invalid-grant') return true
  // Without a body it was not sent: the server has asked for a pause.
  if (code === 'rate-limited' && body === undefined) return true
  const mayRefuse = status === 503 || Math.floor(status / 100) === 4
  const said = memberOf(body, 'error')
  return mayRefuse && typeof said === 'string' && /^[a-z_]+$/.test(said)
}
