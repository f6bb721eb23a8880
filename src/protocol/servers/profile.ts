// What differs from one authorization server to another: data and pure functions, so that the session knows no server by name.
import type { AuthError } from '../../errors.ts'
import type { ServerRecord } from '../answers.ts'
import type { Claims } from '../claims.ts'
import type { AttemptKey, CryptoPort } from '../pkce.ts'
import type { Attempt, AuthorizationAnswer } from '../signIn.ts'

/*
Which step of the session calls which member:

| step of the session                         | member it calls                                                     |
|---------------------------------------------|---------------------------------------------------------------------|
| createAuth checks the config                | profile.checkClient; profile.id goes into every storage name        |
| a new attempt, page or early script         | profile.createKey; `verifier`, `nonce` and `state` are kept         |
| the page opens: is this address our answer? | profile.readAnswer, without any request; its state names the attempt|
| before the first use of anything below      | profile.discovery, when it is there: fetched once, kept for the     |
|                                             | visit; then profile.connect(client, document)                       |
| leave for the sign-in page                  | server.authorizeUrl                                                 |
| silent check                                | server.silentCheck (undefined: there is none), server.authorizeUrl  |
|                                             | with isSilent, server.readSilentAnswer for every message and every  |
|                                             | own-origin address of the frame                                     |
| an answer is there                          | server.answerError; then its `code` counts                          |
| code → tokens                               | server.codeRequest, server.readTokens                               |
| renewal by refresh token                    | server.refreshRequest, server.readTokens, server.refreshReuseMs     |
| the token endpoint refuses                  | server.tokenError, server.endsGrant                                 |
| tokens come from a sibling tab              | server.restore                                                      |
| user info                                   | server.userInfoRequest, server.readUserInfo                         |
| logout                                      | server.revocationRequest, server.logout                             |
| a call that not every server has            | profile.supports, profile.authHost                                  |
*/

/** What a server profile must know of the app. */
export interface ServerClient {
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Whether the server is asked to remember the user. */
  readonly rememberMe: boolean
}

/** Calls that not every server has. */
export type ServerFeature =
  | 'userInfo'
  | 'cloudAccount'
  | 'adminConsent'
  | 'linkMap'
  | 'firm'
  | 'support'
  | 'passthrough'
  | 'assertion'
  | 'environments'
  | 'changePassword'

/** A server, as an app names it in its config. Made without a request; holds no state. */
export interface ServerProfile {
  /** Stable name of the server: its origin or issuer. Part of every name in a storage. */
  readonly id: string
  /** The protocol it speaks, for people who read the devtools. Nothing may decide by it. */
  readonly protocol: string
  /** Origin of the calls that only the specification's own server has; `undefined`: there are none. */
  readonly authHost: string | undefined
  /** Whether a call exists; known before any request. */
  supports(feature: ServerFeature): boolean
  /** Checks what this server needs of the app's config. @throws AuthError `invalid-config` */
  checkClient(client: ServerClient): void
  /** What a sign-in attempt begins with. @throws AuthError `random-unavailable`, `proof-key-unavailable` */
  createKey(crypto: CryptoPort): Promise<AttemptKey>
  /** The response in an address, by its form; `undefined` when there is none. Whose it is, its state tells. */
  readAnswer(address: string): AuthorizationAnswer | undefined
  /** The request for the metadata; `undefined` when nothing has to be fetched. */
  readonly discovery: WireRequest | undefined
  /**
   * The server, ready for use.
   *
   * @param document what `discovery` brought: parsed JSON, or what was kept of it (`Server.document`). It is checked
   * in full each time.
   * @throws AuthError `invalid-metadata`, `issuer-mismatch`, `not-supported`
   */
  connect(client: ServerClient, document?: unknown): Server
  /** The server in one page, which fetches its metadata when it is first needed. @throws AuthError as `connect`, where nothing has to be fetched */
  open(client: ServerClient, ports: ServerPorts): OpenedServer
}

/** What a server needs of the page. */
export interface ServerPorts {
  now(): number
  setTimer(callback: () => void, delayMs: number): () => void
  /** Address of the page. */
  address(): string
  fetch(
    url: string,
    init: { method: string; cache: 'no-store'; credentials: 'omit' },
  ): Promise<{ headers: { get(name: string): string | null } }>
  readonly sessionStorage: { get(key: string): string | undefined; set(key: string, value: string): boolean }
  /** Sends a request in full. */
  send(request: WireRequest): Promise<unknown>
}

/** A server in one page. */
export interface OpenedServer {
  /** The server, once its metadata is known; one without metadata is known from the beginning. */
  known(): Server | undefined
  /** The server; its metadata is fetched when nobody has it, once for all who ask. @throws AuthError */
  get(): Promise<Server>
  /** Reads what another tab handed over; with it comes the metadata, should this tab have none. @throws AuthError */
  restore(handed: unknown, document: unknown): Held
}

/** A server whose addresses are known. Holds no state: what a call needs to remember is in its arguments. */
export interface Server {
  /** The checked metadata, to be kept for the visit and given to `connect` again; `undefined` when there is none. */
  readonly document: ServerRecord | undefined
  /** The address of the sign-in page, or of the silent check. */
  authorizeUrl(request: AuthorizeRequest): string
  /** How the hidden frame responds; `undefined`: a silent check is not possible, or not wanted. */
  readonly silentCheck: SilentAnswer | undefined
  /** Reads what the frame sent or where it went: message data, or its address. `undefined`: not the response. */
  readSilentAnswer(found: unknown, state: string): AuthorizationAnswer | undefined
  /** Why a response brings no code that may be used; `undefined` when it does. */
  answerError(answer: AuthorizationAnswer, options: { isSilent: boolean }): AuthError | undefined
  /** Exchanges a code. */
  codeRequest(code: string, attempt: Attempt): WireRequest
  /** Renews; `undefined` without a refresh token. */
  refreshRequest(held: Held): WireRequest | undefined
  /**
   * So long after a refresh whose response was lost, the same refresh token may be sent again. 0: a second use ends the
   * session at the server, so the silent check decides.
   */
  readonly refreshReuseMs: number
  /**
   * Reads the response of the token endpoint.
   *
   * @throws AuthError `unexpected-answer`, `invalid-access-token`, `invalid-id-token`, `invalid-claims`,
   * `identity-changed`; `clock-skew` when the device's clock may be wrong: then get the time elsewhere and call again
   */
  readTokens(answer: unknown, context: TokenContext): Promise<GrantedTokens>
  /** What a refusal of the token endpoint means. Its body holds no secrets any more. */
  tokenError(refusal: TokenRefusal): AuthError
  /** Whether an error of `tokenError` says that the refresh token is worth nothing any more. */
  endsGrant(error: unknown): boolean
  /** Reads strictly what another tab handed over. @throws AuthError as `readTokens` */
  restore(handed: unknown): Held
  /** User info, to be sent with the access token; `undefined` when the server has none. */
  readonly userInfoRequest: WireRequest | undefined
  /** @throws AuthError `unexpected-answer`, also when it is about another user */
  readUserInfo(answer: unknown, held: Held): ServerRecord
  /** Takes the tokens back: best effort, never waited for longer than 2 s. `undefined` when the server has no such endpoint. */
  revocationRequest(held: Held): WireRequest | undefined
  /** Where the browser goes to end the server's session; `undefined`: it stays, and nobody may be signed in by itself afterwards. */
  logout(request: LogoutRequest): LogoutPage | undefined
}

/** A request in full. It goes out without cookies, and a redirect is a failure. */
export interface WireRequest {
  /** For error texts: method and path. */
  readonly what: string
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly cache: 'default' | 'no-store'
  /** What no error may repeat. */
  readonly secrets: readonly string[]
  /** What to do when the request did not reach the server. */
  readonly networkRemedy?: string | undefined
}

/** One request to the authorization endpoint. */
export interface AuthorizeRequest {
  readonly key: AttemptKey
  readonly redirectUri: string
  /** In the hidden frame: without any page for the user. */
  readonly isSilent?: boolean | undefined
  readonly prompt?: string | undefined
  /** Who is to sign in: filled in on the sign-in page. */
  readonly loginHint?: string | undefined
  /** Languages of the sign-in page, best first: 'fr-CA fr en'. */
  readonly uiLocales?: string | undefined
  /** Further parameters; those of the protocol stay as they are. */
  readonly parameters?: Readonly<Record<string, string | readonly string[]>> | undefined
  /** What is held for the user whose session the silent check is about. */
  readonly held?: Held | undefined
}

/** How the hidden frame responds. */
export interface SilentAnswer {
  /** Messages count from this origin; `undefined`: no message is expected. */
  readonly messageOrigin: string | undefined
  /** Whether the frame ends at an address of the app, which the page reads when the frame has loaded. */
  readonly readsAddress: boolean
  /** The redirect address of the silent check; `undefined`: that of every sign-in. */
  readonly redirectUri: string | undefined
}

/** What a profile remembers of a sign-in: texts, all secret. Kept beside the tokens, sealed to other tabs with them. */
export type Memory = Readonly<Record<string, string>>

/** What is held for a signed-in user. */
export interface Held {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly claims: Claims
  readonly memory: Memory
}

/** What a code or a refresh token brought; after a refresh it holds all that stays, too. */
export interface GrantedTokens extends Held {
  /** Planned life in seconds; `undefined` when the server told none that can be used: renewed on demand only. */
  readonly expiresInSeconds: number | undefined
  /** When the user signed in, by the server's clock, milliseconds since 1970. */
  readonly sinceMs: number | undefined
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

/** What the response of the token endpoint is held against. */
export type TokenContext = {
  readonly time: ServerTime
  readonly sha256: CryptoPort['sha256']
} & (
  | {
      /** The sign-in that the code belongs to. */
      readonly attempt: Attempt
      /** Whether the hidden frame brought the code. */
      readonly isSilent: boolean
      readonly held?: undefined
    }
  | { readonly held: Held; readonly attempt?: undefined; readonly isSilent?: undefined }
)

/** A response of the token endpoint with another status than 200. */
export interface TokenRefusal {
  readonly status: number
  readonly body: unknown
  readonly retryAfterMs?: number | undefined
  readonly isRefresh: boolean
}

/** A logout at the server. */
export interface LogoutRequest {
  readonly isForced: boolean
  /** Where the user comes back to. */
  readonly returnUri: string
  readonly state: string | undefined
  /** What was held until now; `undefined` after a reload. */
  readonly held?: Held | undefined
}

/** A page that ends the server's session. */
export interface LogoutPage {
  readonly url: string
  /** Sent as a form (POST) instead of a link, because the address would be too long. */
  readonly form?: Readonly<Record<string, string>> | undefined
  /** Whether `state` comes back with the user. */
  readonly bringsStateBack: boolean
}
