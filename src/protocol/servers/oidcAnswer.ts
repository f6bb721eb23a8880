// Reads the response of an OpenID Connect provider: from the page's address, from the hidden frame's, from its message (OpenID Connect Core §3.1.2.5, RFC 9207).
import type { AuthError } from '../../errors.ts'
import { loginRequired } from '../../errors.ts'
import { ANSWER_PARAMETERS, splitAddress } from '../address.ts'
import {
  answerError,
  type AuthorizationAnswer,
  isNoSession,
  readFrameAnswer,
  readMembers,
} from '../signIn.ts'
import { isIssuer, type Metadata } from './metadata.ts'
import { answerOfAnotherIssuer, answerWithoutIssuer, malformedAnswer } from './oidcErrors.ts'

/** What `state` and `nonce` look like: 192 bits as URL-safe base64. */
export const STATE_LENGTH = 32
const STATE = /^[\w-]{32}$/
/** What only other flows bring: it came past nobody who checked it. */
const OTHER_FLOWS = ['id_token', 'access_token', 'token_type', 'response']

/** The response in the query of an address, if its state has the form of ours. */
export const readAnswer = (address: string): AuthorizationAnswer | undefined =>
  readParameters(new URLSearchParams(splitAddress(address)[1]))

/** The response that the hidden frame brings: a message, or the address it ended at. */
export function readSilentAnswer(found: unknown, state: string): AuthorizationAnswer | undefined {
  if (typeof found !== 'string') return readFrameAnswer(found, state)
  const [, query, hash] = splitAddress(found)
  for (const part of [query, hash]) {
    const parameters = new URLSearchParams(part.slice(1))
    const answer = readParameters(parameters)
    if (answer?.state === state) return answer
    // It names no state outside of the token, but the frame is ours.
    if (parameters.has('response')) return { state, malformed: 'a signed token (JARM)' }
  }
  return undefined
}

function readParameters(parameters: URLSearchParams): AuthorizationAnswer | undefined {
  const [state = '', ...others] = parameters.getAll('state')
  if (!STATE.test(state) || others.length > 0) return undefined
  const twice = ANSWER_PARAMETERS.find((name) => parameters.getAll(name).length > 1)
  if (twice !== undefined) return { state, malformed: `${twice} twice` }
  const other = OTHER_FLOWS.find((name) => parameters.has(name))
  if (other !== undefined) return { state, malformed: `${other}, which is of another flow` }
  return readMembers((name) => parameters.get(name) ?? undefined)
}

/** In the order of the standards: form, then issuer, then error. */
export function oidcAnswerError(
  answer: AuthorizationAnswer,
  isSilent: boolean,
  metadata: Metadata,
  tenants: readonly string[] | 'any' | undefined,
): AuthError | undefined {
  const { malformed, iss } = answer
  if (malformed !== undefined) return malformedAnswer(malformed)
  const isPromised = metadata.authorization_response_iss_parameter_supported === true
  if (iss === undefined && isPromised) return answerWithoutIssuer(metadata.issuer)
  if (iss !== undefined && !isIssuer(iss, metadata, tenants))
    return answerOfAnotherIssuer(metadata.issuer, iss)
  if (isSilent && isNoSession(answer)) return loginRequired()
  // Keycloak, when its page was open for too long: the sign-in begins again, and mostly ends without a question.
  if (answer.errorDescription === 'authentication_expired') return loginRequired()
  return answerError({ ...answer, iss: undefined }, '')
}
