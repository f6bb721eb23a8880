'use client'
// The account at the cloud provider: reads it and its token; links, unlinks and confirms it in a popup.
import type { UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { ReadOptions, WriteOptions } from '../queries/types.ts'
import { useRead } from './useRead.ts'
import type { Id } from '../protocol/claims.ts'
import type { Secret } from '../protocol/secret.ts'
import {
  linkCloudAccountFlow,
  linkCloudAccountMutation,
  reauthenticateCloudAccountFlow,
  reauthenticateCloudAccountMutation,
  unlinkCloudAccountFlow,
  unlinkCloudAccountMutation,
  cloudAccessTokenQuery,
  type CloudUserInfo,
  cloudUserInfoQuery,
} from '../queries/cloudAccount.ts'
import type { PopupOutcome } from '../queries/popups.ts'
import { type PopupMutationResult, usePopupWrite } from './useWrite.ts'

/**
 * Reads GET /cloudprovider/userinfo for the signed-in user. Takes any TanStack query option.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { data: cloudUser } = useCloudUserInfo()
 */
export function useCloudUserInfo<Selected = CloudUserInfo>(
  options?: ReadOptions<CloudUserInfo, Selected>,
): UseQueryResult<Selected, AuthError> {
  return useRead(cloudUserInfoQuery, options)
}

/**
 * Reads an access token of the cloud provider: that of the user, or that of the account with this id. The data is a
 * `Secret`: `reveal()` returns the token. Takes any TanStack query option.
 *
 * @throws AuthError `no-provider`
 * @example
 * const { data: token } = useCloudAccessToken()
 * const copy = () => token && navigator.clipboard.writeText(token.reveal())
 */
export function useCloudAccessToken<Selected = Secret>(
  id?: Id,
  options?: ReadOptions<Secret, Selected>,
): UseQueryResult<Selected, AuthError> {
  return useRead((auth) => cloudAccessTokenQuery(auth, id), options)
}

/**
 * Links an account of the cloud provider in a popup. Call `mutate()` in a click. The data contains the account as the server
 * reports it afterwards.
 *
 * @throws AuthError `no-provider`
 * @example
 * const link = useLinkCloudAccount()
 * return <button onClick={() => link.mutate()}>Link my account</button>
 */
export function useLinkCloudAccount<OnMutate = unknown>(
  options?: WriteOptions<PopupOutcome<CloudUserInfo>, void, OnMutate>,
): PopupMutationResult<CloudUserInfo, void, OnMutate> {
  return usePopupWrite(linkCloudAccountFlow, linkCloudAccountMutation, options)
}

/**
 * Removes the link to the cloud provider in a popup. Call `mutate()` in a click.
 *
 * @throws AuthError `no-provider`
 * @example
 * useUnlinkCloudAccount().mutate()
 */
export function useUnlinkCloudAccount<OnMutate = unknown>(
  options?: WriteOptions<PopupOutcome<CloudUserInfo>, void, OnMutate>,
): PopupMutationResult<CloudUserInfo, void, OnMutate> {
  return usePopupWrite(unlinkCloudAccountFlow, unlinkCloudAccountMutation, options)
}

/**
 * Confirms the link to the cloud provider in a popup. The popup opens first, then its one-time nonce is fetched. Call
 * `mutate()` in a click.
 *
 * @throws AuthError `no-provider`
 * @example
 * useReauthenticateCloudAccount().mutate()
 */
export function useReauthenticateCloudAccount<OnMutate = unknown>(
  options?: WriteOptions<PopupOutcome<CloudUserInfo>, void, OnMutate>,
): PopupMutationResult<CloudUserInfo, void, OnMutate> {
  return usePopupWrite(reauthenticateCloudAccountFlow, reauthenticateCloudAccountMutation, options)
}
