// An access token of the cloud provider, wrapped so that no cache, devtool or disk sees it (spec §7, contract §3).
import { readText } from '../protocol/answers.ts'
import type { Id } from '../protocol/claims.ts'
import { cloudAccessTokenPath } from '../protocol/endpoints.ts'
import { Secret } from '../protocol/secret.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { READ_DEFAULTS, SENSITIVE_META } from './defaults.ts'
import { authKeys } from './keys.ts'
import type { AuthQuery } from './types.ts'

/** Name of all reads of cloud access tokens. */
export const CLOUD_ACCESS_TOKEN = 'cloud access token'

/**
 * Reads GET /cloudprovider/accesstoken, or that of one account when an id is given. The data is a `Secret`: call
 * `reveal()` where it is used. It is gone as soon as nothing shows it.
 *
 * Errors: `invalid-argument` for an id that cannot stand in an address, `not-authenticated`, `unexpected-status`,
 * `rate-limited`, `unexpected-answer`, `network`, `offline`, `timeout`.
 *
 * @example
 * const token = await queryClient.fetchQuery(cloudAccessTokenQuery(auth))
 * await callCloud(token.reveal())
 */
export function cloudAccessTokenQuery(auth: Auth, id?: Id): AuthQuery<Secret> {
  return {
    ...READ_DEFAULTS,
    gcTime: 0,
    meta: SENSITIVE_META,
    queryKey: authKeys.read<Secret>(
      auth,
      CLOUD_ACCESS_TOKEN,
      ...(id === undefined ? [] : [`of account ${id}`]),
    ),
    queryFn: async ({ signal }) => {
      const path = cloudAccessTokenPath(id)
      const answer = await internalsOf(auth).call({ method: 'GET', path, signal })
      return new Secret(readText(`GET ${path}`, answer, 'access_token'))
    },
  }
}
