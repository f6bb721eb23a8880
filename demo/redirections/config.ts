// The redirections file of the demo: who belongs to another environment, and where that is.
import { FIRMS, type Environment } from '../seed.ts'

export type RedirectionConfig = ReturnType<typeof createRedirectionConfig>

/** One rule an environment: its firms belong to its server. */
export function createRedirectionConfig(options: {
  clientId: string
  authHosts: Readonly<Partial<Record<Environment, string>>>
}) {
  // The first environment whose criteria all fit a user is taken.
  const environments = Object.entries(options.authHosts).map(([environment, authHost]) => ({
    criteria: { firmId: FIRMS.filter((firm) => firm.environment === environment).map((firm) => firm.id) },
    applications: [options.clientId],
    authHost,
    topLevelDomain: topLevelDomain(authHost),
  }))
  return {
    topLevelDomains: [...new Set(environments.map((environment) => environment.topLevelDomain))],
    environments,
    environmentVariables: { prefixMappings: { eu: 'eu', us: 'us' } },
  }
}

/** On loopback there is none; the host itself stands in, and the app lists it in allowedEnvironmentHosts. */
function topLevelDomain(authHost: string): string {
  const { hostname } = new URL(authHost)
  return /^[\d.]+$/.test(hostname) ? hostname : hostname.slice(hostname.lastIndexOf('.') + 1)
}
