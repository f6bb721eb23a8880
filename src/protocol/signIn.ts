// Builds the authorize URL, and reads the authorization response and the stored sign-in attempt.
import { ATTEMPT_LIFETIME_MS } from '../base/constants.ts'
import {
  accessDenied,
  AuthError,
  authorizationRefused,
  issuerMismatch,
  startUpFailed,
} from '../base/errors.ts'
import { memberOf, recordOf } from '../base/json.ts'
import { ANSWER_PARAMETERS, splitAddress } from './address.ts'
import { cleanText } from './redaction.ts'
import { storedPath } from './origin.ts'
import type { Client } from './storageKeys.ts'
import type { Challenge } from './pkce.ts'

/** A sign-in attempt. It is stored under its state key until the browser returns from /oauth/authorize. */
export interface Attempt extends Client {
  readonly verifier: string
  /** The nonce that the ID token must contain; only with servers that issue ID tokens. */
  readonly nonce?: string | undefined
  readonly redirectUri: string
  /** Path, query and hash that the user returns to. */
  readonly returnTo: string
  readonly createdAtMs: number
  /** Start-up redirected without a click of the user. */
  readonly isAutomatic?: boolean
}

/** Longer than a server's redirect, shorter than a user's sign-in. */
const INSTANT_RETURN_MS = 3_000

/** Start-up redirected without a click and returned within seconds: the sign-in page had a session. */
export const isInstant = ({ createdAtMs, isAutomatic = false }: Attempt, nowMs: number): boolean =>
  isAutomatic && Math.abs(nowMs - createdAtMs) < INSTANT_RETURN_MS

/** The parameters that the code flow itself sets. The app cannot set them. */
export const OWN_PARAMETERS: RegExp =
  /^(response_(type|mode)|client_id|redirect_uri|scope|state|nonce|code_challenge.*|request.*)$/

/** The authorization response: what the server returns from /oauth/authorize (RFC 6749 §4.1.2). */
export interface AuthorizationAnswer {
  readonly state: string
  readonly code?: string | undefined
  readonly error?: string | undefined
  readonly errorDescription?: string | undefined
  readonly iss?: string | undefined
  /** Further parameters, for the `afterLogin` hook. */
  readonly further?: Readonly<Record<string, string>>
  /** Why the response to latchkey's own request cannot be used. */
  readonly malformed?: string | undefined
}

export function authorizeUrl(
  settings: Client & { readonly scopes: readonly string[]; readonly rememberMe: boolean },
  options: { redirectUri: string; state: string; challenge: Challenge; isSilent?: boolean | undefined },
): string {
  const { redirectUri, state, challenge, isSilent } = options
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: redirectUri,
    scope: settings.scopes.join(','),
    state,
    code_challenge: challenge.value,
    code_challenge_method: challenge.method,
    // The response comes as a message to the parent window.
    ...(isSilent && { prompt: 'none', response_mode: 'web_message' }),
    ...(settings.rememberMe && { remember_me: 'true' }),
  })
  return `${settings.authHost}/oauth/authorize?${query}`
}

const STATE = /^[A-Za-z0-9]{6}$/

/** The authorization response in a URL: a state in latchkey's form, and a code or an error. */
export function readAnswer(address: string): AuthorizationAnswer | undefined {
  const parameters = new URLSearchParams(splitAddress(address)[1])
  // A repeated parameter makes the response ambiguous: it is ignored (RFC 6749 §3.1).
  if (ANSWER_PARAMETERS.some((name) => parameters.getAll(name).length > 1)) return undefined
  const answer = readMembers((name) => parameters.get(name) ?? undefined)
  return answer && STATE.test(answer.state) ? answer : undefined
}

/** The members of a response; `undefined` where it has neither a code nor an error. */
export function readMembers(read: (name: string) => string | undefined): AuthorizationAnswer | undefined {
  const answer = {
    state: read('state') ?? '',
    code: read('code') || undefined,
    error: read('error') || undefined,
    errorDescription: read('error_description') || undefined,
    iss: read('iss'),
  }
  return answer.code || answer.error ? answer : undefined
}

/** The authorization response in a message of the hidden frame. */
export function readFrameAnswer(message: unknown, expectedState: string): AuthorizationAnswer | undefined {
  if (memberOf(message, 'type') !== 'authorization_response') return undefined
  const response = memberOf(message, 'response')
  const answer = readMembers((name) => text(response, name))
  return answer?.state === expectedState ? answer : undefined
}

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

/** Wraps other errors, such as those of a file that could not be loaded. */
export function asAuthError(error: unknown): AuthError {
  return error instanceof AuthError ? error : startUpFailed(error)
}

/** Resolves to the error of the work, if it fails. */
export const failureOf = (work: Promise<unknown>): Promise<AuthError | undefined> =>
  work.then(() => undefined, asAuthError)

/** Whether an error only means that the server has no session. */
export const isNoSession = ({ error = '' }: AuthorizationAnswer): boolean =>
  /^(login|interaction|consent|account_selection)_required$/.test(error)

/** Returns a stored attempt if it is complete, for this client and not too old. */
export function parseAttempt(
  value: unknown,
  { settings, redirectUri, nowMs }: { settings: Client; redirectUri: string; nowMs: number },
): Attempt | undefined {
  const { authHost, clientId } = settings
  const { createdAtMs, isAutomatic, ...stored } = recordOf(value)
  const [verifier, nonce] = [text(value, 'verifier'), text(value, 'nonce')]
  const returnTo = storedPath(stored['returnTo'], new URL(redirectUri).origin)
  const isOurs =
    stored['authHost'] === authHost &&
    stored['clientId'] === clientId &&
    stored['redirectUri'] === redirectUri
  if (!isOurs || !verifier || returnTo === undefined || typeof createdAtMs !== 'number') return undefined
  // A negative age means that the clock was set back during the sign-in. The attempt stays valid.
  if (!(nowMs - createdAtMs <= ATTEMPT_LIFETIME_MS)) return undefined
  return {
    verifier,
    authHost,
    clientId,
    redirectUri,
    returnTo,
    createdAtMs,
    ...(nonce !== undefined && { nonce }),
    ...(isAutomatic === true && { isAutomatic }),
  }
}

function text(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name)
  return typeof member === 'string' && member.length <= 4096 ? member : undefined
}
