// The words of a sign-in: the authorize address, the one-time record of an attempt, the answer (spec §4, contract §4).
import { ATTEMPT_LIFETIME_MS } from '../constants.ts'
import { accessDenied, AuthError, authorizationRefused, issuerMismatch, startUpFailed } from '../errors.ts'
import { memberOf } from '../json.ts'
import { ANSWER_PARAMETERS, splitAddress } from './address.ts'
import { cleanText } from './cleanText.ts'
import type { Settings } from './config.ts'
import { storedPath } from './origin.ts'
import type { Challenge } from './proofKey.ts'

/** What is remembered between leaving for authorize and coming back, under the state key. */
export interface Attempt {
  readonly verifier: string
  /** What the ID token must repeat; only with servers that issue one. */
  readonly nonce?: string | undefined
  readonly authHost: string
  readonly clientId: string
  readonly redirectUri: string
  /** Path, query and hash the user was at. */
  readonly returnTo: string
  readonly createdAtMs: number
}

/** What the authorization server says at the end of /oauth/authorize. */
export interface AuthorizationAnswer {
  readonly state: string
  readonly code?: string | undefined
  readonly error?: string | undefined
  readonly errorDescription?: string | undefined
  readonly iss?: string | undefined
  /** Why it cannot be used, whatever it says: the state is ours, the rest is not as it must be. */
  readonly malformed?: string | undefined
}

/** How this authorize request differs from a plain one. */
export interface AuthorizeOptions {
  redirectUri: string
  state: string
  challenge: Challenge
  prompt?: string | undefined
  /** The answer is to come as a message to the parent window. */
  isInFrame?: boolean | undefined
}

/** The address of /oauth/authorize with exactly the parameters of contract §4. */
export function authorizeUrl(
  settings: Pick<Settings, 'authHost' | 'clientId' | 'scopes' | 'rememberMe'>,
  options: AuthorizeOptions,
): string {
  const { redirectUri, state, challenge, prompt, isInFrame } = options
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: redirectUri,
    scope: settings.scopes.join(','),
    state,
    code_challenge: challenge.value,
    code_challenge_method: challenge.method,
  })
  if (prompt) query.set('prompt', prompt)
  if (isInFrame) query.set('response_mode', 'web_message')
  if (settings.rememberMe) query.set('remember_me', 'true')
  return `${settings.authHost}/oauth/authorize?${query}`
}

const STATE = /^[A-Za-z0-9]{6}$/

/** The answer in an address: one state of ours by its form and one code or error, else `undefined`. */
export function readAnswer(address: string): AuthorizationAnswer | undefined {
  const parameters = new URLSearchParams(splitAddress(address)[1])
  // A parameter that comes twice counts as none: nobody can tell which one was meant.
  if (ANSWER_PARAMETERS.some((name) => parameters.getAll(name).length > 1)) return undefined
  const read = (name: string) => parameters.get(name) || undefined
  const answer = {
    state: read('state') ?? '',
    code: read('code'),
    error: read('error'),
    errorDescription: read('error_description'),
    iss: parameters.get('iss') ?? undefined,
  }
  return STATE.test(answer.state) && (answer.code || answer.error) ? answer : undefined
}

/** The answer in a message of the hidden frame; `undefined` unless its shape and state are right. */
export function readFrameAnswer(message: unknown, expectedState: string): AuthorizationAnswer | undefined {
  if (memberOf(message, 'type') !== 'authorization_response') return undefined
  const response = memberOf(message, 'response')
  const answer = {
    state: text(response, 'state'),
    code: text(response, 'code') || undefined,
    error: text(response, 'error') || undefined,
    errorDescription: text(response, 'error_description'),
    iss: text(response, 'iss'),
  }
  if (answer.state !== expectedState || !(answer.code || answer.error)) return undefined
  return answer as AuthorizationAnswer
}

/** Errors that mean "no session" and nothing else (contract §4 "answer"). */
const NO_SESSION: readonly string[] = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]

/** The error of an answer that brings no code; `undefined` when it brings one. */
export function answerError(
  { error, errorDescription, iss }: AuthorizationAnswer,
  authHost: string,
): AuthError | undefined {
  if (iss !== undefined && iss !== authHost) return issuerMismatch()
  if (error === undefined) return undefined
  const description = cleanText(errorDescription ?? '') || undefined
  return error === 'access_denied'
    ? accessDenied(description)
    : authorizationRefused(cleanText(error), description)
}

/** Any error as one of ours: a part that could not be loaded, or a mistake of our own. */
export function asAuthError(error: unknown): AuthError {
  return error instanceof AuthError ? error : startUpFailed(error)
}

/** Whether an error says that there is no session, rather than that something is wrong. */
export function isNoSession(answer: AuthorizationAnswer): boolean {
  return answer.error !== undefined && NO_SESSION.includes(answer.error)
}

/** A stored attempt if it is whole, ours and young; `undefined` otherwise (contract §4 "answer"). */
export function parseAttempt(
  value: unknown,
  expected: { settings: Settings; redirectUri: string; nowMs: number },
): Attempt | undefined {
  const { settings, redirectUri, nowMs } = expected
  const verifier = text(value, 'verifier')
  const createdAtMs = memberOf(value, 'createdAtMs')
  const returnTo = storedPath(memberOf(value, 'returnTo'), new URL(redirectUri).origin)
  const isOurs =
    memberOf(value, 'authHost') === settings.authHost &&
    memberOf(value, 'clientId') === settings.clientId &&
    memberOf(value, 'redirectUri') === redirectUri
  if (!isOurs || !verifier || returnTo === undefined || typeof createdAtMs !== 'number') return undefined
  const ageMs = nowMs - createdAtMs
  // A clock set back while the user signs in makes the age negative: that is no reason to refuse.
  if (!(ageMs <= ATTEMPT_LIFETIME_MS)) return undefined
  const nonce = text(value, 'nonce')
  const attempt = { verifier, ...settingsOf(settings), redirectUri, returnTo, createdAtMs }
  return nonce === undefined ? attempt : { ...attempt, nonce }
}

const settingsOf = ({ authHost, clientId }: Settings) => ({ authHost, clientId })

function text(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name)
  return typeof member === 'string' && member.length <= 4096 ? member : undefined
}
