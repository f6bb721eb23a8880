// What the parts of the OpenID Connect profile share: requests and readings, before anything is sent.
import type { AuthError } from '../../errors.ts'
import type { ServerRecord } from '../answers.ts'
import type { Credentials, Received } from '../credentials.ts'
import type { CryptoPort } from '../pkce.ts'
import type { Attempt, AuthorizationAnswer } from '../signIn.ts'
import type {
  AuthorizeRequest,
  CodeUse,
  Hints,
  OrganizationNames,
  LogoutPage,
  LogoutRequest,
  ServerClient,
  ServerProfile,
  SilentAnswer,
  TokenBinding,
  TokenRefusal,
  WireRequest,
} from './profile.ts'

/** The profile of an OpenID Connect provider, with what its parts and its tests need beyond the session. */
export interface OidcProfile extends ServerProfile {
  /** The request for the metadata; `undefined` when nothing has to be fetched. */
  readonly discovery: WireRequest | undefined
  /**
   * The provider, ready for use.
   *
   * @param document what `discovery` brought: parsed JSON, or what was kept of it (`OidcServer.document`). It is checked
   * in full each time.
   * @throws AuthError `invalid-metadata`, `issuer-mismatch`, `not-supported`
   */
  connect(client: ServerClient, document?: unknown): OidcServer
}

/** A provider whose addresses are known: pure functions. What a call needs to remember is in its arguments. */
export interface OidcServer {
  /** The checked metadata, to be kept for the visit and given to `connect` again. */
  readonly document: ServerRecord
  authorizeUrl(request: AuthorizeRequest): string
  /** Announces such a request; absent where the provider does not require it. */
  readonly pushRequest?: ((authorizeUrl: string) => WireRequest) | undefined
  /** The address to go to after that. @throws AuthError `unexpected-answer` */
  readonly readPushed?: ((answer: unknown) => string) | undefined
  readonly silentCheck: SilentAnswer | undefined
  readonly organization?: OrganizationNames | undefined
  readSilentAnswer(found: unknown, state: string): AuthorizationAnswer | undefined
  answerError(answer: AuthorizationAnswer, options: { isSilent: boolean }): AuthError | undefined
  readonly tokenUrl: string
  /** Exchanges a code. */
  codeRequest(code: string, attempt: Attempt): WireRequest
  /** Renews; `undefined` without a refresh token. */
  refreshRequest(held: Credentials, resource?: string): WireRequest | undefined
  /**
   * So long after a refresh whose response was lost, the same refresh token may be sent again. 0: a second use ends the
   * session at the server, so the silent check decides.
   */
  readonly refreshReuseMs: number
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
  restore(handed: unknown): Credentials
  /** User info, to be sent with the access token; `undefined` when the provider has none. */
  readonly userInfoRequest: WireRequest | undefined
  /** @throws AuthError `unexpected-answer`, also when it is about another user */
  readUserInfo(answer: unknown, held: Credentials): ServerRecord
  /** Takes the tokens back; `undefined` when the provider has no such endpoint. */
  revocationRequest(held: Credentials): WireRequest | undefined
  /** What the user goes by there; absent where the provider need not be told. */
  readonly hintsOf?: ((held: Credentials) => Hints) | undefined
  /** The page that ends the provider's session; `undefined` when it has none. */
  logout(request: LogoutRequest): LogoutPage | undefined
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
