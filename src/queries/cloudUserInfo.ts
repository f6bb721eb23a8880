// Reads the linked account at the cloud provider.
import { readRecord, type ServerRecord } from '../protocol/answers.ts'
import { CLOUD_USER_INFO_PATH } from '../protocol/endpoints.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { READ_DEFAULTS } from './defaults.ts'
import { authKeys } from './keys.ts'
import type { AuthQuery } from './types.ts'

/** The response, unchecked: check its members before you trust them. */
export type CloudUserInfo = ServerRecord

/**
 * Reads GET /cloudprovider/userinfo.
 *
 * Errors: `not-authenticated`, `unexpected-status`, `rate-limited`, `unexpected-answer`, `network`, `offline`, `timeout`.
 *
 * @example
 * const cloudUser = await queryClient.ensureQueryData(cloudUserInfoQuery(auth))
 */
export function cloudUserInfoQuery(auth: Auth): AuthQuery<CloudUserInfo> {
  return {
    ...READ_DEFAULTS,
    queryKey: authKeys.read<CloudUserInfo>(auth, 'cloud user info'),
    queryFn: async ({ signal }) => {
      const answer = await internalsOf(auth).call({ method: 'GET', path: CLOUD_USER_INFO_PATH, signal })
      return readRecord(`GET ${CLOUD_USER_INFO_PATH}`, answer)
    },
  }
}
