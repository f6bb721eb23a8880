// The user's account at the cloud provider: reads it and its access token; links, unlinks and re-authenticates it in a popup.
import { readRecord, readText, type ServerRecord } from '../protocol/answers.ts'
import type { Id } from '../protocol/claims.ts'
import { CLOUD_USER_INFO_PATH, cloudAccessTokenPath, REAUTHENTICATE_PATH } from '../protocol/endpoints.ts'
import { Secret } from '../protocol/secret.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { type AuthMutation, type AuthQuery, readQuery, SENSITIVE_META } from './defaults.ts'
import { authKeys } from './keys.ts'
import { type PopupFlow, popupMutation, type PopupOutcome } from './popups.ts'

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
