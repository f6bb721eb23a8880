// The apps that may use the demo's authorization server, and their addresses.
import type { AdapterPayload } from 'oidc-provider'
import { isLoopback } from '../../src/protocol/origin.ts'
import { isOrigin } from './http.ts'

export interface Client {
  clientId: string
  /** Exact values; compared byte for byte. Pages of their origins may call the server, frame it and open its popups. */
  redirectUris: readonly string[]
}

export type Clients = ReturnType<typeof createClients>

/** With `anyLoopback`, every address of this computer is registered for every client: for apps whose port nobody knows yet. */
export function createClients({ anyLoopback = false }: { anyLoopback?: boolean } = {}) {
  const clients = new Map<string, readonly string[]>()

  const originsOf = (addresses: readonly string[]) => [
    ...new Set(addresses.map((address) => new URL(address).origin)),
  ]
  const appOrigins = (): string[] => originsOf([...clients.values()].flat())

  /** With `anyLoopback`: whether this is an address of this computer, which is registered unseen. */
  const isLoopbackApp = (address: string): boolean => {
    const url = anyLoopback ? URL.parse(address) : null
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && isLoopback(url.hostname)
  }

  return {
    register({ clientId, redirectUris }: Client): void {
      clients.set(clientId, [...(clients.get(clientId) ?? []), ...redirectUris])
    },
    find(clientId: string) {
      const redirectUris = clients.get(clientId)
      return redirectUris && { redirectUris, appOrigins: originsOf(redirectUris) }
    },
    /** A client as oidc-provider reads it. */
    metadata(clientId: string): AdapterPayload | undefined {
      const redirectUris = clients.get(clientId)
      return (
        redirectUris && {
          client_id: clientId,
          application_type: 'web',
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token', 'jti'],
          response_types: ['code'],
          redirect_uris: redirectUris,
        }
      )
    },
    isAppOrigin: (origin: string) =>
      appOrigins().includes(origin) || (isOrigin(origin) && isLoopbackApp(origin)),
    appOrigins,
    /** The same for a Content-Security-Policy. */
    appSources: () => [...appOrigins(), ...(anyLoopback ? ['http://localhost:*', 'http://127.0.0.1:*'] : [])],
    isLoopbackApp,
  }
}
