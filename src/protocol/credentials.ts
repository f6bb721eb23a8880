// The credentials of a session: one type from the server's response to the bearer of a call, and its text for other tabs.
import type { Claims } from './claims.ts'
import { isRecord, numberOf, recordOf, textsOf } from '../base/json.ts'
import type { FurtherParameters } from './loginParameters.ts'

/** What a server profile stores of a sign-in, offered to other tabs with the tokens. All secret except `endsAtMs`. */
export interface Memory {
  readonly idToken?: string | undefined
  readonly nonce?: string | undefined
  readonly scope?: string | undefined
  readonly document?: string | undefined
  /** Type of the access token, and thumbprint of the key that it is bound to (DPoP). */
  readonly binding?: string | undefined
  /** When the server ends the session, by this device's clock. */
  readonly endsAtMs?: string | undefined
  /** The PKCE verifier, which the firm's server requires again at a refresh. */
  readonly verifier?: string | undefined
  /** Access tokens for single resources (RFC 8707). */
  readonly [resourceToken: `token ${number} ${string}`]: string
}

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
}

/** The tokens of a signed-in user, and the profile's memory of the sign-in. */
export interface Credentials extends Tokens {
  readonly claims: Claims
  readonly memory: Memory
  /** When the refresh token was sent, by the wall clock, if no response has come: the server may have used it up. */
  sentAtMs?: number | undefined
}

/** The response to a code or a refresh token. */
export interface Received extends Credentials {
  /** Lifetime in seconds; `undefined` if the server sent no usable one. Then the token is renewed on demand only. */
  readonly expiresInSeconds: number | undefined
  /** When the user signed in: milliseconds since 1970 by the server's clock; absent if unknown. */
  readonly sinceMs?: number | undefined
}

/** Credentials as a session begins with them, and as one tab offers them to another. */
export interface Granted extends Received {
  /** When they were requested, by the wall clock. Their lifetime counts from then. */
  readonly askedAtMs: number
  /** Id of the session record; only in credentials of another tab or the previous page. */
  readonly session?: string | undefined
  /** Set when the session began by a switch to another organization. */
  switched?: Switched | undefined
  /** Further parameters of the authorization response, for the `afterLogin` hook. */
  answer?: Readonly<Record<string, string>> | undefined
  /** How often the tabs had fetched tokens; only in credentials of another tab or the previous page. */
  readonly generation?: number | undefined
}

/** A switch to another organization; nothing in it is secret. */
export interface Switched {
  /** Further parameters of the authorize request. */
  readonly parameters: FurtherParameters
  /** The identities that the user switched from, as `identityOf` writes them. Their tabs follow. */
  readonly from: readonly string[]
}

/** For another tab, which reads the claims from the tokens. Encrypt it. */
export function writeCredentials({ claims: _claims, ...granted }: Granted): string {
  const { expiresInSeconds: life } = granted
  return JSON.stringify({ ...granted, expiresInSeconds: life === undefined ? life : Math.max(life, 0.001) })
}

/** @param restore parses tokens and memory @throws AuthError and others for an invalid text */
export function parseCredentials(text: string, restore: (value: unknown) => Credentials): Granted {
  const { session, switched, expiresInSeconds, sinceMs, ...value } = recordOf(JSON.parse(text))
  return {
    ...restore(value),
    askedAtMs: numberOf(value['askedAtMs']) ?? 0,
    expiresInSeconds: isNumber(expiresInSeconds) && expiresInSeconds > 0 ? expiresInSeconds : undefined,
    sinceMs: isNumber(sinceMs) ? sinceMs : undefined,
    session: isSessionName(session) ? session : undefined,
    sentAtMs: numberOf(value['sentAtMs']),
    switched: parseSwitched(switched),
    generation: numberOf(value['generation']),
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Whether it can be the id of a session's record. */
export const isSessionName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 64

/** Parses stored parameters; `undefined` for anything but an object. */
export function parseParameters(value: unknown): FurtherParameters | undefined {
  if (!isRecord(value)) return undefined
  const isRight = (item: unknown) => [item].flat().every((text) => typeof text === 'string')
  return Object.fromEntries(Object.entries(value).filter(([, item]) => isRight(item))) as FurtherParameters
}

export function parseSwitched(value: unknown): Switched | undefined {
  const { parameters, from } = recordOf(value)
  const asked = parseParameters(parameters)
  return asked && { parameters: asked, from: textsOf(from) }
}
