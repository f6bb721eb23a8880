// The entry `latchkey/testing`: sessions in any state, fake pages and servers, token makers and msw handlers.
export type { FakeAnswer, Respond } from './answers.ts'
export {
  createFakeAuthMemory,
  createFakeAuthServer,
  createFakeUser,
  type FakeAuthMemory,
  type FakeAuthServer,
  type FakeAuthServerOptions,
  type FakeUser,
  type TokenRequest,
} from './authServer.ts'
export { createFakeCloudServer, type FakeCloudServer, type FakeCloudServerOptions } from './cloudServer.ts'
export { AUTH_ERROR_CODES, createAuthError } from './errors.ts'
export {
  createFakeBrowser,
  FAKE_START_MS,
  type FakeBrowser,
  type FakeBrowserOptions,
  type FakeClock,
} from './fakeBrowser.ts'
export {
  createFakeHost,
  type FakeHost,
  type FakeHostOptions,
  type FakeRequest,
  neverAnswers,
} from './fakeHost.ts'
export { createFakeStorage, type FakeStorage, type StorageFault } from './fakeStorage.ts'
export type { FakeFrame, FakePopup } from './fakeWindows.ts'
export { createAuthHandlers, createCloudHandlers } from './handlers.ts'
export { type AuthMatchers, authMatchers, type ExpectedUser, type MatcherResult } from './matchers.ts'
export { createTestAuth, type TestAuth, type TestAuthOptions, type TestCall } from './testAuth.ts'
export {
  type AuthDecorator,
  type StoryAuth,
  type StoryContext,
  TestAuthProvider,
  type TestAuthProviderProps,
  withAuth,
} from './TestAuthProvider.tsx'
export type { FakeProvider, FakeTrait } from './providerTraits.ts'
export type { TestOccupant, TestState, TestUser } from './testState.ts'
export {
  createAccessToken,
  createClaims,
  createJwt,
  createTokenResponse,
  TOKEN_LIFETIME_IN_SECONDS,
  type TokenClaims,
  type TokenResponse,
} from './tokens.ts'
export { createMemoryRealtime, type MemoryRealtime } from './memoryRealtime.ts'
