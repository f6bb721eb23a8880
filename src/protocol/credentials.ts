// What a session holds: one type, from the server's response to the bearer of a call and to the other tabs.
import type { Claims } from './claims.ts'
import { isRecord, recordOf, textsOf } from '../json.ts'
import type { FurtherParameters } from './loginParameters.ts'

/**
 * What a profile remembers of a sign-in: texts, all secret but for `endsAtMs`, when the server ends the session by this device's clock. Kept beside the
 * tokens, sealed to other tabs with them.
 */
export type Memory = Readonly<Record<string, string>>

/** The tokens of a signed-in user, and what the server's protocol remembers of the sign-in that they began with. */
export interface Credentials {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly claims: Claims
  readonly memory: Memory
}

/** What a code or a refresh token brought. */
export interface Received extends Credentials {
  /** Lifetime in seconds; `undefined` if the server sent no usable one. Then the token is renewed on demand only. */
  readonly expiresInSeconds: number | undefined
  /** When the user signed in, by the server's clock, milliseconds since 1970; absent where nothing tells. */
  readonly sinceMs?: number | undefined
}

/** The same as a session takes it in, and as one tab hands it to another. */
export interface Granted extends Received {
  /** When they were asked for, by the wall clock: their life counts from then, however long they are on the way. */
  readonly askedAtMs: number
  /** What the tabs call the session; only where another tab has handed it over. */
  readonly session?: string | undefined
  /**
   * When the refresh token went to the server and no response came, by the wall clock: it may be used up. A response, or
   * the next tokens, take it away. It goes along wherever the tokens go.
   */
  sentAtMs?: number | undefined
  /** It came by a switch to another organization. */
  switched?: Switched | undefined
}

/** What is renewed. */
export type Renewable = Pick<Granted, keyof Credentials | 'sentAtMs'>

/** A session that began by a switch; nothing in it is secret. */
export interface Switched {
  /** What the server was asked beside the sign-in itself. */
  readonly parameters: FurtherParameters
  /** The users and firms that were switched from, as `identityOf` writes them: their tabs follow. */
  readonly from: readonly string[]
}

/** Parameters as they were stored; `undefined` when it is none. */
export function parseParameters(value: unknown): FurtherParameters | undefined {
  if (!isRecord(value)) return undefined
  const isRight = ([, item]: [string, unknown]) =>
    typeof item === 'string' || (Array.isArray(item) && textsOf(item).length === item.length)
  return Object.fromEntries(Object.entries(value).filter(isRight)) as FurtherParameters
}

export function parseSwitched(value: unknown): Switched | undefined {
  const { parameters, from } = recordOf(value)
  const asked = parseParameters(parameters)
  return asked && { parameters: asked, from: textsOf(from) }
}
