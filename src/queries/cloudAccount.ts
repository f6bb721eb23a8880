// Linking, unlinking and re-authenticating the user's account at the cloud provider, each in a popup (spec §2, §7).
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
  // A token of the account as it was must not stay in sight.
  clearUp: (client: QueryClient) =>
    void client.resetQueries({ queryKey: authKeys.read(auth, CLOUD_ACCESS_TOKEN) }),
})

/** The popup in which the account is linked. */
export const linkCloudAccountFlow = (auth: Auth): CloudAccountFlow => ({
  ...common(auth),
  name: 'link cloud account',
  page: 'link',
})

/** The popup in which the link is undone. */
export const unlinkCloudAccountFlow = (auth: Auth): CloudAccountFlow => ({
  ...common(auth),
  name: 'unlink cloud account',
  page: 'unlink',
})

/** The popup in which the link is confirmed; it opens before the one-time nonce has been fetched. */
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
 * Opens the page on which the user links an account of the cloud provider, and reads the account again when the page is
 * done. Start it in a click.
 *
 * Errors: `popup-blocked`, `popup-closed`, `popup-timeout`, and those of `cloudUserInfoQuery`.
 */
export function linkCloudAccountMutation(auth: Auth): CloudAccountMutation {
  return popupMutation(auth, linkCloudAccountFlow(auth))
}

/**
 * Opens the page on which the user undoes the link, and reads the account again when the page is done. Start it in a
 * click.
 *
 * Errors: `popup-blocked`, `popup-closed`, `popup-timeout`, and those of `cloudUserInfoQuery`.
 */
export function unlinkCloudAccountMutation(auth: Auth): CloudAccountMutation {
  return popupMutation(auth, unlinkCloudAccountFlow(auth))
}

/**
 * Opens a window at once, fetches a one-time nonce, sends the window to the page on which the user confirms the link, and
 * reads the account again when the page is done. Start it in a click.
 *
 * Errors: `popup-blocked`, `popup-closed`, `popup-timeout`, those of the nonce's fetch, and those of
 * `cloudUserInfoQuery`.
 */
export function reauthenticateCloudAccountMutation(auth: Auth): CloudAccountMutation {
  return popupMutation(auth, reauthenticateCloudAccountFlow(auth))
}
