// Authorizes support access for a limited time.
import { SUPPORT_PATH } from '../protocol/endpoints.ts'
import { Secret } from '../protocol/secret.ts'
import {
  checkSupportRequest,
  readSupportAccess,
  type SupportAccess,
  type SupportRequest,
} from '../protocol/support.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { inConfidence, secretMutation } from './hidden.ts'
import type { AuthMutation } from './types.ts'

/** Returns the request with its code wrapped in a `Secret`. */
export const hideRequestCode = (request: SupportRequest): SupportRequest =>
  typeof request.requestCode === 'string'
    ? { ...request, requestCode: new Secret(request.requestCode) }
    : request

/**
 * Authorizes support access: POST /support/authorization. Variables: `{ requestCode, duration }`, the duration in whole
 * minutes, 1 to 1440. The mutation shows the code as a `Secret`. Nothing is cached.
 *
 * Errors: `invalid-argument` before any request, `not-authenticated`, `unexpected-status`, `rate-limited`,
 * `unexpected-answer`, `network`, `offline`, `timeout`.
 */
export function authorizeSupportMutation(auth: Auth): AuthMutation<SupportAccess, SupportRequest> {
  const { settings, platform, call } = internalsOf(auth)
  return secretMutation(auth, 'authorize support', hideRequestCode, async (request) => {
    const { requestCode, duration } = checkSupportRequest(request)
    return inConfidence(requestCode, async () => {
      const body = { requestCode, duration, client_id: settings.clientId }
      const answer = await call({ method: 'POST', path: SUPPORT_PATH, body })
      return readSupportAccess(answer, { requestCode, duration, nowMs: platform.now() })
    })
  })
}
