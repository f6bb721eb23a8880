// Decides by one table whether a session ends after a failed renewal: over the results of the refresh token and the hidden frame.
import { AuthError } from '../base/errors.ts'
import { memberOf } from '../base/json.ts'

/**
 * Why the refresh token brought no tokens. `refused`: by the server, or by latchkey's check of the response. `unreadable`: a
 * refusal without CORS, a proxy's page, a cut connection. `away`: the server is unreachable or overloaded.
 */
export type RefreshFailure = 'none' | 'refused' | 'unreadable' | 'away'

/**
 * Why the hidden frame brought no tokens. `nobody`: the server reports no session; perhaps the browser blocks its cookies.
 * `mute`: the page loaded without a response. `kept out`: silent sign-in is off, or browser or server refuse the frame.
 */
export type FrameFailure =
  | 'not asked'
  | 'another user'
  | 'nobody'
  | 'mute'
  | 'known to be mute'
  | 'kept out'
  | 'away'

/** Another attempt later, or the end of the session: now, or when its token expires. */
export type Verdict = 'again' | 'end' | 'end with the token'

interface Facts {
  /** The token has expired, or its lifetime is unknown. */
  isTokenOver: boolean
  /** A frame of this browser has found a session of this server. */
  doFramesWork: boolean
  /** The refresh token was sent before, without a readable response. */
  wasUnreadable: boolean
}

type Rule = (facts: Facts) => Verdict
const end: Rule = () => 'end'
/** Nothing can bring tokens any more. */
const endWithToken: Rule = ({ isTokenOver }) => (isTokenOver ? 'end' : 'end with the token')
const endIfFramesWork: Rule = (facts) => (facts.doFramesWork ? 'end' : endWithToken(facts))
/** Another attempt while the token is valid. */
const endWhenOver: Rule = ({ isTokenOver }) => (isTokenOver ? 'end' : 'again')
/** The same, and after the first unreadable response. */
const endTheSecondTime: Rule = (facts) => (facts.wasUnreadable ? endWhenOver(facts) : 'again')

/** No rule: another attempt. */
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
  // Without a body the request was not sent: a rate limit is in force.
  if (code === 'rate-limited' && body === undefined) return true
  const mayRefuse = status === 503 || Math.floor(status / 100) === 4
  const said = memberOf(body, 'error')
  return mayRefuse && typeof said === 'string' && /^[a-z_]+$/.test(said)
}
