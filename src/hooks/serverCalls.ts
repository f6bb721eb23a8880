'use client'
// The hooks of the server's calls: each binds a factory of queries/ to the auth object. Outside an `AuthProvider` they throw `no-provider`.
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type { AuthError } from '../base/errors.ts'
import type { Id } from '../protocol/claims.ts'
import type { LinkMap, LinkedEntry } from '../protocol/linkMap.ts'
import type { RedirectionConfig } from '../protocol/redirection.ts'
import type { Secret } from '../protocol/secret.ts'
import type { SupportAccess, SupportRequest } from '../protocol/support.ts'
import { useAuthObject } from '../provider/context.ts'
import {
  type AdminConsent,
  type ConsentRequest,
  adminConsentQuery,
  grantAdminConsentMutation,
  revokeAdminConsentMutation,
} from '../queries/adminConsent.ts'
import {
  type AssertionRequest,
  type ExchangedToken,
  exchangeAssertionMutation,
  hideAssertion,
  authorizeSupportMutation,
  hideRequestCode,
} from '../queries/secretCalls.ts'
import { type PasswordRequest, changePasswordMutation } from '../queries/changePassword.ts'
import {
  type CloudUserInfo,
  cloudAccessTokenQuery,
  cloudUserInfoQuery,
  linkCloudAccountMutation,
  reauthenticateCloudAccountMutation,
  unlinkCloudAccountMutation,
} from '../queries/cloudAccount.ts'
import { type FirmUpdate, updateFirmMutation } from '../queries/firm.ts'
import {
  type LinkMapOptions,
  type SaveLinkMapOptions,
  type ShownLinkMap,
  linkMapQuery,
  saveLinkMapMutation,
} from '../queries/linkMap.ts'
import { selectWithVersion } from '../queries/linkMapVersion.ts'
import {
  type PassthroughOptions,
  type PassthroughRequest,
  passthroughMutation,
} from '../queries/passthrough.ts'
import { redirectionConfigQuery } from '../queries/redirectionConfig.ts'
import type { ReadOptions, WriteOptions } from '../queries/types.ts'
import { type UserInfo, type UserInfoOptions, userInfoQuery } from '../queries/userInfo.ts'
import { type ReadHook, useRead } from './useRead.ts'
import { type PopupHook, usePopupWrite, usePreparedWrite, useWrite, type WriteHook } from './useWrite.ts'

/**
 * Reads GET /api/userinfo. A response with another `userId` than the access token is an error unless `allowOtherUser` is set.
 *
 * @example
 * const { data } = useUserInfo({ select: (userInfo) => userInfo.name })
 */
export const useUserInfo: ReadHook<UserInfo, UserInfoOptions> = (options) =>
  useRead((auth) => userInfoQuery(auth, options), options)

/**
 * Reads GET /cloudprovider/userinfo.
 *
 * @example
 * const { data: cloudUser } = useCloudUserInfo()
 */
export const useCloudUserInfo: ReadHook<CloudUserInfo> = (options) => useRead(cloudUserInfoQuery, options)

/**
 * Reads the user's access token of the cloud provider, or that of the account with this id. `reveal()` returns it.
 *
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
 * Links an account of the cloud provider in a popup. The data contains the account as the server reports it afterwards.
 *
 * @example
 * const link = useLinkCloudAccount()
 * return <button onClick={() => link.mutate()}>Link my account</button>
 */
export const useLinkCloudAccount: PopupHook<CloudUserInfo, void> = (options) =>
  usePopupWrite(linkCloudAccountMutation, options)

/**
 * Removes the link to the cloud provider in a popup.
 *
 * @example
 * useUnlinkCloudAccount().mutate()
 */
export const useUnlinkCloudAccount: PopupHook<CloudUserInfo, void> = (options) =>
  usePopupWrite(unlinkCloudAccountMutation, options)

/**
 * Confirms the link to the cloud provider in a popup, with a one-time nonce that is fetched once the popup is open.
 *
 * @example
 * useReauthenticateCloudAccount().mutate()
 */
export const useReauthenticateCloudAccount: PopupHook<CloudUserInfo, void> = (options) =>
  usePopupWrite(reauthenticateCloudAccountMutation, options)

/**
 * Reads the status of the administrator's consent, optionally for one `domain`.
 *
 * @example
 * const { data: consent } = useAdminConsent()
 */
export const useAdminConsent: ReadHook<AdminConsent, ConsentRequest> = (options) =>
  useRead((auth) => adminConsentQuery(auth, options), options)

/**
 * Grants the administrator's consent in a popup. Variables: `{ domain? }` or nothing.
 *
 * @example
 * useGrantAdminConsent().mutate({ domain: 'firm.example' })
 */
export const useGrantAdminConsent: PopupHook<AdminConsent, ConsentRequest | void> = (options) =>
  usePopupWrite(grantAdminConsentMutation, options)

/**
 * Revokes the administrator's consent. Variables: `{ domain? }` or nothing.
 *
 * @example
 * useRevokeAdminConsent().mutate()
 */
export const useRevokeAdminConsent: WriteHook<void, ConsentRequest | void> = (options) =>
  useWrite(revokeAdminConsentMutation, options)

/**
 * Reads the link map of the user's firm; with `allUsers`, also users without a link.
 *
 * @example
 * const { data: linkMap } = useLinkMap({ allUsers: true })
 */
export const useLinkMap: ReadHook<LinkMap, LinkMapOptions> = (options) =>
  useRead((auth) => linkMapQuery(auth, options), {
    ...options,
    ...(options?.select && { select: selectWithVersion(options.select) }),
  })

/**
 * Replaces the whole link map of the user's firm. The cached map changes at once. Variables: the entries. If someone else
 * has changed the map since it was read, the mutation fails with `conflict` and overwrites nothing.
 *
 * @example
 * useSaveLinkMap().mutate([{ internalUser: 'anna', externalUser: { id: 'cloud-7' } }])
 */
export function useSaveLinkMap<OnMutate = readonly ShownLinkMap[]>({
  base,
  onMutate,
  ...options
}: SaveLinkMapOptions & WriteOptions<void, readonly LinkedEntry[], OnMutate> = {}): UseMutationResult<
  void,
  AuthError,
  readonly LinkedEntry[],
  OnMutate
> {
  const save = saveLinkMapMutation(useAuthObject(), { base })
  return useWrite<void, readonly LinkedEntry[], OnMutate>(() => save, {
    ...options,
    // The app's own comes after the one that changes the cached map.
    onMutate: async (...given) => {
      const shown = await save.onMutate?.(...given)
      return onMutate ? onMutate(...given) : (shown as OnMutate)
    },
  })
}

/**
 * Chooses the cloud provider of a firm. Variables: `{ id, cloudProviderId }`, where `id` is the firm.
 *
 * @example
 * useUpdateFirm().mutate({ id: 'firm-1', cloudProviderId: 'cumulus' })
 */
export const useUpdateFirm: WriteHook<void, FirmUpdate> = (options) => useWrite(updateFirmMutation, options)

/**
 * Authorizes support access for a limited time. Variables: `{ requestCode, duration }`, the duration in whole minutes, 1 to
 * 1440. The code is wrapped in a `Secret` before TanStack Query receives it.
 *
 * @example
 * useAuthorizeSupport().mutate({ requestCode, duration: 60 })
 */
export const useAuthorizeSupport: WriteHook<SupportAccess, SupportRequest> = (options) =>
  usePreparedWrite(authorizeSupportMutation, hideRequestCode, options)

/**
 * Opens the page on which the user changes the password. Variables: none for a popup, `{ how: 'navigation' }` for leaving
 * the app.
 *
 * @example
 * useChangePassword().mutate()
 */
export const useChangePassword: PopupHook<undefined, PasswordRequest | void> = (options) =>
  usePopupWrite(changePasswordMutation, options)

/**
 * Redirects to the passthrough page of the authorization server, which redirects to `redirect` and passes the session on.
 * Variables: `{ redirect }`, a URL of this app or of one of `options.origins`.
 *
 * @example
 * usePassthrough({ origins: ['https://payroll.firm.example'] }).mutate({ redirect: 'https://payroll.firm.example/runs/7' })
 */
export const usePassthrough: WriteHook<void, PassthroughRequest, PassthroughOptions> = (options) =>
  useWrite((auth) => passthroughMutation(auth, options), options)

/**
 * Exchanges an assertion for an access token that your app keeps; the session is unaffected. Variables: `{ assertion }`,
 * wrapped in a `Secret` before TanStack Query receives it.
 *
 * @example
 * const { accessToken } = await useExchangeAssertion().mutateAsync({ assertion: jti })
 */
export const useExchangeAssertion: WriteHook<ExchangedToken, AssertionRequest> = (options) =>
  usePreparedWrite(exchangeAssertionMutation, hideAssertion, options)

/**
 * Reads the redirections file. Reading it does not redirect.
 *
 * @example
 * const { data } = useRedirectionConfig({ staleTime: Infinity })
 */
export const useRedirectionConfig: ReadHook<RedirectionConfig> = (options) =>
  useRead(redirectionConfigQuery, options)
