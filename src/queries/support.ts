// Authorizes support access for a limited time.
import { SUPPORT_PATH } from '../protocol/endpoints.ts'
import {
  checkSupportRequest,
  readSupportAccess,
  type SupportAccess,
  type SupportRequest,
} from '../protocol/support.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { hideIn, inConfidence, secretMutation } from './hidden.ts'
import type { AuthMutation } from './types.ts'

/** Wraps the code in a `Secret`. */
export const hideRequestCode: (request: SupportRequest) => SupportRequest = (request) =>
  hideIn(request, 'requestCode')

/**
 * Authorizes support access: POST /support/authorization. Variables: `{ requestCode, duration }`, the duration in whole
 * minutes, 1 to 1440. The mutation shows the code as a `Secret`. Nothing is cached. Further errors: `invalid-argument` before
 * any request.
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
