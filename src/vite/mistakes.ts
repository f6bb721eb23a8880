// Finds setup mistakes that can be seen before the app runs: in the config, Vite's headers, the page.
import type { Settings } from '../protocol/config.ts'
import { isLoopback } from '../protocol/origin.ts'
import { pagePolicies, policyFaults, readPolicy } from '../setup/policy.ts'

export interface SetUp {
  readonly settings: Settings
  /** Vite's `base`. */
  readonly base: string
  /** Headers that Vite sends with the page, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly hashes: readonly string[]
  readonly hasNonce: boolean
}

/** Mistakes of config and headers. */
export function setUpFaults({ settings, base, headers, ...scripts }: SetUp): string[] {
  const { redirectUri, server } = settings
  const faults: string[] = []
  const isPath = base.startsWith('/') && base !== '/'
  if (isPath && redirectUri === undefined)
    faults.push(
      `The app is served below ${base}, but redirectUri is the page's origin and '/'. Set redirectUri to the app's own address.`,
    )
  if (isPath && redirectUri !== undefined && !new URL(redirectUri).pathname.startsWith(base))
    faults.push(`redirectUri ${redirectUri} is not below base ${base}: no sign-in comes back to this app.`)
  faults.push(...headerFaults({ settings, headers, ...scripts }))
  if (headers['cross-origin-opener-policy']?.trim() === 'same-origin')
    faults.push(
      'Cross-Origin-Opener-Policy is same-origin: a window cannot be watched. Send same-origin-allow-popups.',
    )
  const frames = headers['x-frame-options']?.trim().toUpperCase()
  if (server.authHost === undefined && frames === 'DENY')
    faults.push(
      'X-Frame-Options is DENY, so the silent check cannot end at this page. Send frame-ancestors of a policy instead.',
    )
  return faults
}

/** Mistakes in the CSP that Vite sends. */
export function headerFaults({ settings, headers, ...scripts }: Omit<SetUp, 'base'>): string[] {
  const policy = headers['content-security-policy']
  return policy === undefined ? [] : policyFaults(readPolicy(policy), settings, scripts)
}

/** Mistakes in the page itself, before the plugin adds anything. */
export function pageFaults(html: string, { settings, hashes, hasNonce }: SetUp): string[] {
  const faults = pagePolicies(html).flatMap((text) =>
    // Its hashes are added to a policy in the page.
    policyFaults(readPolicy(text), settings, { hashes: [], hasNonce }),
  )
  if (/<script\b[^>]*\bdata-(?:auth-host|issuer)=/i.test(html) && hashes.length > 0)
    faults.push('The page has an early script of its own. Take it out: the plugin puts one in.')
  return faults
}

/** Mistakes that depend on where the app is served. */
export function addressFaults({ redirectUri }: Settings, origins: readonly string[]): string[] {
  if (redirectUri === undefined) return []
  const { origin, hostname, host } = new URL(redirectUri)
  // With another origin it is the redirect URI of the deployed app.
  const isOfApp = !isLoopback(hostname) || origins.some((one) => new URL(one).origin === origin)
  if (isOfApp || origins.length === 0) return []
  return [
    `redirectUri is at ${host}, and the app at ${origins[0]}: no sign-in comes back to this page. Use one address in both, with server.port and server.strictPort.`,
  ]
}
