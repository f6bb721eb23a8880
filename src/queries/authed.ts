// Gives the app's own queries the treatment of ours: scoped to the user, held back until somebody is signed in (contract §3).
import {
  hashKey,
  type QueryFunction,
  type QueryFunctionContext,
  type QueryKey,
  skipToken,
} from '@tanstack/react-query'
import { AuthError } from '../errors.ts'
import { recordOf } from '../json.ts'
import { notAuthenticated } from '../sessionErrors.ts'
import type { Auth } from '../session/auth.ts'
import { authKeys } from './keys.ts'

/** The options that are looked at; all others pass through as they are. */
interface Wrappable {
  queryKey: QueryKey
  queryFn?: unknown
  enabled?: unknown
  retry?: unknown
}

type Retry = (failureCount: number, error: unknown) => boolean

const LARGEST_RETRY_COUNT = 2

/**
 * Options for a query of the app that needs the signed-in user: its key is scoped to the user and who acts for them, it
 * is held back until somebody is signed in, it waits for a renewal in flight, and 401 and 403 are never repeated. In a
 * component, call `useAuth()` beside it, so that it follows a change of the user.
 *
 * @example
 * const { auth } = useAuth()
 * const firms = useQuery(authed(auth, queryOptions({ queryKey: ['firms'], queryFn: () => auth.fetch('/api/firms') })))
 */
export function authed<Options extends Wrappable>(auth: Auth, options: Options): Options {
  const { queryFn, enabled, retry } = options
  const scope = authKeys.scoped(auth)
  const isSameUser = () => hashKey(scope) === hashKey(authKeys.scoped(auth))
  const isSignedIn = auth.getState().status === 'authenticated'
  return {
    ...options,
    queryKey: authKeys.authed(auth, options.queryKey),
    ...(typeof queryFn === 'function' &&
      (queryFn as unknown) !== skipToken && {
        queryFn: async (context: QueryFunctionContext) => {
          // Renews when due, joins a renewal in flight, fails when nobody is signed in.
          await auth.getAccessToken()
          if (!isSameUser()) throw notAuthenticated()
          const data = await (queryFn as QueryFunction)({ ...context, queryKey: options.queryKey })
          if (!isSameUser()) throw notAuthenticated()
          return data
        },
      }),
    enabled: isSignedIn ? (enabled ?? true) : false,
    retry: (failureCount: number, error: unknown) => {
      if (isRefusal(error)) return false
      if (retry === undefined) return failureCount < LARGEST_RETRY_COUNT && isCurable(error)
      if (typeof retry === 'function') return (retry as Retry)(failureCount, error)
      return typeof retry === 'number' ? failureCount < retry : Boolean(retry)
    },
  }
}

/** However often it is asked for, a refusal stays one. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  const code = error instanceof AuthError ? error.code : undefined
  return status === 401 || status === 403 || code === 'not-authenticated' || code === 'not-initialised'
}

function isCurable(error: unknown): boolean {
  const status = statusOf(error)
  if (status !== undefined) return status === 429 || status >= 500
  return !(error instanceof AuthError) || error.retryable
}

/** The HTTP status that an error tells of, as ofetch, axios and ky write it. */
function statusOf(error: unknown): number | undefined {
  const { status, statusCode, response } = recordOf(error)
  const found = status ?? statusCode ?? recordOf(response)['status']
  return typeof found === 'number' ? found : undefined
}
