// The administrator's consent for the cloud provider: status, grant in a popup, revocation.
import { readRecord, type ServerRecord } from '../protocol/answers.ts'
import { adminConsentPath, adminConsentStatusPath, checkDomain } from '../protocol/endpoints.ts'
import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { READ_DEFAULTS, writeMutation } from './defaults.ts'
import { authKeys } from './keys.ts'
import { type PopupOutcome, popupMutation } from './popups.ts'
import type { AuthMutation, AuthQuery } from './types.ts'

/** The response, unchecked: check its members before you trust them. */
export type AdminConsent = ServerRecord

/** The domain whose consent is read, granted or revoked. */
export interface ConsentRequest {
  /** Default: the domain that the server has for the firm. */
  domain?: string | undefined
}

const NAME = 'admin consent'

/**
 * Reads GET /cloudprovider/adminconsent/status, optionally for one `domain`.
 *
 * Errors: `invalid-argument` for an invalid domain, `not-authenticated`, `unexpected-status`, `rate-limited`, `unexpected-answer`, `network`, `offline`, `timeout`.
 *
 * @example
 * const consent = await queryClient.ensureQueryData(adminConsentQuery(auth))
 */
export function adminConsentQuery(auth: Auth, { domain }: ConsentRequest = {}): AuthQuery<AdminConsent> {
  return {
    ...READ_DEFAULTS,
    queryKey: authKeys.read<AdminConsent>(auth, NAME, ...(domain === undefined ? [] : [`of ${domain}`])),
    queryFn: async ({ signal }) => {
      const { settings, call } = internalsOf(auth)
      const path = adminConsentStatusPath(settings.clientId, domain)
      const answer = await call({ method: 'GET', path, signal })
      return readRecord('GET /cloudprovider/adminconsent/status', answer)
    },
  }
}

function readAgain(auth: Auth, client: QueryClient, isMeant: (queryHash: string) => boolean = () => true) {
  const predicate = ({ queryHash }: { queryHash: string }) => isMeant(queryHash)
  void client.invalidateQueries({ queryKey: authKeys.read(auth, NAME), predicate })
}

/**
 * Opens the page on which an administrator grants consent, then reads the status again. Call it in a click. Variables: `{ domain? }` or nothing.
 *
 * Errors: `popup-blocked`, `popup-closed`, `popup-timeout`, `invalid-argument`, and those of `adminConsentQuery`.
 */
export function grantAdminConsentMutation(
  auth: Auth,
): AuthMutation<PopupOutcome<AdminConsent>, ConsentRequest | void> {
  return popupMutation(auth, {
    name: 'grant admin consent',
    page: 'adminconsent',
    parameters: (request) => (request?.domain === undefined ? {} : { domain: checkDomain(request.domain) }),
    status: (request) => adminConsentQuery(auth, request ?? {}),
    // A grant may change the status of the firm and of every domain. The status of this request has just been read.
    clearUp: (client, request) => {
      const read = hashKey(adminConsentQuery(auth, request ?? {}).queryKey)
      readAgain(auth, client, (queryHash) => queryHash !== read)
    },
  })
}

/**
 * Revokes the consent: DELETE /cloudprovider/adminconsent, which must return 204. Variables: `{ domain? }` or nothing.
 *
 * Errors: `invalid-argument` for an invalid domain, `not-authenticated`, `unexpected-status` (also for 200), `rate-limited`, `network`, `offline`, `timeout`.
 */
export function revokeAdminConsentMutation(auth: Auth): AuthMutation<void, ConsentRequest | void> {
  const { settings, call } = internalsOf(auth)
  return writeMutation(auth, 'revoke admin consent', async (request, { client }) => {
    const path = adminConsentPath(settings.clientId, request?.domain)
    try {
      await call({ method: 'DELETE', path, expectedStatus: 204 })
    } finally {
      // Also after an error: the request may have reached the server.
      readAgain(auth, client)
    }
  })
}
