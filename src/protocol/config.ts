// Checks what the app passes to createAuth and fills in the defaults (spec §3 "Configuration", §5, §9).
import {
  DEFAULT_AUTO_LOGIN,
  DEFAULT_AUTO_LOGOUT,
  DEFAULT_AUTO_REFRESH_TOKEN,
  DEFAULT_IDLE_TIMEOUT_IN_MINUTES,
  DEFAULT_IFRAME_TIMEOUT_IN_SECONDS,
  DEFAULT_REMEMBER_ME,
  DEFAULT_UNIQUE_SESSION,
} from '../constants.ts'
import { invalidConfig, invalidScopes, missingConfig } from '../errors.ts'
import { assertHook, type HookName, HOOK_NAMES, type Hooks } from './eventHooks.ts'
import { isLoopback, parseOrigin, parseUrl } from './origin.ts'

/** Kind of client, part of its presence identifier: 1 browser session, 2 impersonated, 3 installed or other. */
export type SessionType = '1' | '2' | '3'

/** What an app passes to `createAuth` (spec §3; contract §2). */
export interface AuthConfig {
  /** Origin of the authorization server; https, or http on loopback. */
  authHost: string
  /** The app's name at the authorization server. */
  clientId: string
  /** One scope an item; sent joined with commas. */
  scopes: readonly string[]
  /** Sign in by itself when start-up finds no session. Default true. */
  autoLogin?: boolean | undefined
  /** Log out after idle time. Default true. */
  autoLogout?: boolean | undefined
  /** Renew by a timer, 30 seconds before expiry. Default false. */
  autoRefreshToken?: boolean | undefined
  /** Idle time before logout, minutes. Default 30. */
  idleTimeoutInMinutes?: number | undefined
  /** One session per user. Default true. */
  uniqueSession?: boolean | undefined
  /** Ask the server to remember the user; nothing is stored longer here. Default false. */
  rememberMe?: boolean | undefined
  /** Functions called at the four moments of a session. */
  hooks?: Partial<Hooks> | undefined
  /** A token of another app of the firm, to be passed through once. */
  initToken?: string | undefined
  /** Limit of the hidden frame, seconds. Default 60. */
  iframeTimeoutInSeconds?: number | undefined
  /** Exact value sent to authorize and token. Default: the page's origin and '/'. */
  redirectUri?: string | undefined
  /** The product that a token in the address must be for. Default: clientId. */
  audience?: string | undefined
  /** Kind of client. Default '1'; an impersonated session is '2' by itself. */
  sessionType?: SessionType | undefined
  /** Further origins that `auth.fetch` sends the bearer token to, beside authHost and the page's own. */
  apiOrigins?: readonly string[] | undefined
}

/** The config after its check: every default filled in, frozen. */
export interface Settings {
  readonly authHost: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly autoLogin: boolean
  readonly autoLogout: boolean
  readonly autoRefreshToken: boolean
  readonly idleTimeoutInMinutes: number
  readonly uniqueSession: boolean
  readonly rememberMe: boolean
  readonly hooks: Partial<Hooks>
  readonly initToken: string | undefined
  readonly iframeTimeoutInSeconds: number
  readonly redirectUri: string | undefined
  readonly audience: string
  readonly sessionType: SessionType
  readonly apiOrigins: readonly string[]
}

// A scope token of RFC 6749 without the comma, which joins scopes on the wire.
const SCOPE = /^[!#-+\--[\]-~]+$/
const CLIENT_ID = /^[ -~]{1,200}$/

/**
 * Reads every member once, so a getter or a later change of the object has no effect.
 *
 * @throws AuthError `missing-config`, `invalid-scopes`, `invalid-config`, `unsupported-hook`, `invalid-hook`
 */
export function parseConfig(config: AuthConfig): Settings {
  if (typeof config !== 'object' || config === null) throw missingConfig('authHost')
  const { authHost, clientId, scopes, ...optional } = config
  if (isMissing(authHost)) throw missingConfig('authHost')
  if (isMissing(clientId)) throw missingConfig('clientId')
  if (isMissing(scopes)) throw missingConfig('scopes')

  return Object.freeze({
    authHost: parseAuthHost(authHost),
    clientId: text('clientId', clientId, CLIENT_ID),
    scopes: parseScopes(scopes),
    autoLogin: flag('autoLogin', optional.autoLogin, DEFAULT_AUTO_LOGIN),
    autoLogout: flag('autoLogout', optional.autoLogout, DEFAULT_AUTO_LOGOUT),
    autoRefreshToken: flag('autoRefreshToken', optional.autoRefreshToken, DEFAULT_AUTO_REFRESH_TOKEN),
    idleTimeoutInMinutes: positive(
      'idleTimeoutInMinutes',
      optional.idleTimeoutInMinutes,
      DEFAULT_IDLE_TIMEOUT_IN_MINUTES,
    ),
    uniqueSession: flag('uniqueSession', optional.uniqueSession, DEFAULT_UNIQUE_SESSION),
    rememberMe: flag('rememberMe', optional.rememberMe, DEFAULT_REMEMBER_ME),
    hooks: parseHooks(optional.hooks),
    initToken: optional.initToken === undefined ? undefined : text('initToken', optional.initToken),
    iframeTimeoutInSeconds: positive(
      'iframeTimeoutInSeconds',
      optional.iframeTimeoutInSeconds,
      DEFAULT_IFRAME_TIMEOUT_IN_SECONDS,
    ),
    redirectUri: parseRedirectUri(optional.redirectUri),
    audience: text('audience', optional.audience ?? clientId),
    sessionType: parseSessionType(optional.sessionType),
    apiOrigins: parseOrigins(optional.apiOrigins),
  })
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function parseAuthHost(value: unknown): string {
  const origin = parseOrigin(value)
  if (!origin)
    throw invalidConfig('authHost', "an origin, https or http on loopback: 'https://auth.example.com'")
  return origin
}

function parseScopes(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw invalidScopes()
  // Array.from turns holes into undefined, which the test below refuses.
  const scopes: unknown[] = Array.from(value)
  if (!scopes.every((scope): scope is string => typeof scope === 'string' && SCOPE.test(scope)))
    throw invalidScopes()
  return Object.freeze([...new Set(scopes)])
}

function parseHooks(value: unknown): Partial<Hooks> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object') throw invalidConfig('hooks', `an object with ${HOOK_NAMES.join(', ')}`)
  const hooks: Partial<Record<HookName, unknown>> = {}
  for (const [name, hook] of Object.entries(value)) {
    if (hook === undefined) continue
    assertHook(name, hook)
    hooks[name] = hook
  }
  return Object.freeze(hooks as Partial<Hooks>)
}

function parseRedirectUri(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const url = parseUrl(value)
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!url || !isWeb || url.hash || url.username || url.password) {
    throw invalidConfig('redirectUri', 'an absolute address of this app, without a hash')
  }
  return value as string
}

function parseSessionType(value: unknown): SessionType {
  const type = value ?? '1'
  if (type !== '1' && type !== '2' && type !== '3') throw invalidConfig('sessionType', "'1', '2' or '3'")
  return type
}

function parseOrigins(value: unknown): readonly string[] {
  if (value === undefined) return []
  const origins = Array.isArray(value) ? value.map(parseOrigin) : [undefined]
  if (!origins.every((origin) => origin !== undefined)) {
    throw invalidConfig('apiOrigins', "an array of origins: ['https://api.example.com']")
  }
  return Object.freeze(origins)
}

function flag(name: string, value: unknown, byDefault: boolean): boolean {
  if (value === undefined) return byDefault
  if (typeof value !== 'boolean') throw invalidConfig(name, 'true or false')
  return value
}

function positive(name: string, value: unknown, byDefault: number): number {
  if (value === undefined) return byDefault
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    throw invalidConfig(name, 'a number above 0')
  }
  return value
}

function text(name: string, value: unknown, pattern = /./): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw invalidConfig(name, 'a plain string')
  return value
}
