// Builds the URL of the logout page, and the REST paths below authHost, with every piece encoded.
import { invalidArgument } from '../base/sessionErrors.ts'
import type { Id } from './claims.ts'
import type { LogoutRequest } from './servers/profile.ts'
import type { Client } from './storageKeys.ts'

export const USER_INFO_PATH = '/api/userinfo'
export const CLOUD_USER_INFO_PATH = '/cloudprovider/userinfo'
export const REAUTHENTICATE_PATH = '/cloudprovider/reauthenticate/link'
export const SUPPORT_PATH = '/support/authorization'
export const TOKEN_PATH = '/oauth/token'

/** PUT: the settings of one firm. @throws AuthError `invalid-argument` */
export const firmPath = (id: Id): string => `/api/firms/${piece(id, 'id')}`

/** GET: an access token of the cloud provider. @throws AuthError `invalid-argument` */
export const cloudAccessTokenPath = (id?: Id): string =>
  `/cloudprovider/accesstoken${id === undefined ? '' : `/${piece(id, 'id')}`}`

/** GET: whether the administrator has consented. @throws AuthError `invalid-argument` */
export const adminConsentStatusPath = (clientId: string, domain?: string): string =>
  `/cloudprovider/adminconsent/status?${consentQuery(clientId, domain)}`

/** DELETE: revokes the administrator's consent. @throws AuthError `invalid-argument` */
export const adminConsentPath = (clientId: string, domain?: string): string =>
  `/cloudprovider/adminconsent?${consentQuery(clientId, domain)}`

const consentQuery = (clientId: string, domain: string | undefined) =>
  new URLSearchParams({ client_id: clientId, ...(domain !== undefined && { domain: checkDomain(domain) }) })

export function linkMapPath(clientId: string, options: { allUsers?: boolean | undefined } = {}): string {
  const query = new URLSearchParams({ client_id: clientId, ...(options.allUsers && { allUsers: 'true' }) })
  return `/cloudprovider/linkmap?${query}`
}

/** Encodes one piece of a path. Refuses `.` and `..`, which browsers resolve even when they are encoded. */
function piece(value: unknown, name: string): string {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  // A lone surrogate cannot be encoded.
  const isPiece =
    typeof text === 'string' && /^[^\p{Cc}\p{Surrogate}]{1,500}$/u.test(text) && !/^\.{1,2}$/.test(text)
  if (isPiece) return encodeURIComponent(text)
  throw invalidArgument(`${name} cannot stand in an address`, `Pass the ${name} as the server gave it.`)
}

/** Returns the domain if consent can be given for it. @throws AuthError `invalid-argument` */
export function checkDomain(domain: unknown): string {
  const isDomain = typeof domain === 'string' && /^[^\s/\\?#@:%\u0000-\u001f]{1,253}$/.test(domain)
  if (!isDomain) throw invalidArgument('domain is not a domain name', 'Pass a name like firm.example.')
  return domain
}

/** Returns the URL that ends the session at the server and redirects back with `state`. */
export function logoutUrl(
  { authHost, clientId }: Client,
  { isForced, returnUri, state }: LogoutRequest,
): string {
  const query = new URLSearchParams({
    client_id: clientId,
    force: String(isForced),
    post_logout_redirect_uri: returnUri,
    ...(state !== undefined && { state }),
  })
  return `${authHost}/oauth/logout?${query}`
}
