// Reads the challenges of an API (RFC 9110 §11.6.1), in the forms that servers write: whether it asks for a stronger sign-in (RFC 9470).
import { isRecord, parseJson } from '../json.ts'
import type { StepUpChallenge } from '../stepUpErrors.ts'
import { base64Bytes } from './randomText.ts'

/** Characters of `WWW-Authenticate` that are read. */
const LONGEST_HEADER = 4_096
const LARGEST_VALUE_COUNT = 20
/** A parameter, with its value in quotes or bare; else a word that stands alone: the scheme of the next challenge. */
const PIECES = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^\s,"]*)))?/g
const ASKS = /^insufficient_(?:user_authentication|authentication_context)$/
const MISSES_CLAIMS = 'insufficient_claims'
/** Characters of base64. */
const LONGEST_CLAIMS = 3_000

/** The parameters of each challenge, names in lower case; the first of two values counts. */
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

/** What is asked for; `undefined` when no challenge asks for a stronger sign-in, in whatever form the header is. */
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

/**
 * What the API wants to see in a token: base64 of either kind, of an object; without white space.
 * `undefined`: nothing that can be sent.
 */
function readClaims(text: string | undefined): string | undefined {
  if (text === undefined || text.length > LONGEST_CLAIMS || !/^[\w+/-]+={0,2}$/.test(text)) return undefined
  try {
    const claims = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(base64Bytes(text)))
    return isRecord(claims) && Object.keys(claims).length > 0 ? JSON.stringify(claims) : undefined
  } catch {
    return undefined
  }
}
