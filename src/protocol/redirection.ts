// Which environment a user belongs to, by the rules of the static redirections file (spec §3 "Redirection config", contract §4, §6).
import type { Claims } from './claims.ts'
import { parseOrigin, parseUrl } from './origin.ts'

/** One environment and who belongs there. */
export interface RedirectionEnvironment {
  /** Claim to values: every claim named must have one of its values, compared as texts. */
  readonly criteria: Readonly<Record<string, readonly string[]>>
  /** Clients the rule is for. */
  readonly applications: readonly string[]
  /** Origin of its authorization server, where the session is handed on to. */
  readonly authHost: string
  /** Its top-level domain, as the file says it; no rule looks at it. */
  readonly topLevelDomain: string
}

/** The redirections file. */
export interface RedirectionConfig {
  /** Top-level domains under which an authHost of the same name is trusted: 'com', 'co.uk'. */
  readonly topLevelDomains: readonly string[]
  /** The rules; the first that matches counts. */
  readonly environments: readonly RedirectionEnvironment[]
  /** Its `prefixMappings`: prefixes by which trusted authHosts may differ, one label or a part of one. */
  readonly environmentVariables: { readonly prefixMappings: Readonly<Record<string, string>> }
}

/** What the rules say of one user: an environment to go to, or why there is none. */
export type RedirectionVerdict =
  | { readonly type: 'go'; readonly environment: RedirectionEnvironment; readonly why: string }
  | { readonly type: 'stay'; readonly why: string }

const CLAIMS = ['userId', 'firmId', 'sessionId', 'impersonatorId', 'aud'] as const
const LARGEST_LIST = 1000

/** Reads the file by a strict schema; `undefined` when anything in it is not as it must be. */
export function parseRedirectionConfig(value: unknown): RedirectionConfig | undefined {
  if (!isRecord(value) || !isTexts(value['topLevelDomains'])) return undefined
  const { environments, environmentVariables } = value
  const prefixMappings = isRecord(environmentVariables) ? environmentVariables['prefixMappings'] : undefined
  if (!isRecord(prefixMappings) || !Object.values(prefixMappings).every(isText)) return undefined
  if (!Array.isArray(environments) || environments.length > LARGEST_LIST) return undefined
  const parsed = environments.map(parseEnvironment)
  if (!parsed.every((environment) => environment !== undefined)) return undefined
  return {
    topLevelDomains: [...value['topLevelDomains']],
    environments: parsed,
    environmentVariables: { prefixMappings: copy(prefixMappings) as Record<string, string> },
  }
}

/** The first environment whose rule matches, if its address may be trusted with a session. */
export function judgeRedirection(
  config: RedirectionConfig,
  about: { claims: Claims; clientId: string; authHost: string; allowedEnvironmentHosts: readonly string[] },
): RedirectionVerdict {
  const { claims, clientId, authHost } = about
  const index = config.environments.findIndex(
    (environment) =>
      environment.applications.includes(clientId) &&
      environment.authHost !== authHost &&
      Object.entries(environment.criteria).every(([name, values]) =>
        claimValues(claims, name).some((text) => values.includes(text)),
      ),
  )
  const environment = config.environments[index]
  if (!environment) return { type: 'stay', why: 'no rule matches this user' }
  const why = `rule ${index + 1} matches by ${Object.keys(environment.criteria).join(', ')}`
  if (!isTrustedHost(environment.authHost, config, about)) {
    return { type: 'stay', why: `${why}, and its authHost is not one this app may hand a session to` }
  }
  return { type: 'go', environment, why }
}

/**
 * Whether a host differs from our own only in environment prefix and top-level domain, or stands in the app's own list.
 * https, no user, no port, no IP address.
 */
export function isTrustedHost(
  target: string,
  config: Pick<RedirectionConfig, 'topLevelDomains' | 'environmentVariables'>,
  own: { authHost: string; allowedEnvironmentHosts: readonly string[] },
): boolean {
  if (parseOrigin(target) !== target) return false
  if (own.allowedEnvironmentHosts.includes(target)) return true
  const url = parseUrl(target)
  const ownUrl = parseUrl(own.authHost)
  if (!url || !ownUrl || url.protocol !== 'https:' || url.port || isAddress(url.hostname)) return false
  const domains = config.topLevelDomains.filter((domain) => TOP_LEVEL_DOMAIN.test(domain))
  const prefixes = Object.values(config.environmentVariables.prefixMappings).filter((prefix) =>
    PREFIX.test(prefix),
  )
  const ownNames = namesOf(ownUrl.hostname, domains, prefixes)
  return namesOf(url.hostname, domains, prefixes).some((name) => ownNames.includes(name))
}

// 'com' or 'co.uk', never a name that somebody can own: the file must not make evil.example a top-level domain.
const SECOND_LEVEL = '(?:co|com|org|net|gov|gob|ac|edu|or|ne|go)'
const TOP_LEVEL_DOMAIN = new RegExp(`^(?:${SECOND_LEVEL}\\.)?[a-z]{2,24}$`)
// One label or a part of one, never several: a prefix must not swallow the name that somebody owns.
const PREFIX = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** What a host is called without its top-level domain, with and without an environment prefix: 'auth.firm'. */
function namesOf(hostname: string, domains: readonly string[], prefixes: readonly string[]): string[] {
  const bare = domains
    .filter((domain) => hostname.endsWith(`.${domain}`))
    .map((domain) => hostname.slice(0, -domain.length - 1))
  const names = bare.filter((name) => !new RegExp(`(?:^|\\.)${SECOND_LEVEL}$`).test(name))
  return names.flatMap((name) => [name, ...prefixes.flatMap((prefix) => withoutPrefix(name, prefix))])
}

function withoutPrefix(name: string, prefix: string): string[] {
  return ['-', '.']
    .filter((mark) => name.startsWith(prefix + mark))
    .map((mark) => name.slice(prefix.length + mark.length))
    .filter((base) => ownedLabel(base) === ownedLabel(name))
}

/** The label that is registered: 'firm' in 'eu-auth.firm'. A prefix that is a part of it would make another owner of it. */
const ownedLabel = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
}

function claimValues(claims: Claims, name: string): string[] {
  const claim = CLAIMS.find((known) => known === name)
  const value = claim && claims[claim]
  return value === undefined ? [] : [value].flat().map(String)
}

function parseEnvironment(value: unknown): RedirectionEnvironment | undefined {
  if (!isRecord(value)) return undefined
  const { criteria, applications, authHost, topLevelDomain } = value
  // A rule without criteria would move everybody.
  const isRule =
    isRecord(criteria) && Object.keys(criteria).length > 0 && Object.values(criteria).every(isTexts)
  if (!isRule || !isTexts(applications) || !isText(authHost) || !isText(topLevelDomain)) return undefined
  const origin = parseOrigin(authHost)
  if (!origin) return undefined
  return {
    criteria: copy(criteria) as Record<string, string[]>,
    applications: [...applications],
    authHost: origin,
    topLevelDomain,
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
// Onto no prototype: a key such as __proto__ stays a key.
const copy = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.assign(Object.create(null) as Record<string, unknown>, record)
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= LARGEST_LIST
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= LARGEST_LIST && value.every(isText)
