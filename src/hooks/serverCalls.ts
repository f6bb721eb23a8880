'use client'
// The hooks of the session's actions and the server's calls: each binds a factory of queries/ to the auth object, and throws `no-provider` outside an `AuthProvider`.
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { AuthError } from '../base/errors.ts'
import type { Id } from '../protocol/claims.ts'
import type { LinkMap, LinkedEntry } from '../protocol/linkMap.ts'
import type { RedirectionConfig } from '../protocol/redirection.ts'
import type { Secret } from '../protocol/secret.ts'
import type { SupportAccess, SupportRequest } from '../protocol/support.ts'
import { useAuthObject } from '../provider/context.ts'
import {
  type AdminConsent,
  adminConsentQuery,
  cloudAccessTokenQuery,
  type CloudUserInfo,
  cloudUserInfoQuery,
  type ConsentRequest,
  type FirmUpdate,
  grantAdminConsentMutation,
  linkCloudAccountMutation,
  reauthenticateCloudAccountMutation,
  revokeAdminConsentMutation,
  unlinkCloudAccountMutation,
  updateFirmMutation,
} from '../queries/cloudProvider.ts'
import {
  type AssertionRequest,
  type ExchangedToken,
  exchangeAssertionMutation,
  authorizeSupportMutation,
} from '../queries/secretCalls.ts'
import { type PasswordRequest, changePasswordMutation } from '../queries/changePassword.ts'
import {
  type LinkMapOptions,
  type SaveLinkMapOptions,
  linkMapQuery,
  saveLinkMapMutation,
  selectWithVersion,
} from '../queries/linkMap.ts'
import {
  type PassthroughOptions,
  type PassthroughRequest,
  passthroughMutation,
} from '../queries/passthrough.ts'
import { redirectionConfigQuery } from '../queries/redirectionConfig.ts'
import {
  loginMutation,
  logoutMutation,
  renewMutation,
  stepUpMutation,
  type StepUpVariables,
  switchToMutation,
} from '../queries/session.ts'
import type { ReadOptions } from '../queries/defaults.ts'
import { type UserInfo, type UserInfoOptions, userInfoQuery } from '../queries/userInfo.ts'
import type { LoginOptions, LogoutOptions, RenewOptions, SwitchOptions } from '../session/auth.ts'
import { fetchLaterFile } from '../session/internals.ts'
import {
  type PopupHook,
  type ReadHook,
  usePopupWrite,
  usePreparedWrite,
  useRead,
  useWrite,
  type WriteHook,
} from './bindFactory.ts'

/**
 * Reads GET /api/userinfo. A response with another `userId` than the access token is an error unless `allowOtherUser` is set.
 *
 * @example
 * const { data } = useUserInfo({ select: (userInfo) => userInfo.name })
 */
export const useUserInfo: ReadHook<UserInfo, UserInfoOptions> = (options) =>
  useRead((auth) => userInfoQuery(auth, options), options)

/** Reads GET /cloudprovider/userinfo: the user's account at the cloud provider. */
export const useCloudUserInfo: ReadHook<CloudUserInfo> = (options) => useRead(cloudUserInfoQuery, options)

/**
 * Reads GET /cloudprovider/accesstoken: the user's access token of the cloud provider, or that of the account with this id. It
 * leaves the cache as soon as no component uses it. Further errors: `invalid-argument` for an id that cannot be part of a URL.
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
 * Call `mutate` in a click. Further errors: `popup-blocked`, `popup-closed`, `popup-timeout`.
 *
 * @example
 * const link = useLinkCloudAccount()
 * return <button onClick={() => link.mutate()}>Link my account</button>
 */
export const useLinkCloudAccount: PopupHook<CloudUserInfo, void> = (options) =>
  usePopupWrite(linkCloudAccountMutation, options)

/** Removes the link to the cloud provider in a popup. Data, click and errors as for `useLinkCloudAccount`. */
export const useUnlinkCloudAccount: PopupHook<CloudUserInfo, void> = (options) =>
  usePopupWrite(unlinkCloudAccountMutation, options)

/**
 * Confirms the link to the cloud provider in a popup, with a one-time nonce that is fetched once the popup is open. Data, click
 * and errors as for `useLinkCloudAccount`.
 */
export const useReauthenticateCloudAccount: PopupHook<CloudUserInfo, void> = (options) =>
  usePopupWrite(reauthenticateCloudAccountMutation, options)

/**
 * Reads GET /cloudprovider/adminconsent/status, optionally for one `domain`. Further errors: `invalid-argument` for an invalid
 * domain.
 */
export const useAdminConsent: ReadHook<AdminConsent, ConsentRequest> = (options) =>
  useRead((auth) => adminConsentQuery(auth, options), options)

/**
 * Grants the administrator's consent in a popup, then reads the status again. Call `mutate` in a click. Variables: `{ domain? }` or
 * nothing. Further errors: `popup-blocked`, `popup-closed`, `popup-timeout`, `invalid-argument`.
 *
 * @example
 * useGrantAdminConsent().mutate({ domain: 'firm.example' })
 */
export const useGrantAdminConsent: PopupHook<AdminConsent, ConsentRequest | void> = (options) =>
  usePopupWrite(grantAdminConsentMutation, options)

/**
 * Revokes the administrator's consent: DELETE /cloudprovider/adminconsent; any status but 204 is `unexpected-status`. Variables:
 * `{ domain? }` or nothing. Further errors: `invalid-argument` for an invalid domain.
 */
export const useRevokeAdminConsent: WriteHook<void, ConsentRequest | void> = (options) =>
  useWrite(revokeAdminConsentMutation, options)

/**
 * Reads GET /cloudprovider/linkmap: the link map of the user's firm; with `allUsers`, also users without a link.
 *
 * @example
 * const { data: linkMap } = useLinkMap({ allUsers: true })
 */
export const useLinkMap: ReadHook<LinkMap, LinkMapOptions> = (options) => {
  const select = options?.select
  // TanStack selects again whenever the function is a new one.
  const withVersion = useMemo(() => select && selectWithVersion(select), [select])
  return useRead((auth) => linkMapQuery(auth, options), {
    ...options,
    ...(withVersion && { select: withVersion }),
  })
}

/**
 * Replaces the firm's whole link map: users that are not in it lose their link. Variables: the entries. The cached map changes
 * at once, is restored when the server refuses, and is then read again, with and without `allUsers`. If the server sends ETags,
 * a save fails with `conflict` when the map has changed since it was read, and overwrites nothing. Further errors, before any
 * request: `invalid-link-map`, `invalid-argument`.
 *
 * @example
 * useSaveLinkMap().mutate([{ internalUser: 'anna', externalUser: { id: 'cloud-7' } }])
 */
export const useSaveLinkMap: WriteHook<void, readonly LinkedEntry[], SaveLinkMapOptions> = (options) =>
  useWrite((auth) => saveLinkMapMutation(auth, options), options)

/**
 * Chooses the cloud provider of a firm: PUT /api/firms/{id}. Variables: `{ id, cloudProviderId }`, where `id` is the firm.
 * Afterwards the user info is read again, because it may contain the firm. Further errors, before any request:
 * `cloud-provider-id-required`, `invalid-argument`.
 *
 * @example
 * useUpdateFirm().mutate({ id: 'firm-1', cloudProviderId: 'cumulus' })
 */
export const useUpdateFirm: WriteHook<void, FirmUpdate> = (options) => useWrite(updateFirmMutation, options)

/**
 * Authorizes support access for a limited time: POST /support/authorization. Variables: `{ requestCode, duration }`, the duration
 * in whole minutes, 1 to 1440. The code is wrapped in a `Secret` before TanStack Query receives it. Nothing is cached. Further
 * errors: `invalid-argument` before any request.
 *
 * @example
 * useAuthorizeSupport().mutate({ requestCode, duration: 60 })
 */
export const useAuthorizeSupport: WriteHook<SupportAccess, SupportRequest> = (options) =>
  usePreparedWrite(authorizeSupportMutation, options)

/**
 * Opens the page on which the user changes the password. Variables: none for a popup, `{ how: 'navigation' }` for leaving
 * the app. Call `mutate` in a click. Further errors: `popup-blocked`, `popup-closed`, `popup-timeout`.
 *
 * @example
 * useChangePassword().mutate()
 */
export const useChangePassword: PopupHook<undefined, PasswordRequest | void> = (options) =>
  usePopupWrite(changePasswordMutation, options)

/**
 * Renews, and redirects to /oauth/passthrough of the authorization server with the `jti` of the access token (never the token), which
 * redirects to `redirect` and passes the session on. Variables: `{ redirect }`, a URL of this app or of one of `options.origins`.
 * Errors: `redirect-refused`, `storage-unavailable`, `invalid-access-token` when the token has no `jti`, and those of a renewal.
 *
 * @example
 * usePassthrough({ origins: ['https://payroll.firm.example'] }).mutate({ redirect: 'https://payroll.firm.example/runs/7' })
 */
export const usePassthrough: WriteHook<void, PassthroughRequest, PassthroughOptions> = (options) =>
  useWrite((auth) => passthroughMutation(auth, options), options)

/**
 * Exchanges an assertion for an access token that your app keeps: POST /oauth/token with `grant_type` jti and no bearer token. The
 * session is unaffected. Variables: `{ assertion }`, wrapped in a `Secret` before TanStack Query receives it, as is the token in
 * the result. Errors: `not-authenticated` when the user has changed or signed out meanwhile, `not-initialised`,
 * `invalid-argument` before any request, `invalid-access-token`.
 *
 * @example
 * const { accessToken } = await useExchangeAssertion().mutateAsync({ assertion: jti })
 */
export const useExchangeAssertion: WriteHook<ExchangedToken, AssertionRequest> = (options) =>
  usePreparedWrite(exchangeAssertionMutation, options)

/**
 * Reads the file at `redirectionsUrl` as start-up does, once that has ended: no credentials, at most 256 KB and 5 seconds, a strict
 * schema. Reading the file does not redirect. Errors: `invalid-argument` without `redirectionsUrl`, `unexpected-answer`, `timeout`.
 */
export const useRedirectionConfig: ReadHook<RedirectionConfig> = (options) =>
  useRead(redirectionConfigQuery, options)

/** Redirects to the sign-in page, as a mutation. Variables: `LoginOptions` or nothing: `useLogin().mutate({ returnTo: '/firms' })`. */
export const useLogin: WriteHook<void, LoginOptions | void> = (options) => useWrite(loginMutation, options)

/** Ends the session here and at the server, as a mutation. Variables: `LogoutOptions` or nothing. */
export const useLogout: WriteHook<void, LogoutOptions | void> = (options) => useWrite(logoutMutation, options)

/** Renews the access token when forced or due, as a mutation. Variables: `{ force?: boolean }` or nothing. */
export const useRenew: WriteHook<void, RenewOptions | void> = (options) => useWrite(renewMutation, options)

/**
 * Signs in again as strongly as an API asks for, as a mutation. Variables: the error `step-up-required`, and where the
 * sign-in page is shown.
 *
 * @example
 * useStepUp().mutate({ error })
 */
export const useStepUp: WriteHook<void, StepUpVariables> = (options) => {
  useLaterFile()
  return useWrite(stepUpMutation, options)
}

/**
 * Signs the same person in for another organization or firm, as a mutation. Variables: `SwitchOptions`.
 *
 * @example
 * useSwitchTo().mutate({ organization: 'org_acme' })
 */
export const useSwitchTo: WriteHook<void, SwitchOptions> = (options) => {
  useLaterFile()
  return useWrite(switchToMutation, options)
}

/** So that the click waits for no file. */
function useLaterFile(): void {
  const auth = useAuthObject()
  useEffect(() => fetchLaterFile(auth), [auth])
}
