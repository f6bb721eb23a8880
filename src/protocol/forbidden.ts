// Reads why a call was refused for lack of rights: from the challenge (RFC 6750 §3), else from the body (RFC 6749, RFC 9457, and what many APIs send).
import type { AuthError } from '../errors.ts'
import { recordOf } from '../json.ts'
import { readChallenges } from './challenge.ts'
import { cleanText } from './redaction.ts'

const LARGEST_SCOPE_COUNT = 20
/** A scope as RFC 6749 writes it. */
const SCOPES = /[!#-[\]-~]+/g
/** Where a body has its sentence, the most telling first. */
const SENTENCES = ['error_description', 'detail', 'message', 'title', 'error']
/** Words of users, not a code like `access_denied`. */
const SENTENCE = /\S\s+\S/

/** Adds the server's words, and the scopes that it asks for, to the error of a refused call. */
export function addWords(error: AuthError, challenge: string | null): void {
  const challenges = readChallenges(challenge ?? '')
  const lacking = challenges.find((each) => each.get('error') === 'insufficient_scope')
  const said = (lacking ?? challenges.find((each) => each.has('error')))?.get('error_description')
  const description = cleanText(said ?? '') || sentenceOf(error.body)
  const scopes = [...new Set(lacking?.get('scope')?.match(SCOPES))].slice(0, LARGEST_SCOPE_COUNT)
  Object.assign(error, description !== undefined && { description }, scopes.length > 0 && { scopes })
}

function sentenceOf(body: unknown): string | undefined {
  // A page of a firewall is for nobody to read.
  if (typeof body === 'string') return /[<>]/.test(body) ? undefined : sentence(body)
  const members = recordOf(body)
  return SENTENCES.map((name) => sentence(members[name])).find((found) => found !== undefined)
}

function sentence(text: unknown): string | undefined {
  const clean = typeof text === 'string' ? cleanText(text) : ''
  return SENTENCE.test(clean) ? clean : undefined
}
