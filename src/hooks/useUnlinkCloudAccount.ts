'use client'
// Unlinks the cloud account in a popup.
import { unlinkCloudAccountFlow, unlinkCloudAccountMutation } from '../queries/cloudAccount.ts'
import type { CloudUserInfo } from '../queries/cloudUserInfo.ts'
import { type PopupMutationResult, usePopupMutation } from './usePopupMutation.ts'

/**
 * Removes the link to the cloud provider in a popup. Call `mutate()` in a click.
 *
 * @throws AuthError `no-provider`
 * @example
 * useUnlinkCloudAccount().mutate()
 */
export function useUnlinkCloudAccount(): PopupMutationResult<CloudUserInfo, void> {
  return usePopupMutation(unlinkCloudAccountFlow, unlinkCloudAccountMutation)
}
