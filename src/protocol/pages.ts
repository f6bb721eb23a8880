// Builds the URL of the logout page.
import type { Client } from './storageKeys.ts'

/** Returns the URL that ends the session at the server and redirects back with `state`. */
export function logoutUrl(
  { authHost, clientId }: Client,
  options: { isForced: boolean; returnUri: string; state: string | undefined },
): string {
  const query = new URLSearchParams({
    client_id: clientId,
    force: String(options.isForced),
    post_logout_redirect_uri: options.returnUri,
  })
  if (options.state !== undefined) query.set('state', options.state)
  return `${authHost}/oauth/logout?${query}`
}
