// The apps that may use the demo's authorization server: their addresses, and what each has to prove.
import { isLoopback } from '../../src/protocol/origin.ts'
import { isOrigin } from './http.ts'

export interface ClientRegistration {
  clientId: string
  /** Exact values; compared byte for byte. */
  redirectUris: readonly string[]
  /** Origins whose pages may call the server, frame it and open its popups. */
  appOrigins?: readonly string[]
  /** Further exact addresses that may follow a logout; the redirect URIs always may. */
  postLogoutRedirectUris?: readonly string[]
  /** Off for other libraries that are measured side by side and do not repeat the verifier. */
  verifierOnRefresh?: boolean
}

export type Clients = ReturnType<typeof createClients>

/** With `anyLoopback`, every address of this computer is registered for every client: for apps whose port nobody knows yet. */
export function createClients({ anyLoopback = false }: { anyLoopback?: boolean } = {}) {
  const clients = new Map<string, Required<ClientRegistration>>()

  const appOrigins = (): string[] => [
    ...new Set([...clients.values()].flatMap((client) => client.appOrigins)),
  ]

  /** With `anyLoopback`: whether this is an address of this computer, which is registered unseen. */
  const isLoopbackApp = (address: string): boolean => {
    const url = anyLoopback ? URL.parse(address) : null
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && isLoopback(url.hostname)
  }

  return {
    register(client: ClientRegistration): void {
      const known = clients.get(client.clientId)
      const redirectUris = unique(known?.redirectUris, client.redirectUris)
      const origins = client.appOrigins ?? client.redirectUris.map((uri) => new URL(uri).origin)
      const refused = origins.find((origin) => !isOrigin(origin))
      if (refused !== undefined) throw new TypeError(`not an origin (scheme, host and port only): ${refused}`)
      clients.set(client.clientId, {
        clientId: client.clientId,
        redirectUris,
        appOrigins: unique(known?.appOrigins, origins),
        postLogoutRedirectUris: unique(known?.postLogoutRedirectUris, [
          ...client.redirectUris,
          ...(client.postLogoutRedirectUris ?? []),
        ]),
        verifierOnRefresh: client.verifierOnRefresh ?? true,
      })
    },
    find: (clientId: string) => clients.get(clientId),
    metadata(clientId: string) {
      const client = clients.get(clientId)
      return (
        client && {
          client_id: clientId,
          application_type: 'web',
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token', 'jti'],
          response_types: ['code'],
          redirect_uris: client.redirectUris,
          post_logout_redirect_uris: client.postLogoutRedirectUris,
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

const unique = (known: readonly string[] | undefined, added: readonly string[]): string[] => [
  ...new Set([...(known ?? []), ...added]),
]
