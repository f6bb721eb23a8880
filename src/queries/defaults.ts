// Defaults of all queries and mutations of latchkey: one retry layer, never paused, marked by their meta.
import type { Query } from '@tanstack/react-query'
import type { AuthError } from '../base/errors.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { actionKey, authKeys } from './keys.ts'
import type { AuthMutation, AuthQuery } from './types.ts'

/** Marks queries and mutations of latchkey, so that app-wide rules can skip them. */
export const META: Record<string, unknown> = { source: 'latchkey' }

/** Marks data that is the same for every user: it stays when the user changes. */
export const SHARED_META: Record<string, unknown> = { source: 'latchkey', latchkey: 'shared' }

/** Marks data that must not be stored or shown. */
export const SENSITIVE_META: Record<string, unknown> = { source: 'latchkey', sensitive: true }

const LARGEST_RETRY_COUNT = 2

/** Retries a read at most twice, and only errors that a retry can cure. Offline, a read fails at once. */
export const READ_DEFAULTS: Omit<AuthQuery<never>, 'queryKey' | 'queryFn'> & {
  refetchOnReconnect: (query: Query<never, AuthError>) => boolean
} = {
  networkMode: 'always',
  // TanStack's default for this network mode is never: a read that failed would stay so when network or server is back.
  refetchOnReconnect: (query) => query.state.status === 'error',
  retry: (failureCount: number, error: AuthError) =>
    failureCount < LARGEST_RETRY_COUNT && error.retryable && error.code !== 'offline',
  retryDelay: (failureCount: number, error: AuthError) =>
    error.retryAfterMs ?? (0.5 + Math.random()) * 1000 * 2 ** failureCount,
  meta: META,
}

/** A read with these defaults. `read` receives the response of GET `path()`, and the name of the request for its errors. */
export const readQuery = <Data>(
  auth: Auth,
  [name, ...details]: readonly [string, ...unknown[]],
  path: () => string,
  read: (what: string, answer: unknown) => Data,
  more?: Pick<AuthQuery<Data>, 'gcTime' | 'meta'>,
): AuthQuery<Data> => ({
  ...READ_DEFAULTS,
  ...more,
  queryKey: authKeys.read<Data>(auth, name, ...details),
  async queryFn({ signal }) {
    const asked = path()
    const answer = await internalsOf(auth).call({ method: 'GET', path: asked, signal })
    return read(`GET ${asked.replace(/[?].*/, '')}`, answer)
  },
})

/** Writes are never retried automatically. */
export const WRITE_DEFAULTS: {
  readonly networkMode: 'always'
  readonly retry: false
  readonly meta: Record<string, unknown>
} = { networkMode: 'always', retry: false, meta: META }

/** A write with these defaults. `name` is its name in the query devtools. */
export const writeMutation = <Data, Variables>(
  auth: Auth,
  name: string,
  mutationFn: NonNullable<AuthMutation<Data, Variables>['mutationFn']>,
): AuthMutation<Data, Variables> => ({ ...WRITE_DEFAULTS, mutationKey: actionKey(auth, name), mutationFn })
