// Checks what the app passes to createAuth and fills in the defaults.
import {
  DEFAULT_AUTO_LOGIN,
  DEFAULT_AUTO_LOGOUT,
  DEFAULT_AUTO_REFRESH_TOKEN,
  DEFAULT_IDLE_TIMEOUT_IN_MINUTES,
  DEFAULT_IFRAME_TIMEOUT_IN_SECONDS,
  DEFAULT_REMEMBER_ME,
  DEFAULT_UNIQUE_SESSION,
} from '../base/constants.ts'
import { invalidConfig, invalidScopes, missingConfig } from '../base/errors.ts'
import { memberOf } from '../base/json.ts'
import type { ReadAppClaims } from './appClaims.ts'
import { assertHook, type Hooks } from './eventHooks.ts'
import type { Messages } from './messages.ts'
import type { RealtimeService, RealtimeTransport } from './realtimeTransport.ts'
import { checkOptions, isFunction, isText, oneOf, type Option, type Options } from './options.ts'
import { isSafeUrl, parseOrigin, parseUrl } from './origin.ts'
import { firmServer } from './servers/firm.ts'
import type { ServerProfile } from './servers/profile.ts'
import type { Register } from '../base/register.ts'

/** Kind of client, part of its presence identifier: '1' browser session, '2' impersonated, '3' installed or other. */
export type SessionType = '1' | '2' | '3'

/** The authorization server: exactly one of the two. */
export type ServerConfig =
  | {
      /** Origin of a server with latchkey's own contract; https, or http on loopback. */
      authHost: string
      server?: undefined
    }
  | {
      /** Any other authorization server, such as `openIdConnect({ issuer })` or a preset from `latchkey/oidc`. */
      server: ServerProfile
      authHost?: undefined
    }

/** A config of `createAuth` and of the bundler's plugin; `claims` is optional. */
export type AuthConfig = AuthOptions & OptionalClaims & ServerConfig

/** The argument of `createAuth`. */
export type WholeConfig = AuthConfig & ClaimsOption

/** The function that reads the app's own claims. Required once the app registers members of `user` that must be there. */
export type ClaimsOption = Register extends { user: infer Own }
  ? Partial<Own> extends Own
    ? OptionalClaims
    : { claims: ReadAppClaims }
  : OptionalClaims

interface OptionalClaims {
  /**
   * Reads the app's own claims from the access token (with `openIdConnect`: from the ID token, and the access token where it is a
   * JWT). What it returns is added to `user` (`Register`), what it throws refuses the sign-in. For display only. Default: none.
   */
  claims?: ReadAppClaims | undefined
}

/** Options of `createAuth`, without the server and `claims`. */
export interface AuthOptions {
  /** The app's client id at the authorization server. */
  clientId: string
  /** Array of OAuth scopes, such as ['openid', 'profile']. */
  scopes: readonly string[]
  /** Sign in automatically when start-up finds no session. Default true. */
  autoLogin?: boolean | undefined
  /**
   * With `autoLogin`: try the hidden frame first, even if this browser never had a session. By default such a browser goes straight
   * to the sign-in page, which finds an existing session at the server too. Default false.
   */
  verifyFirstVisit?: boolean | undefined
  /** A page leaves its session, sealed, to the next page of its tab: a reload does not ask the server. Default true. */
  betweenPages?: boolean | undefined
  /** Log out after idle time. Default true. */
  autoLogout?: boolean | undefined
  /** Renew by a timer, 30 seconds before expiry. Default false. */
  autoRefreshToken?: boolean | undefined
  /** When the user returns to the page, a renewal checks that the session still exists, at most once in 5 minutes. Default false. */
  checkSessionOnWake?: boolean | undefined
  /** Idle time before logout, minutes. Default 30. */
  idleTimeoutInMinutes?: number | undefined
  /** One session per user. Default true. */
  uniqueSession?: boolean | undefined
  /** Ask the server to remember the user. latchkey itself stores nothing longer. Default false. */
  rememberMe?: boolean | undefined
  /** The four hooks of a session. Default: none. */
  hooks?: Partial<Hooks> | undefined
  /** An access token of another app of the firm. latchkey passes its session through once. Default: none. */
  initToken?: string | undefined
  /** Limit of the hidden frame, seconds. Default 60. */
  iframeTimeoutInSeconds?: number | undefined
  /** Exact value sent to authorize and token. Default: the page's origin and '/'. */
  redirectUri?: string | undefined
  /** The `aud` claim that a token in the URL must have. Default: clientId. */
  audience?: string | undefined
  /** URL of the static redirections file. Default: none; then no user is redirected to another environment. */
  redirectionsUrl?: string | undefined
  /**
   * The authHosts that a user may be redirected to. Default: those whose name differs from `authHost` only by the prefixes and
   * top-level domains of the file. Hosts that are listed are asked whether they are there before the user leaves: add them to
   * `connect-src`.
   */
  allowedEnvironmentHosts?: readonly string[] | undefined
  /** Real time: the keys of the messaging service, or a transport of your own. Default: no messages, and only this browser is online. */
  realtime?: RealtimeService | RealtimeTransport | undefined
  /** Name of the firm's channel. Default: `firm_{firmId}`. */
  firmChannel?: ((firmId: string) => string) | undefined
  /** Kind of client. Default '1'; impersonated sessions are always '2'. */
  sessionType?: SessionType | undefined
  /** The UUID of the device, for an installed client that is bound to one. Default: none. */
  deviceId?: string | undefined
  /** Further origins that `auth.fetch` sends the bearer token to, beside authHost and the page's own. Default: none. */
  apiOrigins?: readonly string[] | undefined
  /**
   * What goes from the app's QueryClients when the user, the firm or the impersonator changes, or a session ends for good: `'all'`
   * queries and mutations but those with `meta: { latchkey: 'shared' }`, or only latchkey's `'own'` and those of `authed`. With
   * `'own'` your other queries show one user's data to the next: empty them yourself, by `auth.onUserGone`. Default 'all'.
   */
  clearQueries?: 'all' | 'own' | undefined
  /** Texts for users, by name, which replace the English ones. Default: none. */
  messages?: Messages | undefined
}

type Given = AuthOptions & OptionalClaims

/** Options without a default. */
type WithoutDefault =
  | 'claims'
  | 'initToken'
  | 'redirectUri'
  | 'redirectionsUrl'
  | 'realtime'
  | 'firmChannel'
  | 'deviceId'

/** The checked config with every default, frozen. */
export type Settings = {
  readonly [Name in keyof Given]-?: Name extends WithoutDefault ? Given[Name] : NonNullable<Given[Name]>
} & {
  /** Stable name of the server: its origin, or its issuer. Names in storages begin with it. */
  readonly authHost: string
  readonly server: ServerProfile
  /** Audience, resource, DPoP and scopes in one text: only pages with the same share tokens. */
  readonly asked: string
}

// A scope token of RFC 6749 §3.3 without the comma, because scopes are sent joined with commas.
const SCOPE = /^[!#-+\--[\]-~]+$/
const CLIENT_ID = /^[ -~]{1,200}$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const isRealtime = (value: unknown) => ['connect', 'open'].some((name) => isFunction(memberOf(value, name)))
// The nil UUID stands for a browser: the app has failed to read the device's own.
const isDeviceId = (value: unknown) => isText(value) && UUID.test(value) && /[1-9a-f]/i.test(value)
const isTexts = (value: unknown) =>
  typeof value === 'object' &&
  Object.values(value!).every((text) => isText(text) || isFunction(text) || text === undefined)
const isFileUrl = (value: unknown) => isSafeUrl(value) || (isText(value) && /^\/(?!\/)/.test(value))

const flag = (byDefault: boolean): Option<boolean> => [
  (value) => typeof value === 'boolean',
  'true or false',
  byDefault,
]
const positive = (byDefault: number): Option<number> => [
  (value) => Number.isFinite(value) && value > 0,
  'a number above 0',
  byDefault,
]
const origins: Option<readonly string[]> = [
  (value) => Array.isArray(value) && value.every((item) => parseOrigin(item) === item),
  'an array of https origins',
  [],
]
const PLAIN_TEXT = 'a plain text'
const clientId: Option<string> = [(value) => isText(value) && CLIENT_ID.test(value), PLAIN_TEXT]

/** All options but server and scopes. */
const OPTIONS: Options<Omit<Given, 'scopes'>> = {
  clientId,
  audience: clientId,
  autoLogin: flag(DEFAULT_AUTO_LOGIN),
  verifyFirstVisit: flag(false),
  betweenPages: flag(true),
  autoLogout: flag(DEFAULT_AUTO_LOGOUT),
  autoRefreshToken: flag(DEFAULT_AUTO_REFRESH_TOKEN),
  checkSessionOnWake: flag(false),
  uniqueSession: flag(DEFAULT_UNIQUE_SESSION),
  rememberMe: flag(DEFAULT_REMEMBER_ME),
  idleTimeoutInMinutes: positive(DEFAULT_IDLE_TIMEOUT_IN_MINUTES),
  iframeTimeoutInSeconds: positive(DEFAULT_IFRAME_TIMEOUT_IN_SECONDS),
  hooks: [(value) => typeof value === 'object', 'an object', {}],
  claims: [isFunction, 'a function'],
  initToken: [isText, PLAIN_TEXT],
  redirectUri: [isSafeUrl, 'an https address without a hash'],
  redirectionsUrl: [isFileUrl, 'an https address or a path'],
  allowedEnvironmentHosts: origins,
  realtime: [
    isRealtime,
    "pubnub({ … }), with import { pubnub } from 'latchkey/pubnub', or a RealtimeTransport",
  ],
  firmChannel: [isFunction, 'a function'],
  sessionType: oneOf(['1', '2', '3'], '1'),
  deviceId: [isDeviceId, 'a UUID that is not nil'],
  apiOrigins: origins,
  clearQueries: oneOf(['all', 'own'], 'all'),
  messages: [isTexts, 'texts by name', {}],
}

/** Reads every member once. @throws AuthError `missing-config`, `invalid-scopes`, `invalid-config`, `unsupported-hook`, `invalid-hook` */
export function parseConfig(config: AuthConfig): Settings {
  if (typeof config !== 'object' || config === null) throw missingConfig('authHost')
  const { authHost, server: given, scopes, ...options } = config
  if (isMissing(authHost) && isMissing(given)) throw missingConfig('authHost')
  if (isMissing(options.clientId)) throw missingConfig('clientId')
  if (isMissing(scopes)) throw missingConfig('scopes')

  const server = parseServer(authHost, given)
  const checkedScopes = parseScopes(scopes)
  const checked = checkOptions(
    OPTIONS,
    { ...options, audience: options.audience ?? options.clientId },
    'server',
  )
  const settings = Object.freeze({
    ...(checked as Settings),
    authHost: server.id,
    server,
    scopes: checkedScopes,
    asked: [checked.audience, server.asked, ...checkedScopes.toSorted()].join(' '),
    hooks: parseHooks(checked.hooks!),
    messages: Object.freeze({ ...checked.messages }),
  })
  server.checkClient(settings)
  return settings
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

function parseServer(authHost: unknown, server: ServerProfile | undefined): ServerProfile {
  if (!isMissing(server)) {
    if (!isMissing(authHost)) throw invalidConfig('server', 'given without authHost: one of the two')
    if (server && isFunction(server.open)) return server
    throw invalidConfig('server', "what openIdConnect() of 'latchkey/oidc' returns")
  }
  const origin = parseOrigin(authHost)
  if (origin) return firmServer({ authHost: origin })
  // With a path, a query or a user name: the error suggests the origin alone.
  const meant = parseOrigin(parseUrl(authHost)?.origin)
  throw invalidConfig(
    'authHost',
    `an https origin, or http on loopback${meant === undefined ? '' : `, and nothing more: '${meant}'`}`,
  )
}

function parseScopes(value: unknown): readonly string[] {
  // The copy turns holes into undefined, which the check refuses.
  const scopes: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : [undefined]
  if (!scopes.every((scope): scope is string => isText(scope) && SCOPE.test(scope))) throw invalidScopes()
  return Object.freeze([...new Set(scopes)])
}

function parseHooks(value: Partial<Hooks>): Partial<Hooks> {
  const hooks = Object.entries(value).filter(([, hook]) => hook !== undefined)
  for (const [name, hook] of hooks) assertHook(name, hook)
  return Object.freeze(Object.fromEntries(hooks))
}
