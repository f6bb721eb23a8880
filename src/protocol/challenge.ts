// Parses an API's refusal of a call: a request for a stronger sign-in (RFC 9470), or a lack of rights.
import type { AuthError } from '../base/errors.ts'
import { isRecord, parseJson, readable, recordOf, textsOf } from '../base/json.ts'
import type { StepUpChallenge } from '../base/stepUpErrors.ts'
import { cleanText } from './redaction.ts'

/** Characters of `WWW-Authenticate` that are read. */
const LONGEST_HEADER = 4_096
const LARGEST_VALUE_COUNT = 20
/** A parameter, with its value in quotes or bare; else a word on its own: the scheme of the next challenge. */
const PIECES = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^\s,"]*)))?/g
const ASKS = /^insufficient_(?:user_authentication|authentication_context)$/
const MISSES_CLAIMS = 'insufficient_claims'
const LONGEST_CLAIMS = 3_000

/** The parameters of each challenge (RFC 9110 §11.6.1), names in lower case. The first of two values counts. */
export function readChallenges(header: string): ReadonlyMap<string, string>[] {
  let parameters = new Map<string, string>()
  const challenges = [parameters]
  for (const [, name = '', quoted, bare] of header.slice(0, LONGEST_HEADER).matchAll(PIECES)) {
    const value = quoted?.replace(/\\([^])/g, '$1') ?? bare
    if (value === undefined) {
      parameters = new Map()
      challenges.push(parameters)
    } else if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value)
  }
  return challenges
}

/** The stronger sign-in that the API requires, if it does. */
export function readStepUp(header: string): StepUpChallenge | undefined {
  const challenges = readChallenges(header)
  const missing = challenges.find((each) => each.get('error') === MISSES_CLAIMS)
  const claims = readClaims(missing?.get('claims'))
  if (claims !== undefined) return { claims }
  const asking = challenges.find((each) => ASKS.test(each.get('error') ?? ''))
  if (!asking) return undefined
  const acrValues = (asking.get('acr_values')?.match(/[^\s\p{Cc}]+/gu) ?? []).slice(0, LARGEST_VALUE_COUNT)
  const maxAge = asking.get('max_age') ?? ''
  return {
    ...(acrValues.length > 0 && { acrValues }),
    ...(/^\d{1,9}$/.test(maxAge) && { maxAgeInSeconds: Number(maxAge) }),
  }
}

/** The claims that a token must have: base64 of a JSON object. `undefined` when it is something else. */
function readClaims(text: string | undefined): string | undefined {
  if (text === undefined || text.length > LONGEST_CLAIMS || !/^[\w+/-]+={0,2}$/.test(text)) return undefined
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const claims = readable(() => parseJson(utf8.decode(base64Bytes(text))))
  return isRecord(claims) && Object.keys(claims).length > 0 ? JSON.stringify(claims) : undefined
}

const LARGEST_SCOPE_COUNT = 20
/** A scope as RFC 6749 writes it. */
const SCOPES = /[!#-[\]-~]+/g
/** Members of a body with a description, the most precise first. */
const SENTENCES = ['error_description', 'detail', 'message', 'title', 'error']
/** Several words: not a code like `access_denied`. */
const SENTENCE = /\S\s+\S/

/** Adds the server's description and required scopes, from the challenge (RFC 6750 §3), else from the body (RFC 6749, RFC 9457). */
export function addWords(error: AuthError, challenge: string | null): void {
  const challenges = readChallenges(challenge ?? '')
  const lacking = challenges.find((each) => each.get('error') === 'insufficient_scope')
  const said = (lacking ?? challenges.find((each) => each.has('error')))?.get('error_description')
  const description = cleanText(said ?? '') || sentenceOf(error.body)
  const scopes = [...new Set(lacking?.get('scope')?.match(SCOPES))].slice(0, LARGEST_SCOPE_COUNT)
  Object.assign(error, description !== undefined && { description }, scopes.length > 0 && { scopes })
}

function sentenceOf(body: unknown): string | undefined {
  // Not the HTML page of a firewall.
  if (typeof body === 'string' && /[<>]/.test(body)) return undefined
  const members: Readonly<Record<string, unknown>> =
    typeof body === 'string' ? { message: body } : recordOf(body)
  return textsOf(SENTENCES.map((name) => members[name]))
    .map(cleanText)
    .find((text) => SENTENCE.test(text))
}

/** Decodes base64 of either alphabet. Throws for other texts. */
export const base64Bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )
