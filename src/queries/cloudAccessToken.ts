// Reads an access token of the cloud provider, wrapped so that no cache, devtools or persister shows it.
import { readText } from '../protocol/answers.ts'
import type { Id } from '../protocol/claims.ts'
import { cloudAccessTokenPath } from '../protocol/endpoints.ts'
import { Secret } from '../protocol/secret.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { READ_DEFAULTS, SENSITIVE_META } from './defaults.ts'
import { authKeys } from './keys.ts'
import type { AuthQuery } from './types.ts'

/** Name of the queries for cloud access tokens. */
export const CLOUD_ACCESS_TOKEN = 'cloud access token'

/**
 * Reads GET /cloudprovider/accesstoken, optionally for the account with an id. The data is a `Secret`: call `reveal()` where
 * you use it. It is removed from the cache as soon as no component uses it.
 *
 * Errors: `invalid-argument` for an id that cannot be part of a URL, `not-authenticated`, `unexpected-status`,
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
