// Decides by the static redirections file which environment a user belongs to.
import { isRecord, recordOf } from '../base/json.ts'
import type { Claims } from './claims.ts'
import type { Settings } from './config.ts'
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

/** The environment to redirect a user to, or why there is none. */
export type RedirectionVerdict =
  | {
      readonly type: 'go'
      readonly environment: RedirectionEnvironment
      /** Returns a URL of the app, moved to that environment. */
      redirectFrom(address: string): string
      readonly why: string
    }
  | { readonly type: 'stay'; readonly why: string }

/** The rules are compared with this. `address`: URL of the page. */
type Visit = Pick<Settings, 'authHost' | 'clientId' | 'allowedEnvironmentHosts'> & {
  readonly claims: Claims
  readonly address: string
}

const CLAIMS = ['userId', 'firmId', 'sessionId', 'impersonatorId', 'aud'] as const
/** Longer lists are cut, so that a file of the allowed size cannot block the page. */
const LARGEST_LIST_LENGTH = 100
const LARGEST_TEXT_LENGTH = 1000

/** `undefined` if anything is invalid. Lists lose duplicates, and entries after the first 100. */
export function parseRedirectionConfig(value: unknown): RedirectionConfig | undefined {
  const { topLevelDomains, environments, environmentVariables } = recordOf(value)
  const { prefixMappings } = recordOf(environmentVariables)
  if (!isTexts(topLevelDomains) || !Array.isArray(environments)) return undefined
  if (!isRecord(prefixMappings) || !Object.values(prefixMappings).every(isText)) return undefined
  const parsed = environments.map(parseEnvironment)
  if (!parsed.every((environment) => environment !== undefined)) return undefined
  return {
    topLevelDomains: shorten(topLevelDomains),
    environments: parsed.slice(0, LARGEST_LIST_LENGTH),
    environmentVariables: {
      prefixMappings: Object.fromEntries(
        Object.entries(prefixMappings as Record<string, string>).slice(0, LARGEST_LIST_LENGTH),
      ),
    },
  }
}

function parseEnvironment(value: unknown): RedirectionEnvironment | undefined {
  const { criteria, applications, authHost, topLevelDomain } = recordOf(value)
  const rules = Object.entries(recordOf(criteria))
  const origin = isText(authHost) ? parseOrigin(authHost) : undefined
  // A rule without criteria would match every user.
  const isRule = rules.length > 0 && rules.every(([, values]) => isTexts(values))
  if (!isRule || !isTexts(applications) || !origin || !isText(topLevelDomain)) return undefined
  return {
    criteria: Object.fromEntries(rules.map(([name, values]) => [name, shorten(values as string[])])),
    applications: shorten(applications),
    authHost: origin,
    topLevelDomain: topLevelDomain.toLowerCase(),
  }
}

/** Finds the first other environment of the user, and checks that its authHost is trusted. */
export function judgeRedirection(config: RedirectionConfig, visit: Visit): RedirectionVerdict {
  const { claims, clientId } = visit
  const current = findCurrent(config, visit)
  // Once, not per rule: a token may contain thousands of audiences.
  const texts = new Map<string, ReadonlySet<string>>(
    CLAIMS.map((name) => [name, new Set([claims[name] ?? []].flat().map(String))]),
  )
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
  if (!isTrustedHost(environment.authHost, config, visit))
    return { type: 'stay', why: `${why}, and its authHost is not one this app may hand a session to` }
  const redirectFrom = (from: string) => moveAddress(from, config, environment, current)
  return { type: 'go', environment, why, redirectFrom }
}

/** The current environment: the one with this authHost, else the first whose top-level domain the page has. */
function findCurrent({ environments }: RedirectionConfig, { authHost, address }: Visit) {
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
  { topLevelDomains, environmentVariables: { prefixMappings } }: RedirectionConfig,
  { topLevelDomain: target }: RedirectionEnvironment,
  current: RedirectionEnvironment | undefined,
): string {
  const { protocol, port, origin } = new URL(address)
  const host = hostOf(address)
  if (isLoopback(host) || !TOP_LEVEL_DOMAIN.test(target)) return address
  const domains = [...(current ? [current.topLevelDomain] : []), ...topLevelDomains]
  const [name] = domains.flatMap((domain) => withoutDomain(host, domain))
  if (name === undefined) return address
  const [first, ...others] = name.split('.') as [string, ...string[]]
  // A single label is the registered domain: a mapped one would belong to another owner.
  const mapped = others.length > 0 && Object.hasOwn(prefixMappings, first) ? prefixMappings[first]! : first
  if (mapped !== first && !PREFIX.test(mapped)) return address
  const moved = [mapped, ...others, target].join('.')
  return `${protocol}//${moved}${port && `:${port}`}${address.slice(origin.length)}`
}

/** The host name of a URL without a final dot, which means the same host. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/\.$/, '')

/**
 * Whether a host may receive a session. With `allowedEnvironmentHosts` it must be listed there. Without, it must be an https
 * origin without a port or IP address that differs from `authHost` only by an environment prefix and the top-level domain.
 */
export function isTrustedHost(
  target: string,
  config: Pick<RedirectionConfig, 'topLevelDomains' | 'environmentVariables'>,
  own: Pick<Visit, 'authHost' | 'allowedEnvironmentHosts'>,
): boolean {
  if (parseOrigin(target) !== target) return false
  // The file cannot extend the app's own list.
  if (own.allowedEnvironmentHosts.length > 0) return own.allowedEnvironmentHosts.includes(target)
  const [url, ownUrl] = [new URL(target), parseUrl(own.authHost)]
  const isIpAddress = /^\[|^[\d.]+$/.test(url.hostname)
  if (!ownUrl || url.protocol !== 'https:' || url.port || isIpAddress) return false
  const mapped = new Set(Object.values(config.environmentVariables.prefixMappings))
  const prefixes = [...mapped].filter((prefix) => PREFIX.test(prefix))
  const namesIn = ({ hostname }: URL) => namesOf(hostname, config.topLevelDomains, prefixes)
  const ownNames = new Set(namesIn(ownUrl))
  return namesIn(url).some((name) => ownNames.has(name))
}

// 'com' or 'co.uk', never a domain that can be registered: the file must not make evil.example a top-level domain.
const SECOND_LEVEL = '(?:co|com|org|net|gov|gob|ac|edu|or|ne|go)'
const TOP_LEVEL_DOMAIN = new RegExp(`^(?:${SECOND_LEVEL}\\.)?[a-z]{2,24}$`)
const ENDS_IN_SECOND_LEVEL = new RegExp(`(?:^|\\.)${SECOND_LEVEL}$`)
// At most one label: a prefix must not contain the registered domain.
const PREFIX = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** The names of a host without its top-level domain, with and without an environment prefix: 'auth.firm'. */
function namesOf(hostname: string, domains: readonly string[], prefixes: readonly string[]): string[] {
  const names = domains.flatMap((domain) => withoutDomain(hostname, domain))
  return names.flatMap((name) => [name, ...prefixes.flatMap((prefix) => withoutPrefix(name, prefix))])
}

/** Removes a top-level domain from a host; not if that would split a domain: 'firm.co' of 'firm.co.uk'. */
function withoutDomain(hostname: string, domain: string): string[] {
  if (!TOP_LEVEL_DOMAIN.test(domain) || !hostname.endsWith(`.${domain}`)) return []
  const name = hostname.slice(0, -domain.length - 1)
  return ENDS_IN_SECOND_LEVEL.test(name) ? [] : [name]
}

function withoutPrefix(name: string, prefix: string): string[] {
  return ['-', '.']
    .filter((mark) => name.startsWith(prefix + mark))
    .map((mark) => name.slice(prefix.length + mark.length))
    .filter((base) => registeredLabel(base) === registeredLabel(name))
}

/** 'firm' in 'eu-auth.firm'. A prefix must not be part of it. */
const registeredLabel = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

const shorten = (list: readonly string[]): string[] => [...new Set(list)].slice(0, LARGEST_LIST_LENGTH)
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LARGEST_TEXT_LENGTH
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
