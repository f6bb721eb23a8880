// The entry latchkey/tanstack-query: what an app with TanStack queries of its own uses beside `useAuthed` and `authed`, Suspense included.
export { authKeys } from '../queries/keys.ts'
export { retryUnlessRefused } from '../queries/authed.ts'
export {
  type CachePersister,
  type PersistedCache,
  persistOptions,
  type PersistOptions,
  type UserPersistOptions,
} from '../queries/persistOptions.ts'
export { switchToMutation } from '../queries/session.ts'
export { type AuthStateOptions, type SettledState, useAuthState } from '../hooks/useAuth.ts'
export { useInfiniteAuthed, useSuspenseAuthed } from '../hooks/useAuthed.ts'
export { type Forbidden, useForbidden } from '../hooks/useErrors.ts'
export { useSwitchTo } from '../hooks/serverCalls.ts'
