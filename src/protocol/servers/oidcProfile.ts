// Types that the parts of the OpenID Connect profile share.
import type { AuthError } from '../../base/errors.ts'
import type { Credentials, Received } from '../credentials.ts'
import type { CryptoPort } from '../pkce.ts'
import type { Attempt } from '../signIn.ts'
import type { Metadata } from './metadata.ts'
import type { OidcSettings } from './oidcOptions.ts'
import type { CodeUse, ServerProfile, TokenBinding, TokenRefusal, WireRequest } from './profile.ts'

/** The profile of an OpenID Connect provider, with what `openServer`, the presets and the tests need besides. */
export interface OidcProfile extends ServerProfile {
  readonly settings: OidcSettings
  /** The request for the metadata; `undefined` when the options contain the metadata. */
  readonly discovery: WireRequest | undefined
  /** Checks the response to `discovery`, or the stored metadata. @throws AuthError `invalid-metadata`, `issuer-mismatch`, `not-supported` */
  readMetadata(document?: unknown, onUnusable?: (name: string) => void): Metadata
}

/** Builds the requests to the token endpoint and reads its responses. It sends nothing, so that `bindToKey` can wrap it. */
export interface OidcTokens {
  codeRequest(code: string, attempt: Attempt, beside?: Credentials): WireRequest
  /** `undefined` without a refresh token. */
  refreshRequest(current: Credentials, resource?: string): WireRequest | undefined
  /**
   * Reads the response of the token endpoint.
   *
   * @throws AuthError `unexpected-answer`, `invalid-id-token`, `invalid-claims`, `identity-changed`; `clock-skew` when the
   * device's clock may be wrong: then call again with the time of another source
   */
  readTokens(answer: unknown, context: TokenContext): Promise<GrantedTokens>
  /** The error for a refusal of the token endpoint. `invalid-grant`: the refresh token can never be used again. */
  tokenError(refusal: TokenRefusal & { readonly isRefresh: boolean }): AuthError
  /** Parses the credentials that another tab has offered. @throws AuthError as `readTokens` */
  restore(value: unknown): Credentials
  readonly binding?: TokenBinding | undefined
}

/** The response of the token endpoint. After a refresh it includes everything that has not changed. */
export interface GrantedTokens extends Received {
  /** What a developer should know, although nothing failed. */
  readonly notes: readonly ServerNote[]
}

export interface ServerNote {
  readonly code: 'clock-skew' | 'no-refresh-token' | 'scope-reduced' | 'auth-time-changed' | 'claims-kept'
  readonly message: string
}

/** The time that an ID token is compared with. */
export interface ServerTime {
  readonly nowMs: number
  /** The device's clock, the app's own origin (header `Date`), or `none`: the device's clock, which may be wrong. */
  readonly source: 'device' | 'origin' | 'none'
}

/** What the response of the token endpoint belongs to: a sign-in, or a refresh of the current credentials. */
export type TokenUse =
  | (CodeUse & {
      /** Of the session that is held, whose refresh token stays where a silent check brings none. */
      readonly beside?: Credentials | undefined
      readonly current?: undefined
      readonly resource?: undefined
    })
  | {
      readonly current: Credentials
      /** The resource that the token is for; absent: the token is the session's own. */
      readonly resource?: string | undefined
      readonly attempt?: undefined
      readonly isSilent?: undefined
      readonly beside?: undefined
    }

/** What is needed to check the response of the token endpoint. */
export type TokenContext = TokenUse & {
  readonly time: ServerTime
  /** The device's clock, which stored times are compared with later. */
  readonly deviceNowMs?: number | undefined
  /** Signature algorithms of metadata that was fetched after the server was made. */
  readonly algorithms?: readonly string[] | undefined
  readonly subtle: CryptoPort['subtle']
  /** Called before each check of the ID token. When a check fails, its name was the last one. */
  readonly check?: ((name: string) => void) | undefined
}
