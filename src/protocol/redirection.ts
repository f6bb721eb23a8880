// Which environment a user belongs to, by the rules of the static redirections file (spec §3 "Redirection config", contract §4, §6).
import { isRecord, recordOf } from '../json.ts'
import type { Claims } from './claims.ts'
import { isLoopback } from './loopback.ts'
import { parseOrigin, parseUrl } from './origin.ts'

/** One environment and who belongs there. */
export interface RedirectionEnvironment {
  /** Claim to values: every claim named must have one of its values, compared as texts. */
  readonly criteria: Readonly<Record<string, readonly string[]>>
  /** Clients the rule is for. */
  readonly applications: readonly string[]
  /** Origin of its authorization server, where the session is handed on to. */
  readonly authHost: string
  /** Top-level domain of its apps: 'com'. */
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

/** What the rules say of one user: an environment to go to and the address to arrive at, or why there is none. */
export type RedirectionVerdict =
  | {
      readonly type: 'go'
      readonly environment: RedirectionEnvironment
      /** An address of the app, moved to that environment. */
      redirectFrom(address: string): string
      readonly why: string
    }
  | { readonly type: 'stay'; readonly why: string }

const CLAIMS = ['userId', 'firmId', 'sessionId', 'impersonatorId', 'aud'] as const
/** Longer lists are cut, so that a file of the allowed size cannot keep a page busy. */
const LARGEST_LIST_LENGTH = 100
const LARGEST_TEXT_LENGTH = 1000

/**
 * Reads the file by a strict schema; `undefined` when anything in it is not as it must be. Lists lose what they hold
 * twice, and what comes after their first 100 entries.
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

/** The first other environment that the user belongs to, if its address may be trusted with a session. */
export function judgeRedirection(
  config: RedirectionConfig,
  about: {
    claims: Claims
    clientId: string
    authHost: string
    /** Address of the page. */
    address: string
    allowedEnvironmentHosts: readonly string[]
  },
): RedirectionVerdict {
  const { claims, clientId, authHost } = about
  const current = findCurrent(config, about)
  // Read once, not for each rule: a token may name thousands of audiences.
  const texts = new Map<string, ReadonlySet<string>>(CLAIMS.map((name) => [name, claimTexts(claims[name])]))
  const index = config.environments.findIndex(
    (environment) =>
      environment.applications.includes(clientId) &&
      environment.authHost !== authHost &&
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

/** Where the user is now: the environment with our authHost, else the first whose top-level domain the page is under. */
function findCurrent(
  { environments }: RedirectionConfig,
  { authHost, address }: { authHost: string; address: string },
): RedirectionEnvironment | undefined {
  const host = hostOf(address)
  return (
    environments.find((environment) => environment.authHost === authHost) ??
    environments.find(({ topLevelDomain }) => host !== undefined && isUnder(host, topLevelDomain))
  )
}

/**
 * The same place in another environment: its top-level domain in place of ours, and the first label of the host as
 * `prefixMappings` says. The address itself on loopback, and where the host cannot be moved by these rules.
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
  const url = parseUrl(address)
  const host = hostOf(address)
  const target = environment.topLevelDomain
  if (!url || !host || isLoopback(host) || !TOP_LEVEL_DOMAIN.test(target)) return address
  const [name] = [current?.topLevelDomain, ...config.topLevelDomains].flatMap((domain) =>
    domain === undefined ? [] : withoutDomain(host, domain),
  )
  if (name === undefined) return address
  const [first = '', ...others] = name.split('.')
  const { prefixMappings } = config.environmentVariables
  // Alone it is the label that somebody owns: another one would be another owner's.
  const mapped = others.length > 0 && Object.hasOwn(prefixMappings, first) ? prefixMappings[first]! : first
  if (mapped !== first && !PREFIX.test(mapped)) return address
  const port = url.port && `:${url.port}`
  return `${url.protocol}//${[mapped, ...others, target].join('.')}${port}${address.slice(url.origin.length)}`
}

/** Host name of an address; a dot at its end means the same host. */
const hostOf = (address: string): string | undefined => parseUrl(address)?.hostname.replace(/\.$/, '')

const isUnder = (host: string, domain: string): boolean =>
  domain !== '' && (host === domain || host.endsWith(`.${domain}`))

/**
 * Whether a host stands in the app's own list or, where the app has none, differs from our own only in environment prefix
 * and top-level domain.
 * https, no user, no port, no IP address.
 */
export function isTrustedHost(
  target: string,
  config: Pick<RedirectionConfig, 'topLevelDomains' | 'environmentVariables'>,
  own: { authHost: string; allowedEnvironmentHosts: readonly string[] },
): boolean {
  if (parseOrigin(target) !== target) return false
  // Where the app names the hosts itself, the file cannot widen them.
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

// 'com' or 'co.uk', never a name that somebody can own: the file must not make evil.example a top-level domain.
const SECOND_LEVEL = '(?:co|com|org|net|gov|gob|ac|edu|or|ne|go)'
const TOP_LEVEL_DOMAIN = new RegExp(`^(?:${SECOND_LEVEL}\\.)?[a-z]{2,24}$`)
// One label or a part of one, never several: a prefix must not swallow the name that somebody owns.
const PREFIX = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const ENDS_IN_SECOND_LEVEL = new RegExp(`(?:^|\\.)${SECOND_LEVEL}$`)

/** What a host is called without its top-level domain, with and without an environment prefix: 'auth.firm'. */
function namesOf(hostname: string, domains: readonly string[], prefixes: readonly string[]): string[] {
  const names = domains.flatMap((domain) => withoutDomain(hostname, domain))
  return names.flatMap((name) => [name, ...prefixes.flatMap((prefix) => withoutPrefix(name, prefix))])
}

/** The host without a top-level domain that it is under; none where that would cut a domain in two: 'firm.co' of 'firm.co.uk'. */
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

/** The label that is registered: 'firm' in 'eu-auth.firm'. A prefix that is a part of it would make another owner of it. */
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
  // A rule without criteria would move everybody.
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

// Onto no prototype: a key such as __proto__ stays a key.
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
