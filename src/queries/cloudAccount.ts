// Linking, unlinking and re-authenticating the user's account at the cloud provider, each in a popup.
import type { QueryClient } from '@tanstack/react-query'
import { readText } from '../protocol/answers.ts'
import { REAUTHENTICATE_PATH } from '../protocol/endpoints.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { CLOUD_ACCESS_TOKEN } from './cloudAccessToken.ts'
import { type CloudUserInfo, cloudUserInfoQuery } from './cloudUserInfo.ts'
import { authKeys } from './keys.ts'
import { type PopupFlow, popupMutation, type PopupOutcome } from './popups.ts'
import type { AuthMutation } from './types.ts'

type CloudAccountFlow = PopupFlow<void, CloudUserInfo>
type CloudAccountMutation = AuthMutation<PopupOutcome<CloudUserInfo>, void>

const common = (auth: Auth) => ({
  status: () => cloudUserInfoQuery(auth),
  // A token of the former account must not stay in the cache.
  clearUp: (client: QueryClient) =>
    void client.resetQueries({ queryKey: authKeys.read(auth, CLOUD_ACCESS_TOKEN) }),
})

/** The popup in which the account is linked. */
export const linkCloudAccountFlow = (auth: Auth): CloudAccountFlow => ({
  ...common(auth),
  name: 'link cloud account',
  page: 'link',
})

/** The popup in which the link is removed. */
export const unlinkCloudAccountFlow = (auth: Auth): CloudAccountFlow => ({
  ...common(auth),
  name: 'unlink cloud account',
  page: 'unlink',
})

/** The popup in which the link is confirmed. It opens before the one-time nonce is fetched. */
export const reauthenticateCloudAccountFlow = (auth: Auth): CloudAccountFlow => ({
  ...common(auth),
  name: 'reauthenticate cloud account',
  page: 'reauthenticate',
  fetchParameters: async (signal) => {
    const answer = await internalsOf(auth).call({ method: 'GET', path: REAUTHENTICATE_PATH, signal })
    return { nonce: readText(`GET ${REAUTHENTICATE_PATH}`, answer, 'nonce') }
  },
})

/**
 * Opens the page on which the user links an account of the cloud provider, then reads the account again. Call it in a
 * click.
 *
 * Errors: `popup-blocked`, `popup-closed`, `popup-timeout`, and those of `cloudUserInfoQuery`.
 */
export function linkCloudAccountMutation(auth: Auth): CloudAccountMutation {
  return popupMutation(auth, linkCloudAccountFlow(auth))
}

/**
 * Opens the page on which the user removes the link, then reads the account again. Call it in a click.
 *
 * Errors: `popup-blocked`, `popup-closed`, `popup-timeout`, and those of `cloudUserInfoQuery`.
 */
export function unlinkCloudAccountMutation(auth: Auth): CloudAccountMutation {
  return popupMutation(auth, unlinkCloudAccountFlow(auth))
}

/**
 * Opens a popup, fetches a one-time nonce, and loads the page on which the user confirms the link. Then reads the account
 * again. Call it in a click.
 *
 * Errors: `popup-blocked`, `popup-closed`, `popup-timeout`, those of the request for the nonce, and those of
 * `cloudUserInfoQuery`.
 */
export function reauthenticateCloudAccountMutation(auth: Auth): CloudAccountMutation {
  return popupMutation(auth, reauthenticateCloudAccountFlow(auth))
}
