// Chooses the cloud provider of a firm.
import { assertWritten } from '../protocol/answers.ts'
import { firmPath } from '../protocol/endpoints.ts'
import { checkFirmUpdate, type FirmUpdate } from '../protocol/firm.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { WRITE_DEFAULTS } from './defaults.ts'
import { authKeys } from './keys.ts'
import type { AuthMutation } from './types.ts'
import { userInfoQuery } from './userInfo.ts'

/**
 * Writes PUT /api/firms/{id}. Variables: `{ id, cloudProviderId }`, where `id` is the firm. Afterwards the user info is read
 * again, because it may contain the firm.
 *
 * Errors: `cloud-provider-id-required` and `invalid-argument` before any request, `not-authenticated`,
 * `unexpected-status`, `rate-limited`, `unexpected-answer`, `network`, `offline`, `timeout`.
 */
export function updateFirmMutation(auth: Auth): AuthMutation<void, FirmUpdate> {
  return {
    ...WRITE_DEFAULTS,
    mutationKey: authKeys.action(auth, 'update firm'),
    mutationFn: async (update, { client }) => {
      const body = checkFirmUpdate(update)
      const path = firmPath(body.id)
      try {
        assertWritten(`PUT ${path}`, await internalsOf(auth).call({ method: 'PUT', path, body }))
      } finally {
        // Also after an error: the request may have reached the server.
        void client.invalidateQueries({ queryKey: userInfoQuery(auth).queryKey })
      }
    },
  }
}
