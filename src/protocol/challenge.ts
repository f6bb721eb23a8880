// Reads whether an API asks for a stronger sign-in (RFC 9470), in the forms that servers write; loads when one does.
import type { StepUpChallenge } from '../stepUpErrors.ts'

/** Characters of `WWW-Authenticate` that are read. */
const LONGEST_HEADER = 4_096
const LARGEST_VALUE_COUNT = 20
/** A parameter, with its value in quotes or bare; else a word that stands alone: the scheme of the next challenge. */
const PIECES = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^\s,"]*)))?/g
const ASKS = /^insufficient_(?:user_authentication|authentication_context)$/

/** What is asked for; `undefined` when no challenge asks for a stronger sign-in, in whatever form the header is. */
export function readStepUp(header: string): StepUpChallenge | undefined {
  let parameters = new Map<string, string>()
  const challenges = [parameters]
  for (const [, name = '', quoted, bare] of header.slice(0, LONGEST_HEADER).matchAll(PIECES)) {
    const value = quoted?.replace(/\\([^])/g, '$1') ?? bare
    if (value === undefined) {
      parameters = new Map()
      challenges.push(parameters)
    } else if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value)
  }
  const asking = challenges.find((each) => ASKS.test(each.get('error') ?? ''))
  if (!asking) return undefined
  const acrValues = (asking.get('acr_values')?.match(/[^\s\p{Cc}]+/gu) ?? []).slice(0, LARGEST_VALUE_COUNT)
  const maxAge = asking.get('max_age') ?? ''
  return {
    ...(acrValues.length > 0 && { acrValues }),
    ...(/^\d{1,9}$/.test(maxAge) && { maxAgeInSeconds: Number(maxAge) }),
  }
}
