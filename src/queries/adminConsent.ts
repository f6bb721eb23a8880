// The administrator's consent for the cloud provider: status, grant in a popup, revocation.
import { readRecord, type ServerRecord } from '../protocol/answers.ts'
import { adminConsentPath, adminConsentStatusPath, checkDomain } from '../protocol/endpoints.ts'
import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { type AuthMutation, type AuthQuery, readQuery, writeMutation } from './defaults.ts'
import { authKeys } from './keys.ts'
import { type PopupOutcome, popupMutation } from './popups.ts'

/** The response, unchecked: check its members before you trust them. */
export type AdminConsent = ServerRecord

/** The domain whose consent is read, granted or revoked. */
export interface ConsentRequest {
  /** Default: the domain that the server has for the firm. */
  domain?: string | undefined
}

const NAME = 'admin consent'

/** The read of `useAdminConsent`. */
export function adminConsentQuery(auth: Auth, { domain }: ConsentRequest = {}): AuthQuery<AdminConsent> {
  const { clientId } = internalsOf(auth).settings
  const key = [NAME, ...(domain === undefined ? [] : [`of ${domain}`])] as const
  return readQuery(auth, key, () => adminConsentStatusPath(clientId, domain), readRecord)
}

function readAgain(auth: Auth, client: QueryClient, isMeant: (queryHash: string) => boolean = () => true) {
  const predicate = ({ queryHash }: { queryHash: string }) => isMeant(queryHash)
  void client.invalidateQueries({ queryKey: authKeys.read(auth, NAME), predicate })
}

/** The popup of `useGrantAdminConsent`. Call `mutate` in a click. */
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

/** The write of `useRevokeAdminConsent`. */
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
