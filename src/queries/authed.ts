// Options for the app's own queries: scopes the query key to the user, waits for sign-in and renewal, never retries 401 or 403, which is `forbidden`.
import {
  hashKey,
  type QueryFunction,
  type QueryFunctionContext,
  type QueryKey,
  skipToken,
} from '@tanstack/react-query'
import { AuthError } from '../base/errors.ts'
import { readable, recordOf } from '../base/json.ts'
import { statusOf } from '../protocol/httpError.ts'
import { notAuthenticated } from '../base/sessionErrors.ts'
import type { Auth } from '../session/auth.ts'
import { forbidden } from '../session/http/challenge.ts'
import { loadLater } from '../session/laterFile.ts'
import { internalsOf } from '../session/internals.ts'
import { authKeys } from './keys.ts'

/** The options that `authed` reads. All others are passed on unchanged. */
interface Wrappable {
  queryKey: QueryKey
  queryFn?: unknown
  enabled?: unknown
  retry?: unknown
}

type Retry = (failureCount: number, error: unknown) => boolean

const LARGEST_RETRY_COUNT = 2

/**
 * Adapts the options of an app's own query to the session: scopes the query key to the user, firm and impersonator, disables
 * the query until a user is signed in, waits for a renewal in flight, and never retries 401 or 403. An error with status
 * 403, as ofetch, axios and ky throw it, becomes an `AuthError` `forbidden`. For loaders and event handlers; in a component
 * use `useAuthed`, which follows a change of user.
 *
 * @example
 * const options = queryOptions({ queryKey: ['firms'], queryFn: () => auth.fetch('/api/firms') })
 * const firms = await queryClient.ensureQueryData(authed(auth, options))
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
          // Renews if due, waits for a renewal in flight, rejects if signed out.
          await auth.getAccessToken()
          if (!isSameUser()) throw notAuthenticated()
          const ask = async () => (queryFn as QueryFunction)({ ...context, queryKey: options.queryKey })
          const data = await ask().catch(async (error: unknown) => {
            throw await withoutRequest(auth, error)
          })
          if (!isSameUser()) throw notAuthenticated()
          return data
        },
      }),
    enabled: isSignedIn ? (enabled ?? true) : false,
    retry: (failureCount: number, error: unknown) => {
      if (isRefusal(error)) return false
      if (retry === undefined) return retryUnlessRefused(failureCount, error)
      if (typeof retry === 'function') return (retry as Retry)(failureCount, error)
      return typeof retry === 'number' ? failureCount < retry : Boolean(retry)
    },
  }
}

/** Whether repeating the request cannot succeed. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  const code = error instanceof AuthError ? error.code : undefined
  return status === 401 || status === 403 || code === 'not-authenticated' || code === 'not-initialised'
}

/**
 * The retry rule of `useAuthed` for an app's own QueryClient: at most two retries, after no response, 429 or 5xx, and none after
 * a refusal.
 *
 * @example
 * new QueryClient({ defaultOptions: { queries: { retry: retryUnlessRefused } } })
 */
export function retryUnlessRefused(failureCount: number, error: unknown): boolean {
  const status = statusOf(error)
  if (failureCount >= LARGEST_RETRY_COUNT) return false
  if (status !== undefined) return status === 429 || status >= 500
  return !(error instanceof AuthError) || error.retryable
}

/** Turns a 403 of ofetch, axios or ky into `forbidden`, without the request, which contains the bearer token. */
async function withoutRequest(auth: Auth, error: unknown): Promise<unknown> {
  if (error instanceof AuthError || statusOf(error) !== 403) return error
  const { response, data = recordOf(response)['data'] } = recordOf(error)
  const { tokens, platform } = internalsOf(auth)
  const refusal = {
    text: textOf(data),
    secrets: tokens.secrets(),
    challenge: readChallenge(recordOf(response)['headers']),
  }
  return forbidden('The call', refusal, () => loadLater(platform))
}

const textOf = (data: unknown) =>
  readable(() => (typeof data === 'string' ? data : JSON.stringify(data))) ?? ''

/** From `Headers`, or from the headers of axios. */
function readChallenge(headers: unknown): string | null {
  const found = readable(() =>
    headers instanceof Headers
      ? headers.get('www-authenticate')
      : Object.entries(recordOf(headers)).find(([name]) => name.toLowerCase() === 'www-authenticate')?.[1],
  )
  return typeof found === 'string' ? found : null
}
