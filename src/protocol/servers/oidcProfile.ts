// What the parts of the OpenID Connect profile share: how tokens are asked for and read, before anything is sent.
import type { AuthError } from '../../errors.ts'
import type { Credentials, Received } from '../credentials.ts'
import type { CryptoPort } from '../pkce.ts'
import type { Attempt } from '../signIn.ts'
import type { Metadata } from './metadata.ts'
import type { OidcSettings } from './oidcOptions.ts'
import type { CodeUse, ServerProfile, TokenBinding, TokenRefusal, WireRequest } from './profile.ts'

/** The profile of an OpenID Connect provider, with what its parts and its tests need beyond the session. */
export interface OidcProfile extends ServerProfile {
  readonly settings: OidcSettings
  /** The request for the metadata; `undefined` when nothing has to be fetched. */
  readonly discovery: WireRequest | undefined
  /**
   * The metadata, checked in full each time.
   *
   * @param document what `discovery` brought, or what was kept of it
   * @throws AuthError `invalid-metadata`, `issuer-mismatch`, `not-supported`
   */
  readMetadata(document?: unknown): Metadata
}

/** How tokens are got at a provider whose addresses are known, without sending: what a binding to a key changes. */
export interface OidcTokens {
  /** Exchanges a code. */
  codeRequest(code: string, attempt: Attempt): WireRequest
  /** Renews; `undefined` without a refresh token. */
  refreshRequest(held: Credentials, resource?: string): WireRequest | undefined
  /**
   * Reads the response of the token endpoint.
   *
   * @throws AuthError `unexpected-answer`, `invalid-id-token`, `invalid-claims`, `identity-changed`; `clock-skew` when the
   * device's clock may be wrong: then get the time elsewhere and call again
   */
  readTokens(answer: unknown, context: TokenContext): Promise<GrantedTokens>
  /** What a refusal of the token endpoint means; `invalid-grant`: the refresh token is worth nothing any more. */
  tokenError(refusal: TokenRefusal & { readonly isRefresh: boolean }): AuthError
  /** Reads strictly what another tab handed over. @throws AuthError as `readTokens` */
  restore(value: unknown): Credentials
  readonly binding?: TokenBinding | undefined
}

/** What a code or a refresh token brought; after a refresh it holds all that stays, too. */
export interface GrantedTokens extends Received {
  /** Remaining life of the refresh token, where the server tells it. */
  readonly refreshExpiresInSeconds: number | undefined
  /** What was granted, where the server says so. */
  readonly scopes: readonly string[] | undefined
  /** What a developer should know, although nothing failed. */
  readonly notes: readonly ServerNote[]
}

/** Something that is not as it should be, and works. */
export interface ServerNote {
  readonly code: 'clock-skew' | 'no-refresh-token' | 'scope-reduced' | 'auth-time-changed' | 'claims-kept'
  readonly message: string
}

/** The clock that a token is held against. */
export interface ServerTime {
  readonly nowMs: number
  /** Who told it: the device, the app's own origin (header `Date`), or nobody who can be trusted more than the device. */
  readonly source: 'device' | 'origin' | 'none'
}

/** What the response of the token endpoint belongs to: a sign-in, or what was held before a refresh. */
export type TokenUse =
  | (CodeUse & { readonly held?: undefined; readonly resource?: undefined })
  | {
      readonly held: Credentials
      /** What the token is for, when it is not the session's own. */
      readonly resource?: string | undefined
      readonly attempt?: undefined
      readonly isSilent?: undefined
    }

/** What the response of the token endpoint is held against. */
export type TokenContext = TokenUse & {
  readonly time: ServerTime
  /** The device's clock, by which what is kept is judged later. */
  readonly deviceNowMs?: number | undefined
  /** How ID tokens are signed by metadata that is newer than what the server was made of. */
  readonly algorithms?: readonly string[] | undefined
  readonly sha256: CryptoPort['sha256']
  /** Told of each check of the ID token before it is made: when one fails, it is the last. */
  readonly check?: ((name: IdTokenCheck) => void) | undefined
}

/** What an ID token is checked for, in the order of the checks. */
export type IdTokenCheck =
  | 'form'
  | 'signature algorithm'
  | 'issuer'
  | 'audience'
  | 'same user'
  | 'nonce'
  | 'time'
  | 'access token hash'
  | 'claims'
