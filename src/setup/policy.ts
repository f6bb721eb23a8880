// Reads a Content-Security-Policy and reports what latchkey lacks in it.
import { createHash } from 'node:crypto'
import type { Settings } from '../protocol/config.ts'

/** The sources of each directive. */
export type Policy = ReadonlyMap<string, readonly string[]>

/** The first of two directives with one name counts, as in a browser. */
export function readPolicy(text: string): Policy {
  const policy = new Map<string, readonly string[]>()
  for (const directive of text.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/)
    if (name !== '' && !policy.has(name.toLowerCase())) policy.set(name.toLowerCase(), sources)
  }
  return policy
}

/** The directives that a browser asks in turn where one is missing. */
const FALLBACKS: Readonly<Record<string, readonly string[]>> = {
  'script-src-elem': ['script-src-elem', 'script-src', 'default-src'],
  'frame-src': ['frame-src', 'child-src', 'default-src'],
  'connect-src': ['connect-src', 'default-src'],
}

/** The name and the sources that count for a directive; `undefined`: everything is allowed. */
function directiveOf(policy: Policy, name: string): { name: string; sources: readonly string[] } | undefined {
  const found = FALLBACKS[name]?.find((candidate) => policy.has(candidate))
  return found === undefined ? undefined : { name: found, sources: policy.get(found) ?? [] }
}

/** A host source: scheme, name with or without a wildcard, port. */
const HOST_SOURCE = /^(?:([a-z][\w+.-]*:)\/\/)?(\*|(?:\*\.)?[\w.-]+|\[::1\])(?::(\d+|\*))?(?:\/.*)?$/i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' }

/** Whether the sources name this origin. */
export function allows(sources: readonly string[], origin: string): boolean {
  const { protocol, hostname, port } = new URL(origin)
  return sources.some((written) => {
    const source = written.toLowerCase()
    if (source === '*' || source === protocol || (source === 'http:' && protocol === 'https:')) return true
    const [, scheme, name = '', wanted] = HOST_SOURCE.exec(source) ?? []
    const isScheme =
      scheme === undefined || scheme === protocol || (scheme === 'http:' && protocol === 'https:')
    const isName =
      name === '*' || name === hostname || (name.startsWith('*.') && hostname.endsWith(name.slice(1)))
    const isPort =
      wanted === '*' || (wanted === undefined ? port === '' : wanted === (port || DEFAULT_PORTS[protocol]))
    return isScheme && isName && isPort
  })
}

/** The source of an inline script in `script-src`, with its quotes. */
export const hashOf = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

const HASH_OR_NONCE = /^'(?:sha(?:256|384|512)|nonce)-/

/** Whether an inline script with one of these marks runs: a hash, or any nonce. */
function allowsInline(sources: readonly string[], hash: string, hasNonce: boolean): boolean {
  if (sources.includes(hash)) return true
  if (hasNonce && sources.some((source) => source.startsWith("'nonce-"))) return true
  // Beside a hash or a nonce, 'unsafe-inline' does not count.
  return sources.includes("'unsafe-inline'") && !sources.some((source) => HASH_OR_NONCE.test(source))
}

/** What a policy depends on. */
export interface PolicyNeeds extends Pick<Settings, 'allowedEnvironmentHosts'> {
  readonly server: Pick<Settings['server'], 'id' | 'authHost'>
}

/** The faults of a policy, each as one sentence with its fix. */
export function policyFaults(
  policy: Policy,
  { server, allowedEnvironmentHosts }: PolicyNeeds,
  { hashes, hasNonce }: { hashes: readonly string[]; hasNonce: boolean },
): string[] {
  const isOidc = server.authHost === undefined
  const origin = new URL(server.id).origin
  const faults: string[] = []
  const scripts = directiveOf(policy, 'script-src-elem')
  const missing = hashes.filter((hash) => scripts && !allowsInline(scripts.sources, hash, hasNonce))
  if (scripts && missing.length > 0)
    faults.push(`${scripts.name} needs ${missing.join(' ')} for the early script.`)
  const needs = (name: string, isAllowed: (sources: readonly string[]) => boolean, source: string) => {
    const found = directiveOf(policy, name)
    if (found && !isAllowed(found.sources))
      faults.push(`${found.name} lacks ${source}. Add it to ${name} of the app's policy.`)
  }
  needs('frame-src', (sources) => allows(sources, origin), origin)
  for (const one of [origin, ...allowedEnvironmentHosts])
    needs('connect-src', (sources) => allows(sources, one), one)
  // The hidden frame of an OpenID Connect provider ends at the app's own page.
  if (isOidc) {
    const hasOwn = (sources: readonly string[]) =>
      sources.some((source) => ["'self'", '*', 'https:', 'http:'].includes(source))
    needs('frame-src', hasOwn, "'self'")
    const ancestors = policy.get('frame-ancestors')
    if (ancestors?.includes("'none'"))
      faults.push("frame-ancestors is 'none', so the silent check cannot end at this page. Make it 'self'.")
  }
  return faults
}

const META = /<meta\b[^>]*http-equiv\s*=\s*["']?content-security-policy["']?[^>]*>/gi
const CONTENT = /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i

/** The policies in a page's own meta elements. */
export const pagePolicies = (html: string): string[] =>
  [...html.matchAll(META)].flatMap(([tag]) => {
    const [, double, single] = CONTENT.exec(tag) ?? []
    const content = double ?? single
    return content === undefined ? [] : [content.replaceAll('&#39;', "'").replaceAll('&quot;', '"')]
  })

/** The page whose own policy allows scripts with these hashes, where it does not yet. */
export function allowHashes(html: string, hashes: readonly string[], hasNonce: boolean): string {
  return html.replace(META, (tag) =>
    tag.replace(CONTENT, (whole, double: string | undefined, single: string | undefined) => {
      // Hashes hold single quotes, which would end an attribute of that kind.
      const content = double ?? (single ?? '').replaceAll('&#39;', "'")
      const scripts = directiveOf(readPolicy(content), 'script-src-elem')
      const missing = hashes.filter((hash) => scripts && !allowsInline(scripts.sources, hash, hasNonce))
      if (!scripts || missing.length === 0) return whole
      const sources = [...scripts.sources.filter((source) => source !== "'none'"), ...missing].join(' ')
      const isOwn = scripts.name !== 'default-src'
      const name = isOwn ? scripts.name : 'script-src'
      const kept = content
        .split(';')
        .filter((directive) => directive.trim() !== '' && directiveName(directive) !== (isOwn ? name : ''))
      return `content="${[...kept, ` ${name} ${sources}`].join(';').trim()}"`
    }),
  )
}

const directiveName = (directive: string) => directive.trim().split(/\s+/)[0]?.toLowerCase()
