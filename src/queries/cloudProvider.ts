// The cloud provider of a firm: the user's account there and its access token, the administrator's consent, the choice of a provider.
import { hashKey, type QueryClient } from '@tanstack/react-query'
import { cloudProviderIdRequired } from '../base/sessionErrors.ts'
import { assertWritten, readRecord, readText, type ServerRecord } from '../protocol/answers.ts'
import type { Id } from '../protocol/claims.ts'
import {
  adminConsentPath,
  adminConsentStatusPath,
  checkDomain,
  CLOUD_USER_INFO_PATH,
  cloudAccessTokenPath,
  firmPath,
  REAUTHENTICATE_PATH,
} from '../protocol/endpoints.ts'
import { Secret } from '../protocol/secret.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { type AuthMutation, type AuthQuery, readQuery, SENSITIVE_META, writeMutation } from './defaults.ts'
import { authKeys } from './keys.ts'
import { type PopupFlow, popupMutation, type PopupOutcome } from './popups.ts'
import { userInfoQuery } from './userInfo.ts'

/** The response, unchecked: check its members before you trust them. */
export type CloudUserInfo = ServerRecord

/** The read of `useCloudUserInfo`. */
export function cloudUserInfoQuery(auth: Auth): AuthQuery<CloudUserInfo> {
  return readQuery(auth, ['cloud user info'], () => CLOUD_USER_INFO_PATH, readRecord)
}

const CLOUD_ACCESS_TOKEN = 'cloud access token'

/**
 * The read of `useCloudAccessToken`. The data is a `Secret`: call `reveal()` where you use it.
 *
 * @example
 * const token = await queryClient.fetchQuery(cloudAccessTokenQuery(auth))
 * await callCloud(token.reveal())
 */
export function cloudAccessTokenQuery(auth: Auth, id?: Id): AuthQuery<Secret> {
  return readQuery(
    auth,
    [CLOUD_ACCESS_TOKEN, ...(id === undefined ? [] : [`of account ${id}`])],
    () => cloudAccessTokenPath(id),
    (what, answer) => new Secret(readText(what, answer, 'access_token')),
    { gcTime: 0, meta: SENSITIVE_META },
  )
}

type CloudAccountMutation = AuthMutation<PopupOutcome<CloudUserInfo>, void>

const accountPopup = (
  auth: Auth,
  flow: Pick<PopupFlow<void, CloudUserInfo>, 'name' | 'page' | 'fetchParameters'>,
): CloudAccountMutation =>
  popupMutation(auth, {
    ...flow,
    status: () => cloudUserInfoQuery(auth),
    // A token of the former account must not stay in the cache.
    clearUp: (client) => void client.resetQueries({ queryKey: authKeys.read(auth, CLOUD_ACCESS_TOKEN) }),
  })

/** The popup of `useLinkCloudAccount`. Call `mutate` in a click. */
export function linkCloudAccountMutation(auth: Auth): CloudAccountMutation {
  return accountPopup(auth, { name: 'link cloud account', page: 'link' })
}

/** The popup of `useUnlinkCloudAccount`. Call `mutate` in a click. */
export function unlinkCloudAccountMutation(auth: Auth): CloudAccountMutation {
  return accountPopup(auth, { name: 'unlink cloud account', page: 'unlink' })
}

/** The popup of `useReauthenticateCloudAccount`. Call `mutate` in a click. */
export function reauthenticateCloudAccountMutation(auth: Auth): CloudAccountMutation {
  return accountPopup(auth, {
    name: 'reauthenticate cloud account',
    page: 'reauthenticate',
    fetchParameters: async (signal) => {
      const answer = await internalsOf(auth).call({ method: 'GET', path: REAUTHENTICATE_PATH, signal })
      return { nonce: readText(`GET ${REAUTHENTICATE_PATH}`, answer, 'nonce') }
    },
  })
}

/** The response, unchecked: check its members before you trust them. */
export type AdminConsent = ServerRecord

/** The domain whose consent is read, granted or revoked. */
export interface ConsentRequest {
  /** Default: the domain that the server has for the firm. */
  domain?: string | undefined
}

const ADMIN_CONSENT = 'admin consent'

/** The read of `useAdminConsent`. */
export function adminConsentQuery(auth: Auth, { domain }: ConsentRequest = {}): AuthQuery<AdminConsent> {
  const { clientId } = internalsOf(auth).settings
  const key = [ADMIN_CONSENT, ...(domain === undefined ? [] : [`of ${domain}`])] as const
  return readQuery(auth, key, () => adminConsentStatusPath(clientId, domain), readRecord)
}

function readAgain(auth: Auth, client: QueryClient, isMeant: (queryHash: string) => boolean = () => true) {
  const predicate = ({ queryHash }: { queryHash: string }) => isMeant(queryHash)
  void client.invalidateQueries({ queryKey: authKeys.read(auth, ADMIN_CONSENT), predicate })
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

/** A change of a firm. */
export interface FirmUpdate {
  /** The id of the firm. */
  id: Id
  /** The id of its new cloud provider. */
  cloudProviderId: Id
}

/** Returns the body to send. @throws AuthError `cloud-provider-id-required` */
export function checkFirmUpdate({ id, cloudProviderId }: FirmUpdate): FirmUpdate {
  const isGiven =
    typeof cloudProviderId === 'number' ? Number.isFinite(cloudProviderId) : isText(cloudProviderId)
  if (!isGiven) throw cloudProviderIdRequired()
  return { id, cloudProviderId }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** The write of `useUpdateFirm`. */
export function updateFirmMutation(auth: Auth): AuthMutation<void, FirmUpdate> {
  return writeMutation(auth, 'update firm', async (update, { client }) => {
    const body = checkFirmUpdate(update)
    const path = firmPath(body.id)
    try {
      assertWritten(`PUT ${path}`, await internalsOf(auth).call({ method: 'PUT', path, body }))
    } finally {
      // Also after an error: the request may have reached the server.
      void client.invalidateQueries({ queryKey: userInfoQuery(auth).queryKey })
    }
  })
}
