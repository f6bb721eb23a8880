// What differs from one authorization server to another: data and pure functions, so that the session knows no server by name.
import type { AuthError } from '../../errors.ts'
import type { ServerRecord } from '../answers.ts'
import type { ReadAppClaims } from '../appClaims.ts'
import type { Credentials, Memory, Received } from '../credentials.ts'
import type { FurtherParameters } from '../loginParameters.ts'
import type { AttemptKey, CryptoPort } from '../pkce.ts'
import type { Attempt, AuthorizationAnswer } from '../signIn.ts'

/*
Which step of the session calls which member:

| step of the session                         | member it calls                                                     |
|---------------------------------------------|---------------------------------------------------------------------|
| createAuth checks the config                | profile.checkClient; profile.id goes into every storage name        |
| createAuth has its parts                    | profile.open                                                        |
| a new attempt, page or early script         | profile.createKey; `verifier`, `nonce` and `state` are kept         |
| the page opens: is this address our answer? | profile.readAnswer, without any request; its state names the attempt|
| before the browser is sent to the server    | server.probe, where nothing was heard of it just now                |
| leave for the sign-in page                  | server.authorizeUrl, server.push                                    |
| silent check                                | server.silentCheck (undefined: there is none), server.authorizeUrl  |
|                                             | with isSilent, server.readSilentAnswer for every message and every  |
|                                             | own-origin address of the frame                                     |
| an answer is there                          | server.answerError; then its `code` counts                          |
| code → tokens                               | server.exchange                                                     |
| renewal by refresh token                    | server.refreshReuseMs, server.refresh                               |
| tokens come from a sibling tab              | opened.restore, opened.takeKey                                      |
| a sibling tab asks for them                 | server.binding.keyOf                                                |
| the app's own call                          | server.binding.fetch                                                |
| user info                                   | server.readUserInfo                                                 |
| logout                                      | server.revoke, server.logout                                        |
| a call that not every server has            | profile.supports, profile.authHost                                  |
*/

/** As the page's own `fetch`. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

/** What a server profile must know of the app. */
export interface ServerClient {
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Whether the server is asked to remember the user. */
  readonly rememberMe: boolean
  /** Whether start-up goes to the sign-in page by itself. */
  readonly autoLogin?: boolean | undefined
  /** Reads the app's own claims. */
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

/** A server, as an app names it in its config. Made without a request; holds no state. */
export interface ServerProfile {
  /** Stable name of the server: its origin or issuer. Part of every name in a storage. */
  readonly id: string
  /** What it is asked for beside scopes: `audience` and `resource`, in one text. */
  readonly asked?: string | undefined
  /** The protocol it speaks, for people who read the devtools. Nothing may decide by it. */
  readonly protocol: string
  /** Origin of the calls that only a server of the latchkey contract has; `undefined`: there are none. */
  readonly authHost: string | undefined
  /** Whether a call exists; known before any request. */
  supports(feature: ServerFeature): boolean
  /** Checks what this server needs of the app's config. @throws AuthError `invalid-config` */
  checkClient(client: ServerClient): void
  /** What a sign-in attempt begins with. @throws AuthError `random-unavailable`, `proof-key-unavailable` */
  createKey(crypto: CryptoPort): Promise<AttemptKey>
  /** The response in an address, by its form; `undefined` when there is none. Whose it is, its state tells. */
  readAnswer(address: string): AuthorizationAnswer | undefined
  /** The server in one page; metadata is fetched when it is first needed. @throws AuthError where what was given by hand is wrong */
  open(client: ServerClient, ports: ServerPorts): OpenedServer
}

/** What a server needs of the page. */
export interface ServerPorts {
  now(): number
  isOnline(): boolean
  setTimer(callback: () => void, delayMs: number): () => void
  readonly crypto: CryptoPort
  /** Address of the page. */
  address(): string
  readonly fetch: Fetch
  readonly sessionStorage: { get(key: string): string | undefined; set(key: string, value: string): boolean }
  readonly localStorage: {
    get(key: string): string | undefined
    set(key: string, value: string): boolean
    remove(key: string): void
  }
  /** Sends a request in full. */
  send(request: WireRequest): Promise<unknown>
  /** A call below `authHost`, with JSON. */
  call(request: {
    method: 'GET' | 'POST'
    path: string
    body?: unknown
    token?: string | undefined
    signal?: AbortSignal | undefined
  }): Promise<unknown>
  /** Tells a developer what happened; without a secret. */
  record(step: string, outcome: 'done' | 'failed', why: string): void
  /** The same in the console, for what a developer has to do. */
  warn(message: string): void
  /** The same in the console, for what a developer may want to know. */
  readonly tell?: (message: string) => void
  /** What is held for the signed-in user. */
  held(): Credentials | undefined
}

/** A server in one page. */
export interface OpenedServer {
  /** The server, once its metadata is known; one without metadata is known from the beginning. */
  known(): Server | undefined
  /** The server; its metadata is fetched when nobody has it, once for all who ask. @throws AuthError */
  get(): Promise<Server>
  /** Reads strictly what another tab handed over. @throws AuthError as `Server.exchange` */
  restore(value: unknown): Credentials
  /** Takes the key that came with it. Absent: this server binds no tokens. @throws AuthError when they are not bound to this one */
  takeKey?: TokenBinding['takeKey'] | undefined
}

/** A request that changes nothing and needs nobody to be signed in: whether it is answered tells that the server is there. */
export interface Probe {
  /** At an origin that the page must be allowed to ask anyway. */
  readonly url: string
  /** Whether the page can read what comes back. `likely`: it should, and where it cannot that says nothing. */
  readonly cors: 'sure' | 'likely' | 'none'
}

/** A server whose addresses are known, as the session uses it. */
export interface Server {
  readonly probe: Probe
  /** The address of the sign-in page, or of the silent check. */
  authorizeUrl(request: AuthorizeRequest): string
  /** Sends such an address to the server first, where it wants that, and returns the one to go to. @throws AuthError as a request */
  push?: ((authorizeUrl: string) => Promise<string>) | undefined
  /** How the hidden frame responds; `undefined`: a silent check is not possible, or not wanted. */
  readonly silentCheck: SilentAnswer | undefined
  /** Keeps for the first script of the next page in this tab how this one asks silently. */
  rememberSilentCheck?: ((redirectUri: string) => void) | undefined
  /** How it is told for which organization somebody signs in; absent: only by parameters of its own. */
  readonly organization?: OrganizationNames | undefined
  /** These tokens are held now: this tab remembers what their user goes by. Not before: what comes late is of nobody. */
  remember?: ((held: Credentials) => void) | undefined
  /** The session has ended elsewhere: what this tab remembers of its user goes. */
  forget?: (() => void) | undefined
  /** Reads what the frame sent or where it went: message data, or its address. `undefined`: not the response. */
  readSilentAnswer(found: unknown, state: string): AuthorizationAnswer | undefined
  /** Why a response brings no code that may be used; `undefined` when it does. */
  answerError(answer: AuthorizationAnswer, options: { isSilent: boolean }): AuthError | undefined
  /**
   * Exchanges a code.
   *
   * @throws AuthError `unexpected-answer`, `invalid-access-token`, `invalid-id-token`, `invalid-claims`, and those of a request
   */
  exchange(code: string, use: CodeUse): Promise<Received>
  /** Renews; with `resource`: gets a token for it, and the session's own stays. @throws AuthError `invalid-grant` when the refresh token is worth nothing any more, and those of `exchange` */
  refresh(held: Credentials, refreshToken: string, resource?: string): Promise<Received>
  /**
   * So long after a refresh whose response was lost, the server takes the same refresh token once more. Absent, or 0: a
   * second use ends the session there, so its own session is asked first.
   */
  readonly refreshReuseMs?: number | undefined
  /** @throws AuthError `not-supported` where there is none, `unexpected-answer`, also when it is about another user */
  readUserInfo(held: Credentials, token: string, signal: AbortSignal | undefined): Promise<ServerRecord>
  /** Takes the tokens back: best effort, never waited for longer than 2 s. Absent where the server has no endpoint for it. */
  revoke?(held: Credentials): Promise<unknown>
  /** Where the browser goes to end the server's session; an error: it stays, and nobody may be signed in by itself afterwards. */
  logout(request: LogoutRequest): LogoutPage | AuthError
  /** Where tokens are bound to a key of this browser; absent: they are good in every hand. */
  readonly binding?: TokenBinding | undefined
}

/** Tokens that are worth nothing without a key. */
export interface TokenBinding {
  /** Sends a call of the app that holds a bearer token as a bound one wants it. */
  readonly fetch: Fetch
  /** Whether the access token held now is bound. */
  isBound(): boolean
  /** The key for another tab: a handle, which cannot be written down. */
  keyOf(held: Credentials): unknown
  /** Takes such a key for what another tab has handed over. @throws AuthError when the tokens are not bound to this one */
  takeKey(memory: Memory, key: unknown): Promise<void>
}

/** The sign-in that a code belongs to. */
export interface CodeUse {
  readonly attempt: Attempt
  /** Whether the hidden frame brought the code. */
  readonly isSilent: boolean
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
  /** A redirect is a response with status 0, in place of a failure to reach the server. */
  readonly seesRedirects?: boolean | undefined
  /** What to do when the request did not reach the server. */
  readonly networkRemedy?: string | undefined
  /** The one status that is success. Default 200. */
  readonly expectedStatus?: number | undefined
  /** What another status than that means. Default: `unexpected-status`. */
  readonly refused?: ((refusal: TokenRefusal) => AuthError) | undefined
  readonly signal?: AbortSignal | undefined
  /** It is sent to its end although the page goes meanwhile. */
  readonly keepalive?: boolean | undefined
  /** Sends it, with what must be new for each attempt; absent: it goes out as it stands. */
  readonly fetch?: Fetch | undefined
}

/** One request to the authorization endpoint. */
export interface AuthorizeRequest {
  readonly key: AttemptKey
  readonly redirectUri: string
  /** In the hidden frame: without any page for the user. */
  readonly isSilent?: boolean | undefined
  /** What the app asks of this sign-in, by the names of the wire; the protocol's own parameters stay as they are. */
  readonly parameters?: FurtherParameters | undefined
  /** What is held for the user whose session the silent check is about. */
  readonly held?: Credentials | undefined
}

/** How a provider is told for which organization somebody signs in: by a parameter or by a scope. */
export interface OrganizationNames {
  /** Name of the parameter. Default 'organization'. */
  readonly parameter?: string | undefined
  /** A scope in which `{organization}` stands for its name, in place of the parameter. */
  readonly scope?: string | undefined
}

/** How the hidden frame responds. */
export interface SilentAnswer {
  /** The frame ends at an address of the app, which no event tells: the page looks for it this often. Absent: it responds by message only. */
  readonly lookEveryMs?: number | undefined
  /** A frame that has loaded and is not at the response has this much longer. Absent: ten seconds at most. */
  readonly graceMs?: number | undefined
  /** The redirect address of the silent check; absent: that of every sign-in. */
  readonly redirectUri?: string | undefined
  /** What this browser knows of frames that load and do not respond. Absent: only the tab remembers. */
  readonly silence?: { expected(): AuthError | undefined; note(): void } | undefined
}

/** What a user goes by at a server that wants to be told whom a request is about. No secret. */
export interface Hints {
  readonly login?: string | undefined
  readonly logout?: string | undefined
}

/** A refusal of a request. Its body holds no secrets any more. */
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
  /** What was held until now; `undefined` after a reload. */
  readonly held?: Credentials | undefined
}

/** A page that ends the server's session. */
export interface LogoutPage {
  readonly url: string
  /** Sent as a form (POST) instead of a link, because the address would be too long. */
  readonly form?: Readonly<Record<string, string>> | undefined
  /** The user comes back without the state. */
  readonly isBare?: boolean | undefined
}
