// Decides by the static redirections file which environment a user belongs to.
import { isRecord, recordOf } from '../base/json.ts'
import type { Claims } from './claims.ts'
import { isLoopback, parseOrigin, parseUrl } from './origin.ts'

/** One environment, and the rule that says which users belong to it. */
export interface RedirectionEnvironment {
  /** Values by claim. Every named claim must have one of its values, compared as strings. */
  readonly criteria: Readonly<Record<string, readonly string[]>>
  /** The client ids that the rule applies to. */
  readonly applications: readonly string[]
  /** The origin of its authorization server, which receives the session. */
  readonly authHost: string
  /** The top-level domain of its apps: 'com'. */
  readonly topLevelDomain: string
}

/** The redirections file. */
export interface RedirectionConfig {
  /** Top-level domains under which an authHost of the same name is trusted: 'com', 'co.uk'. */
  readonly topLevelDomains: readonly string[]
  /** The rules. The first one that matches is used. */
  readonly environments: readonly RedirectionEnvironment[]
  /** `prefixMappings`: the prefixes by which trusted authHosts may differ. A prefix is one label of a host, or the beginning of one. */
  readonly environmentVariables: { readonly prefixMappings: Readonly<Record<string, string>> }
}

/** The result for one user: an environment to redirect to, or why there is none. */
export type RedirectionVerdict =
  | {
      readonly type: 'go'
      readonly environment: RedirectionEnvironment
      /** Returns a URL of the app, moved to that environment. */
      redirectFrom(address: string): string
      readonly why: string
    }
  | { readonly type: 'stay'; readonly why: string }

const CLAIMS = ['userId', 'firmId', 'sessionId', 'impersonatorId', 'aud'] as const
/** Longer lists are cut, so that a file of the allowed size cannot block the page. */
const LARGEST_LIST_LENGTH = 100
const LARGEST_TEXT_LENGTH = 1000

/**
 * Parses the file by a strict schema. Returns `undefined` if anything is invalid. Lists lose their duplicates and everything
 * after their first 100 entries.
 */
export function parseRedirectionConfig(value: unknown): RedirectionConfig | undefined {
  if (!isRecord(value) || !isTexts(value['topLevelDomains'])) return undefined
  const { environments, environmentVariables } = value
  const { prefixMappings } = recordOf(environmentVariables)
  if (!isRecord(prefixMappings) || !Object.values(prefixMappings).every(isText)) return undefined
  if (!Array.isArray(environments)) return undefined
  const parsed = environments.map(parseEnvironment)
  if (!parsed.every((environment) => environment !== undefined)) return undefined
  return {
    topLevelDomains: shorten(value['topLevelDomains']),
    environments: parsed.slice(0, LARGEST_LIST_LENGTH),
    environmentVariables: { prefixMappings: copy(shortenRecord(prefixMappings), String) },
  }
}

/** Finds the first other environment that the user belongs to, and checks that its authHost is trusted. */
export function judgeRedirection(
  config: RedirectionConfig,
  about: {
    claims: Claims
    clientId: string
    authHost: string
    /** URL of the page. */
    address: string
    allowedEnvironmentHosts: readonly string[]
  },
): RedirectionVerdict {
  const { claims, clientId } = about
  const current = findCurrent(config, about)
  // Once, not per rule: a token may contain thousands of audiences.
  const texts = new Map<string, ReadonlySet<string>>(CLAIMS.map((name) => [name, claimTexts(claims[name])]))
  const index = config.environments.findIndex(
    (environment) =>
      environment.applications.includes(clientId) &&
      environment.authHost !== current?.authHost &&
      Object.entries(environment.criteria).every(([name, values]) =>
        values.some((value) => texts.get(name)?.has(value)),
      ),
  )
  const environment = config.environments[index]
  if (!environment) return { type: 'stay', why: 'no rule matches this user' }
  const why = `rule ${index + 1} matches by ${Object.keys(environment.criteria).join(', ')}`
  if (!isTrustedHost(environment.authHost, config, about)) {
    return { type: 'stay', why: `${why}, and its authHost is not one this app may hand a session to` }
  }
  const redirectFrom = (from: string) => moveAddress(from, { config, current, environment })
  return { type: 'go', environment, why, redirectFrom }
}

/** Returns the current environment: the one with this authHost, else the first whose top-level domain the page has. */
function findCurrent(
  { environments }: RedirectionConfig,
  { authHost, address }: { authHost: string; address: string },
): RedirectionEnvironment | undefined {
  const host = hostOf(address)
  return (
    environments.find((environment) => environment.authHost === authHost) ??
    environments.find(({ topLevelDomain }) => host === topLevelDomain || host.endsWith(`.${topLevelDomain}`))
  )
}

/**
 * Moves a URL to another environment: replaces the top-level domain, and the first label of the host by `prefixMappings`.
 * Returns the URL unchanged on loopback, and if these rules do not apply to its host.
 */
function moveAddress(
  address: string,
  {
    config,
    current,
    environment,
  }: {
    config: RedirectionConfig
    current: RedirectionEnvironment | undefined
    environment: RedirectionEnvironment
  },
): string {
  const url = new URL(address)
  const host = hostOf(address)
  const target = environment.topLevelDomain
  if (isLoopback(host) || !TOP_LEVEL_DOMAIN.test(target)) return address
  const domains = [...(current ? [current.topLevelDomain] : []), ...config.topLevelDomains]
  const [name] = domains.flatMap((domain) => withoutDomain(host, domain))
  if (name === undefined) return address
  const [first, ...others] = name.split('.') as [string, ...string[]]
  const { prefixMappings } = config.environmentVariables
  // A single label is the registered domain: a mapped one would belong to another owner.
  const mapped = others.length > 0 && Object.hasOwn(prefixMappings, first) ? prefixMappings[first]! : first
  if (mapped !== first && !PREFIX.test(mapped)) return address
  const port = url.port && `:${url.port}`
  return `${url.protocol}//${[mapped, ...others, target].join('.')}${port}${address.slice(url.origin.length)}`
}

/** Returns the host name of a URL without a final dot, which means the same host. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/\.$/, '')

/**
 * Whether a host may receive a session. With `allowedEnvironmentHosts` it must be listed there. Without, it must be an https
 * origin without a port or IP address that differs from `authHost` only by an environment prefix and the top-level domain.
 */
export function isTrustedHost(
  target: string,
  config: Pick<RedirectionConfig, 'topLevelDomains' | 'environmentVariables'>,
  own: { authHost: string; allowedEnvironmentHosts: readonly string[] },
): boolean {
  if (parseOrigin(target) !== target) return false
  // The file cannot extend the app's own list.
  if (own.allowedEnvironmentHosts.length > 0) return own.allowedEnvironmentHosts.includes(target)
  const url = parseUrl(target)
  const ownUrl = parseUrl(own.authHost)
  if (!url || !ownUrl || url.protocol !== 'https:' || url.port || isAddress(url.hostname)) return false
  const domains = config.topLevelDomains
  const prefixes = [...new Set(Object.values(config.environmentVariables.prefixMappings))].filter((prefix) =>
    PREFIX.test(prefix),
  )
  const ownNames = new Set(namesOf(ownUrl.hostname, domains, prefixes))
  return namesOf(url.hostname, domains, prefixes).some((name) => ownNames.has(name))
}

// 'com' or 'co.uk', never a domain that can be registered: the file must not make evil.example a top-level domain.
const SECOND_LEVEL = '(?:co|com|org|net|gov|gob|ac|edu|or|ne|go)'
const TOP_LEVEL_DOMAIN = new RegExp(`^(?:${SECOND_LEVEL}\\.)?[a-z]{2,24}$`)
// At most one label: a prefix must not contain the registered domain.
const PREFIX = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const ENDS_IN_SECOND_LEVEL = new RegExp(`(?:^|\\.)${SECOND_LEVEL}$`)

/** Returns the names of a host without its top-level domain, with and without an environment prefix: 'auth.firm'. */
function namesOf(hostname: string, domains: readonly string[], prefixes: readonly string[]): string[] {
  const names = domains.flatMap((domain) => withoutDomain(hostname, domain))
  return names.flatMap((name) => [name, ...prefixes.flatMap((prefix) => withoutPrefix(name, prefix))])
}

/** Removes a top-level domain from a host. Returns none where that would split a domain: 'firm.co' of 'firm.co.uk'. */
function withoutDomain(hostname: string, domain: string): string[] {
  if (!TOP_LEVEL_DOMAIN.test(domain) || !hostname.endsWith(`.${domain}`)) return []
  const name = hostname.slice(0, -domain.length - 1)
  return ENDS_IN_SECOND_LEVEL.test(name) ? [] : [name]
}

function withoutPrefix(name: string, prefix: string): string[] {
  return ['-', '.']
    .filter((mark) => name.startsWith(prefix + mark))
    .map((mark) => name.slice(prefix.length + mark.length))
    .filter((base) => ownedLabel(base) === ownedLabel(name))
}

/** Returns the registered label: 'firm' in 'eu-auth.firm'. A prefix must not be part of it. */
const ownedLabel = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
}

function claimTexts(value: Claims[(typeof CLAIMS)[number]]): ReadonlySet<string> {
  return new Set(value === undefined ? [] : [value].flat().map(String))
}

function parseEnvironment(value: unknown): RedirectionEnvironment | undefined {
  if (!isRecord(value)) return undefined
  const { criteria, applications, authHost, topLevelDomain } = value
  // A rule without criteria would match every user.
  const isRule =
    isRecord(criteria) && Object.keys(criteria).length > 0 && Object.values(criteria).every(isTexts)
  if (!isRule || !isTexts(applications) || !isText(authHost) || !isText(topLevelDomain)) return undefined
  const origin = parseOrigin(authHost)
  if (!origin) return undefined
  return {
    criteria: copy(criteria, (values) => shorten(values as string[])),
    applications: shorten(applications),
    authHost: origin,
    topLevelDomain: topLevelDomain.toLowerCase(),
  }
}

// No prototype, so that a key such as __proto__ stays a key.
function copy<Value>(
  record: Record<string, unknown>,
  read: (value: unknown) => Value,
): Record<string, Value> {
  const onto = Object.create(null) as Record<string, Value>
  for (const [name, value] of Object.entries(record)) onto[name] = read(value)
  return onto
}
const shorten = (list: readonly string[]): string[] => [...new Set(list)].slice(0, LARGEST_LIST_LENGTH)
const shortenRecord = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).slice(0, LARGEST_LIST_LENGTH))
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LARGEST_TEXT_LENGTH
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
