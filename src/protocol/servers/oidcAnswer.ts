// Parses the authorization response of an OpenID Connect provider, in a URL or a message (OpenID Connect Core §3.1.2.5, RFC 9207).
import { type AuthError, loginRequired } from '../../base/errors.ts'
import { ANSWER_PARAMETERS, splitAddress } from '../address.ts'
import { cleanText } from '../redaction.ts'
import {
  answerError,
  type AuthorizationAnswer,
  isNoSession,
  readFrameAnswer,
  readMembers,
} from '../signIn.ts'
import { isIssuer, type Metadata } from './metadata.ts'
import { quote, withoutRemedy } from './oidcErrors.ts'

/** Length of `state` and `nonce`: 192 bits as URL-safe base64. */
export const STATE_LENGTH = 32
const STATE = /^[\w-]{32}$/
/** Parameters of other flows, which latchkey does not check. */
const OTHER_FLOWS = ['id_token', 'access_token', 'token_type', 'response']

/** The response in the query of a URL, if its state has latchkey's form. */
export const readAnswer = (address: string): AuthorizationAnswer | undefined =>
  readParameters(new URLSearchParams(splitAddress(address)[1]))

/** The response of the hidden frame: a message, or the URL it ended at. */
export function readSilentAnswer(found: unknown, state: string): AuthorizationAnswer | undefined {
  if (typeof found !== 'string') return readFrameAnswer(found, state)
  const [, query, hash] = splitAddress(found)
  for (const part of [query, hash]) {
    const parameters = new URLSearchParams(part.slice(1))
    const answer = readParameters(parameters)
    if (answer?.state === state) return answer
    // The state is inside the token, but it is the response of latchkey's frame.
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

/** Checks in the order of the standards: form, issuer, error. */
export function oidcAnswerError(
  answer: AuthorizationAnswer,
  isSilent: boolean,
  metadata: Metadata,
  tenants: readonly string[] | 'any' | undefined,
): AuthError | undefined {
  const { malformed, iss, error } = answer
  if (malformed !== undefined) return withoutRemedy('unexpected-answer', `The sign-in page sent ${malformed}`)
  const issuer = quote(metadata.issuer)
  if (iss === undefined && metadata.authorization_response_iss_parameter_supported) {
    const words = error === undefined ? '' : cleanText(error)
    // By RFC 9207 §2.4 not the provider's, so the session may exist.
    return isSilent && error !== undefined
      ? withoutRemedy(
          'iframe-blocked',
          `agent-iframe blocked: ${words} came without the issuer that the metadata promise`,
        )
      : withoutRemedy(
          'issuer-mismatch',
          `The response names no issuer, although the metadata of ${issuer} promises one (iss)${words && `: ${words}`}`,
        )
  }
  // A mix-up attack, or a wrong configuration (RFC 9207).
  if (iss !== undefined && !isIssuer(iss, metadata, tenants))
    return withoutRemedy('issuer-mismatch', `The response is of issuer ${quote(iss)}, not of ${issuer}`)
  if (isSilent && isNoSession(answer)) return loginRequired()
  // Keycloak's page was open for too long. A new sign-in mostly succeeds without a prompt.
  if (answer.errorDescription === 'authentication_expired') return loginRequired()
  return answerError({ ...answer, iss: undefined }, '')
}
