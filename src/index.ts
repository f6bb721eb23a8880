// The main entry: every public name of `latchkey`.
export { AuthError, type AuthErrorCode, type AuthErrorDetails } from './base/errors.ts'
export {
  DEBOUNCE_MS,
  DEFAULT_AUTO_LOGIN,
  DEFAULT_AUTO_LOGOUT,
  DEFAULT_AUTO_REFRESH_TOKEN,
  DEFAULT_IDLE_TIMEOUT_IN_MINUTES,
  DEFAULT_IFRAME_TIMEOUT_IN_SECONDS,
  DEFAULT_REMEMBER_ME,
  DEFAULT_UNIQUE_SESSION,
  FRAME_REMOVAL_MS,
  LARGEST_TIMER_DELAY_MS,
  LARGEST_TOAST_COUNT,
  STATE_KEY_LENGTH,
  TOAST_DURATION_MS,
  VERIFIER_LENGTH,
} from './base/constants.ts'
export { RENEW_MARGIN_MS } from './base/sessionConstants.ts'
export type { AppClaims, Register, RegisteredUserInfo } from './base/register.ts'
export type { ServerRecord } from './protocol/answers.ts'
export type { ReadAppClaims } from './protocol/appClaims.ts'
export type { Claims, Id, TokenClaims, User } from './protocol/claims.ts'
export type { SignedOutReason } from './protocol/signedOutReasons.ts'
export type {
  AuthConfig,
  AuthOptions,
  ClaimsOption,
  ServerConfig,
  SessionType,
  WholeConfig,
} from './protocol/config.ts'
export type { HookName, Hooks, SessionClash } from './protocol/eventHooks.ts'
export type { ExternalUser, InternalUser, LinkedEntry, LinkMap, LinkMapEntry } from './protocol/linkMap.ts'
export {
  ENGLISH,
  type Message,
  type MessageName,
  type Messages,
  type MessageValues,
} from './protocol/messages.ts'
export { type HttpError, isHttpError } from './protocol/httpError.ts'
export { userText } from './protocol/userText.ts'
export type { RedirectionConfig, RedirectionEnvironment } from './protocol/redirection.ts'
export { Secret } from './protocol/secret.ts'
export type { ServerFeature, ServerProfile } from './protocol/servers/profile.ts'
export type { Occupant as OnlineSession } from './session/realtimePort.ts'
export type { SupportAccess, SupportRequest } from './protocol/support.ts'
export type {
  AccessTokenOptions,
  Auth,
  GoneUser,
  IdleTime,
  ListenerOptions,
  LoginOptions,
  LogoutOptions,
  RenewOptions,
  SwitchOptions,
} from './session/auth.ts'
export { createAuth } from './session/createAuth.ts'
export type {
  AppFetch,
  AppFetchContext,
  AppFetchData,
  AppFetchInit,
  AppFetchKind,
  AppFetchResponse,
} from './session/http/fetchTypes.ts'
export type {
  RealtimeChannel,
  RealtimeEvent,
  RealtimeFaultCode,
  RealtimeConnectionState,
  RealtimeLink,
  RealtimeOpenOptions,
  RealtimeService,
  RealtimeTransport,
} from './protocol/realtimeTransport.ts'
export type { AuthState, Flags, RealtimeStatus, RedirectTarget, Status } from './session/state.ts'
export type { ExplainStep } from './session/timeline.ts'
export {
  type AssertionRequest,
  exchangeAssertionMutation,
  type ExchangedToken,
  authorizeSupportMutation,
} from './queries/secretCalls.ts'
export { authed } from './queries/authed.ts'
export { changePasswordMutation, type PasswordRequest } from './queries/changePassword.ts'
export {
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
} from './queries/cloudProvider.ts'
export { isLatchkeyKey, shouldDehydrateMutation, shouldDehydrateQuery } from './queries/keys.ts'
export {
  linkMapQuery,
  type LinkMapOptions,
  saveLinkMapMutation,
  type SaveLinkMapOptions,
} from './queries/linkMap.ts'
export type { PopupControls, PopupOutcome } from './queries/popups.ts'
export {
  passthroughMutation,
  type PassthroughOptions,
  type PassthroughRequest,
} from './queries/passthrough.ts'
export { redirectionConfigQuery } from './queries/redirectionConfig.ts'
export { loginMutation, logoutMutation, renewMutation, stepUpMutation } from './queries/session.ts'
export type { StepUpVariables } from './queries/session.ts'
export type { AuthMutation, AuthQuery, ReadOptions, WriteOptions } from './queries/defaults.ts'
export {
  type StandardClaims,
  type UserInfo,
  type UserInfoOptions,
  userInfoQuery,
} from './queries/userInfo.ts'
export { AuthProvider, type AuthProviderProps } from './provider/AuthProvider.tsx'
export { Authenticated, type AuthenticatedProps } from './provider/Authenticated.tsx'
export type { ForbiddenContent } from './provider/forbidden.tsx'
export { SignInAgainDialog, type SignInAgainDialogProps } from './provider/SignInAgainDialog.tsx'
export { AuthToaster, type AuthToasterProps, type ToastPosition } from './toaster/AuthToaster.tsx'
export type { ToastAction } from './toaster/toast.ts'
export { type Notify, notify, type NotifyFunction, type NotifyOptions } from './toaster/notify.ts'
export {
  useAdminConsent,
  useAuthorizeSupport,
  useChangePassword,
  useCloudAccessToken,
  useCloudUserInfo,
  useExchangeAssertion,
  useGrantAdminConsent,
  useLinkCloudAccount,
  useLinkMap,
  useLogin,
  useLogout,
  usePassthrough,
  useReauthenticateCloudAccount,
  useRedirectionConfig,
  useRenew,
  useRevokeAdminConsent,
  useSaveLinkMap,
  useStepUp,
  useUnlinkCloudAccount,
  useUpdateFirm,
  useUserInfo,
} from './hooks/serverCalls.ts'
export {
  type AuthActions,
  type AuthView,
  useAccessTokenExpiry,
  useAuth,
  useAuthHook,
  useAuthSelector,
  useUser,
} from './hooks/useAuth.ts'
export { useAuthed } from './hooks/useAuthed.ts'
export { type DebouncedFunction, useDebouncedCallback, useDebouncedValue } from './hooks/useDebounced.ts'
export { useIdle } from './hooks/useIdle.ts'
export {
  type MessageCallback,
  useFirmMessages,
  useSessionPresence,
  useUserMessages,
} from './hooks/useRealtime.ts'
export { type UserTextOptions, useUserText } from './hooks/useErrors.ts'
export type { PopupMutationResult } from './hooks/bindFactory.ts'
