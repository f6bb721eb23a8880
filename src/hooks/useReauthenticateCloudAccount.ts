'use client'
// Re-authenticates the cloud account in a popup.
import {
  reauthenticateCloudAccountFlow,
  reauthenticateCloudAccountMutation,
} from '../queries/cloudAccount.ts'
import type { CloudUserInfo } from '../queries/cloudUserInfo.ts'
import { type PopupMutationResult, usePopupMutation } from './usePopupMutation.ts'

/**
 * Confirms the link to the cloud provider in a popup. The popup opens first, then its one-time nonce is fetched. Call
 * `mutate()` in a click.
 *
 * @throws AuthError `no-provider`
 * @example
 * useReauthenticateCloudAccount().mutate()
 */
export function useReauthenticateCloudAccount(): PopupMutationResult<CloudUserInfo, void> {
  return usePopupMutation(reauthenticateCloudAccountFlow, reauthenticateCloudAccountMutation)
}
