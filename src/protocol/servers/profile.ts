// The interface of an authorization server, so that the session knows no server by name.
import type { AuthError, Refusal } from '../../base/errors.ts'
import type { ServerRecord } from '../answers.ts'
import type { ReadAppClaims } from '../appClaims.ts'
import type { Credentials, Memory, Received, Tokens } from '../credentials.ts'
import type { FurtherParameters } from '../loginParameters.ts'
import type { AttemptKey, CryptoPort } from '../pkce.ts'
import type { Attempt, AuthorizationAnswer } from '../signIn.ts'

/** As the page's own `fetch`. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

/** The members of the app's config for a server profile. Those in a silent request the early script needs too (`scriptsFor`). */
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

/** A server in the app's config. Makes no request and has no state. */
export interface ServerProfile {
  /** Stable name of the server: its origin or issuer. Part of every name in a storage. */
  readonly id: string
  /** Audience and resource of the tokens, and whether they are bound to a key (DPoP), in one text. */
  readonly asked?: string | undefined
  /** Name of the protocol, for the devtools only. */
  readonly protocol: string
  /** Origin of the calls that only a server of the latchkey contract has. */
  readonly authHost: string | undefined
  /** Whether a call exists; known before any request. */
  supports(feature: ServerFeature): boolean
  /** Checks the app's config; called by `createAuth`. @throws AuthError `invalid-config` */
  checkClient(client: ServerClient): void
  /** Makes the keys of a sign-in attempt. @throws AuthError `random-unavailable`, `proof-key-unavailable` */
  createKey(crypto: CryptoPort): Promise<AttemptKey>
  /** Recognises the authorization response in the page's URL by its form. */
  readAnswer(address: string): AuthorizationAnswer | undefined
  /** Called once by `createAuth`. Fetches metadata when it is first needed. @throws AuthError for wrong options */
  open(client: ServerClient, ports: ServerPorts): OpenedServer
}

/** The page's functions for a server. */
export interface ServerPorts {
  now(): number
  setTimer(callback: () => void, delayMs: number): () => void
  readonly crypto: CryptoPort
  /** URL of the page. */
  address(): string
  redirectUri(): string
  /** Of `latchkey/early`, if the page has that script. */
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
  /** Both write to the console. */
  warn(message: string): void
  readonly tell?: (message: string) => void
  current(): Credentials | undefined
  /** Revokes the tokens of an invalid response, unless this browser has a session. */
  revoke(refused: Tokens): void
}

/** A server in one page. */
export interface OpenedServer {
  known(): Server | undefined
  /**
   * Fetches the metadata if necessary; concurrent calls share one request.
   *
   * @param isReturn the browser is back from the sign-in page: uses the metadata that it left with
   */
  get(isReturn?: boolean): Promise<Server>
  /** The server as of the last visit, for the hidden frame only. `undefined`: `get` needs no request, or nothing is stored. */
  remembered?(): Server | undefined
  /** Parses the credentials that another tab has offered. @throws AuthError as `Server.exchange` */
  restore(value: unknown): Credentials
  takeKey?: TokenBinding['takeKey'] | undefined
}

/** A request without a token or effect, before the browser leaves for the server. A response shows that it is reachable. */
export interface Probe {
  /** At an origin that the page's CSP must allow anyway. */
  readonly url: string
  /** Whether the page can read the response. `likely`: without CORS, the server may still be reachable. */
  readonly cors: 'sure' | 'likely' | 'none'
}

/**
 * Makes a call with the access token; renews a refused token and repeats the call once.
 *
 * @param isUserInfo the server may refuse every token, also by 403 (ZITADEL): do not renew a new one
 */
export type WithToken = <Result>(
  work: (token: string) => Promise<Result>,
  isUserInfo?: boolean,
) => Promise<Result>

/** A server whose endpoints are known. */
export interface Server {
  readonly probe: Probe
  /** The URL of the sign-in page, or of the silent check. */
  authorizeUrl(request: AuthorizeRequest): string
  /** Pushes the authorization request (RFC 9126) and returns the URL to go to. */
  push?: ((authorizeUrl: string) => Promise<string>) | undefined
  readonly silentCheck: SilentAnswer | undefined
  /** For `switchTo`. Absent: only the server's own parameters name the organization. */
  readonly organization?: OrganizationNames | undefined
  /** Stores the user's login hint in this tab. Called when the session has new credentials. */
  remember?: ((credentials: Credentials) => void) | undefined
  /** Removes the login hint. Called when the session has ended in another tab. */
  forget?: (() => void) | undefined
  /** @param found message data of the frame, or its URL */
  readSilentAnswer(found: unknown, state: string): AuthorizationAnswer | undefined
  /** The error of an authorization response; `undefined` when its code may be exchanged. */
  answerError(answer: AuthorizationAnswer, options: { isSilent: boolean }): Promise<AuthError | undefined>
  /** @throws AuthError `unexpected-answer`, `invalid-access-token`, `invalid-id-token`, `invalid-claims`, and those of a request */
  exchange(code: string, use: CodeUse): Promise<Received>
  /**
   * With `forResource`: gets a token for it beside the session's own.
   *
   * @throws AuthError `invalid-grant` when the refresh token can never be used again, and those of `exchange`
   */
  refresh(current: Credentials, refreshToken: string, forResource?: ForResource): Promise<Received>
  /**
   * How long the server accepts a refresh token again. Absent or 0: a second use would end the session at the server, so after
   * a lost response the hidden frame is tried first.
   */
  readonly refreshReuseMs?: number | undefined
  /** @throws AuthError `not-supported`; `unexpected-answer`, also for another user's */
  readUserInfo(
    tokens: { readonly current?: Credentials | undefined },
    withToken: WithToken,
    signal: AbortSignal | undefined,
  ): Promise<ServerRecord>
  /**
   * Best effort, at most 2 s.
   *
   * @param isPageNext the server's logout page follows, and ends the tokens of its session
   */
  revoke?(tokens: Tokens & { readonly memory?: Memory }, isPageNext?: boolean): Promise<unknown>
  /** Whether the logout page may need the ID token: without it, some fail or end no session. */
  readonly isLogoutHinted?: boolean
  /** An error: the server's session stays, and no automatic sign-in may follow. */
  logout(request: LogoutRequest): LogoutPage | AuthError
  readonly binding?: TokenBinding | undefined
}

/** Tokens that can only be used together with a key (DPoP). */
export interface TokenBinding {
  /** Sends a request. If its bearer token is bound, the scheme becomes `DPoP`, and a proof is added. */
  readonly fetch: Fetch
  isBound(): boolean
  /** For another tab: the key can be posted, but not serialised. */
  keyOf(credentials: Credentials): unknown
  /** Takes the key of another tab's offer. @throws AuthError when the tokens are not bound to this key */
  takeKey(memory: Memory, key: unknown): Promise<void>
}

/** The sign-in that a code belongs to. */
export interface CodeUse {
  readonly attempt: Attempt
  /** By the hidden frame. */
  readonly isSilent: boolean
}

/** A token for one resource (RFC 8707). */
export interface ForResource {
  readonly resource: string
  /** The memory with that token in it; `undefined` if the token is for another resource. */
  keep(memory: Memory, token: string, untilMs: number): Memory | undefined
}

/** Sent without cookies. A redirect is an error. */
export interface WireRequest {
  /** For error texts: method and path. */
  readonly what: string
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly cache: 'default' | 'no-store'
  /** Removed from its errors. */
  readonly secrets: readonly string[]
  /** A redirect counts as a response with status 0. */
  readonly seesRedirects?: boolean | undefined
  readonly networkRemedy?: string | undefined
  /** Default 200. */
  readonly expectedStatus?: number | undefined
  /** Makes the error for any other status. Default: `unexpected-status`. */
  readonly refused?: ((refusal: Refusal) => AuthError) | undefined
  readonly signal?: AbortSignal | undefined
  /** The browser completes the request even if the page is left. */
  readonly keepalive?: boolean | undefined
  /** Adds a new proof to each attempt. */
  readonly fetch?: Fetch | undefined
}

/** One request to the authorization endpoint. */
export interface AuthorizeRequest {
  readonly key: AttemptKey
  readonly redirectUri: string
  readonly isSilent?: boolean | undefined
  /** Without a click of the user: an existing session of the server can be used without a prompt. */
  readonly isAutomatic?: boolean | undefined
  /** By their wire names. They cannot replace those of the protocol. */
  readonly parameters?: FurtherParameters | undefined
  /** For a silent check: the credentials that are renewed. */
  readonly current?: Credentials | undefined
}

/** How a sign-in names the organization: by a parameter or by a scope. */
export interface OrganizationNames {
  /** Default 'organization'. */
  readonly parameter?: string | undefined
  /** A scope with `{organization}` in place of the name. It replaces the parameter. */
  readonly scope?: string | undefined
}

/** How the hidden frame responds. */
export interface SilentAnswer {
  /** How often the page reads the frame's URL. Absent: the frame responds by message only. */
  readonly lookEveryMs?: number | undefined
  /** Time limit after the frame has loaded. Default: 10 s. */
  readonly graceMs?: number | undefined
  /** The redirect URI of the silent check. Default: that of every sign-in. */
  readonly redirectUri?: string | undefined
  /** Remembers, for this browser, frames that load and do not respond. Absent: only the tab remembers. */
  readonly silence?: { expected(): AuthError | undefined; note(): void; isKnown(): boolean } | undefined
}

/** A logout at the server. */
export interface LogoutRequest {
  readonly isForced: boolean
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
