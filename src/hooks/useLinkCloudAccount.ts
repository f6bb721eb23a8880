'use client'
// Links the cloud account in a popup.
import { linkCloudAccountFlow, linkCloudAccountMutation } from '../queries/cloudAccount.ts'
import type { CloudUserInfo } from '../queries/cloudUserInfo.ts'
import { type PopupMutationResult, usePopupMutation } from './usePopupMutation.ts'

/**
 * Links an account of the cloud provider in a popup. Call `mutate()` in a click. The data contains the account as the server
 * reports it afterwards.
 *
 * @throws AuthError `no-provider`
 * @example
 * const link = useLinkCloudAccount()
 * return <button onClick={() => link.mutate()}>Link my account</button>
 */
export function useLinkCloudAccount(): PopupMutationResult<CloudUserInfo, void> {
  return usePopupMutation(linkCloudAccountFlow, linkCloudAccountMutation)
}
