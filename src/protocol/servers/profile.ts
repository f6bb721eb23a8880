// What differs from one authorization server to another: data and pure functions, so that the session knows no server by name.
import type { AuthError } from '../../base/errors.ts'
import type { ServerRecord } from '../answers.ts'
import type { ReadAppClaims } from '../appClaims.ts'
import type { Credentials, Memory, Received, Tokens } from '../credentials.ts'
import type { FurtherParameters } from '../loginParameters.ts'
import type { AttemptKey, CryptoPort } from '../pkce.ts'
import type { Attempt, AuthorizationAnswer } from '../signIn.ts'

/** As the page's own `fetch`. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

/** What a server profile must know of the app: members of its config. */
export interface ServerClient {
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly rememberMe: boolean
  readonly autoLogin?: boolean | undefined
  readonly claims?: ReadAppClaims | undefined
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
  | 'resourceTokens'

/** A server, as an app names it in its config. Made without a request; has no state. */
export interface ServerProfile {
  /** Stable name of the server: its origin or issuer. Part of every name in a storage. */
  readonly id: string
  /** The `audience` and `resource` that tokens are asked for, and whether they are to be bound to a key (DPoP), in one text. */
  readonly asked?: string | undefined
  /** Name of the protocol, shown in the devtools. Nothing may depend on it. */
  readonly protocol: string
  /** Origin of the calls that only a server of the latchkey contract has; `undefined`: there are none. */
  readonly authHost: string | undefined
  /** Whether a call exists; known before any request. */
  supports(feature: ServerFeature): boolean
  /** `createAuth` calls this: checks what the server needs of the app's config. @throws AuthError `invalid-config` */
  checkClient(client: ServerClient): void
  /** Makes the keys of a sign-in attempt. @throws AuthError `random-unavailable`, `proof-key-unavailable` */
  createKey(crypto: CryptoPort): Promise<AttemptKey>
  /** Recognises the authorization response in the page's URL by its form. Its state names the attempt. */
  readAnswer(address: string): AuthorizationAnswer | undefined
  /** `createAuth` calls this once. Metadata is fetched when it is first needed. @throws AuthError for wrong options */
  open(client: ServerClient, ports: ServerPorts): OpenedServer
}

/** What a server needs of the page. */
export interface ServerPorts {
  now(): number
  setTimer(callback: () => void, delayMs: number): () => void
  readonly crypto: CryptoPort
  /** URL of the page. */
  address(): string
  /** Where a sign-in comes back to. */
  redirectUri(): string
  /** What `latchkey/early` has left, where the page has that script. */
  readonly early?: object | undefined
  readonly fetch: Fetch
  readonly sessionStorage: { get(key: string): string | undefined; set(key: string, value: string): boolean }
  readonly localStorage: ServerPorts['sessionStorage'] & { remove(key: string): void }
  send(request: WireRequest): Promise<unknown>
  /** A call below `authHost`, with JSON. */
  call(request: {
    method: 'GET' | 'POST'
    path: string
    body?: unknown
    token?: string | undefined
    signal?: AbortSignal | undefined
  }): Promise<unknown>
  /** Adds a step to `explain()`; no secret in it. */
  record(step: string, outcome: 'done' | 'failed', why: string): void
  /** Writes to the console what a developer has to do. */
  warn(message: string): void
  /** Writes to the console what a developer may want to know. */
  readonly tell?: (message: string) => void
  /** The signed-in user's credentials. */
  current(): Credentials | undefined
  /** Revokes the tokens of a response that is refused, unless this browser has a session. */
  revoke(refused: Tokens): void
}

/** A server in one page. */
export interface OpenedServer {
  /** The server, once its metadata is known. A server without metadata is known from the beginning. */
  known(): Server | undefined
  /**
   * The server. Fetches its metadata if necessary; concurrent calls share one request.
   *
   * @param isReturn the browser is back from the sign-in page: the metadata that it left with count
   */
  get(isReturn?: boolean): Promise<Server>
  /** The server as it was at the last visit, for the hidden frame alone. `undefined`: `get` costs nothing, or nothing is remembered. */
  remembered?(): Server | undefined
  /** Parses the credentials that another tab has offered. @throws AuthError as `Server.exchange` */
  restore(value: unknown): Credentials
  /** Absent: this server binds no tokens. */
  takeKey?: TokenBinding['takeKey'] | undefined
}

/** A request without a token that changes nothing. A response shows that the server can be reached. */
export interface Probe {
  /** At an origin that the page's CSP has to allow anyway. */
  readonly url: string
  /** Whether the page can read the response. `likely`: without CORS, the server may be there all the same. */
  readonly cors: 'sure' | 'likely' | 'none'
}

/**
 * Makes a call with the access token; a refused one is renewed, and the call repeated once.
 *
 * @param isUserInfo whether a server that refuses a new token would refuse a further one as well, and refuses by 403, too (ZITADEL)
 */
export type WithToken = <Result>(
  work: (token: string) => Promise<Result>,
  isUserInfo?: boolean,
) => Promise<Result>

/** A server whose endpoints are known, as the session uses it. */
export interface Server {
  /** Sent before the browser leaves for the server, unless the server responded just before. */
  readonly probe: Probe
  /** The URL of the sign-in page, or of the silent check. */
  authorizeUrl(request: AuthorizeRequest): string
  /** Pushes the authorization request (RFC 9126) and returns the URL to go to. Absent where that is not required. */
  push?: ((authorizeUrl: string) => Promise<string>) | undefined
  /** How the hidden frame responds; `undefined`: there is no silent check. */
  readonly silentCheck: SilentAnswer | undefined
  /** How `switchTo` names the organization; absent: by the server's own parameters only. */
  readonly organization?: OrganizationNames | undefined
  /** The session has these credentials now: stores the login hint of their user in this tab. */
  remember?: ((credentials: Credentials) => void) | undefined
  /** The session has ended in another tab: removes the login hint. */
  forget?: (() => void) | undefined
  /** Reads message data of the frame, or its URL. `undefined`: not the response. */
  readSilentAnswer(found: unknown, state: string): AuthorizationAnswer | undefined
  /** The error of an authorization response; `undefined` when its code may be exchanged. */
  answerError(answer: AuthorizationAnswer, options: { isSilent: boolean }): Promise<AuthError | undefined>
  /** @throws AuthError `unexpected-answer`, `invalid-access-token`, `invalid-id-token`, `invalid-claims`, and those of a request */
  exchange(code: string, use: CodeUse): Promise<Received>
  /**
   * Renews. With `resource`: gets a token for it, and the session's own stays.
   *
   * @throws AuthError `invalid-grant` when the refresh token can never be used again, and those of `exchange`
   */
  refresh(current: Credentials, refreshToken: string, resource?: string): Promise<Received>
  /**
   * How long the server accepts a refresh token again whose response was lost. Absent, or 0: a second use would end the
   * session at the server, so the hidden frame is tried first.
   */
  readonly refreshReuseMs?: number | undefined
  /** @throws AuthError `not-supported` where there is none; `unexpected-answer`, also for another user's */
  readUserInfo(
    tokens: { readonly current?: Credentials | undefined },
    withToken: WithToken,
    signal: AbortSignal | undefined,
  ): Promise<ServerRecord>
  /**
   * Revokes the tokens: best effort, at most 2 s. Absent where the server has no endpoint for it.
   *
   * @param isPageNext the server's logout page follows: tokens that end with its session are left to it
   */
  revoke?(tokens: Tokens & { readonly memory?: Memory }, isPageNext?: boolean): Promise<unknown>
  /** Whether the logout page may need the ID token of the session: without it, some lead nowhere or end nothing. */
  readonly isLogoutHinted?: boolean
  /** The page that ends the server's session. An error: that session stays, and no automatic sign-in may follow. */
  logout(request: LogoutRequest): LogoutPage | AuthError
  /** Present where tokens are bound to a key of this browser. */
  readonly binding?: TokenBinding | undefined
}

/** Tokens that can only be used together with a key (DPoP). */
export interface TokenBinding {
  /** Sends a call of the app. If its bearer token is bound, adds the proof of the key. */
  readonly fetch: Fetch
  /** Whether the session's access token is bound. */
  isBound(): boolean
  /** The key, for another tab. It can be posted, but not serialised. */
  keyOf(credentials: Credentials): unknown
  /** Takes the key that another tab has sent with its offer. @throws AuthError when the tokens are not bound to this key */
  takeKey(memory: Memory, key: unknown): Promise<void>
}

/** The sign-in that a code belongs to. */
export interface CodeUse {
  readonly attempt: Attempt
  /** Whether the hidden frame brought the code. */
  readonly isSilent: boolean
}

/** A request. It is sent without cookies, and a redirect is an error. */
export interface WireRequest {
  /** For error texts: method and path. */
  readonly what: string
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly cache: 'default' | 'no-store'
  /** Removed from every error. */
  readonly secrets: readonly string[]
  /** A redirect counts as a response with status 0. */
  readonly seesRedirects?: boolean | undefined
  /** What to do when the request did not reach the server. */
  readonly networkRemedy?: string | undefined
  /** The one status that is success. Default 200. */
  readonly expectedStatus?: number | undefined
  /** Makes the error for any other status. Default: `unexpected-status`. */
  readonly refused?: ((refusal: TokenRefusal) => AuthError) | undefined
  readonly signal?: AbortSignal | undefined
  /** The browser completes the request even if the page is left. */
  readonly keepalive?: boolean | undefined
  /** Sends it, with a new proof for each attempt. Default: `fetch`. */
  readonly fetch?: Fetch | undefined
}

/** One request to the authorization endpoint. */
export interface AuthorizeRequest {
  readonly key: AttemptKey
  readonly redirectUri: string
  /** In the hidden frame: no page is shown to the user. */
  readonly isSilent?: boolean | undefined
  /** The user did not ask to sign in, and the server's existing session can be used without a prompt. */
  readonly isAutomatic?: boolean | undefined
  /** Further parameters by their wire names. They cannot replace those of the protocol. */
  readonly parameters?: FurtherParameters | undefined
  /** For a silent check: the credentials of the user whose session is renewed. */
  readonly current?: Credentials | undefined
}

/** How a sign-in names the organization: by a parameter or by a scope. */
export interface OrganizationNames {
  /** Name of the parameter. Default 'organization'. */
  readonly parameter?: string | undefined
  /** A scope with `{organization}` in place of the name. It replaces the parameter. */
  readonly scope?: string | undefined
}

/** How the hidden frame responds. */
export interface SilentAnswer {
  /** How often the page reads the frame's URL. Absent: the frame responds by message only. */
  readonly lookEveryMs?: number | undefined
  /** How long a frame that has loaded may take to respond. Default: 10 s. */
  readonly graceMs?: number | undefined
  /** The redirect URI of the silent check. Default: that of every sign-in. */
  readonly redirectUri?: string | undefined
  /** Remembers, for this browser, frames that load and do not respond. Absent: only the tab remembers. */
  readonly silence?: { expected(): AuthError | undefined; note(): void; isKnown(): boolean } | undefined
}

/** A response with an unexpected status. Its body has no secrets. */
export interface TokenRefusal {
  readonly status: number
  readonly body: unknown
  readonly retryAfterMs?: number | undefined
}

/** A logout at the server. */
export interface LogoutRequest {
  readonly isForced: boolean
  /** Where the user comes back to. */
  readonly returnUri: string
  readonly state: string | undefined
  /** The credentials that the session had; `undefined` after a reload. */
  readonly current?: Credentials | undefined
}

/** A page that ends the server's session. */
export interface LogoutPage {
  readonly url: string
  /** Sent as a form (POST), because the URL would be too long. */
  readonly form?: Readonly<Record<string, string>> | undefined
  /** The server redirects back without the state. */
  readonly isBare?: boolean | undefined
}
