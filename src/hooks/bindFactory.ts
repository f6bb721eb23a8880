'use client'
// Common to all hooks of the server's calls: binds a factory of queries/ to the auth object, and takes TanStack's options.
import {
  type MutateOptions,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AuthError } from '../base/errors.ts'
import { useAuthObject } from '../provider/context.ts'
import {
  type AuthMutation,
  type AuthQuery,
  preparationOf,
  type ReadOptions,
  type WriteOptions,
} from '../queries/defaults.ts'
import { holderOf } from '../queries/keys.ts'
import { controlsOf, type PopupControls, type PopupOutcome } from '../queries/popups.ts'
import type { Auth } from '../session/auth.ts'
import { useAuthSelector } from './useAuth.ts'

/** A hook of one read. Takes any TanStack query option, and `More`. Throws `no-provider`. */
export type ReadHook<Data, More = unknown> = <Selected = Data>(
  options?: More & ReadOptions<Data, Selected>,
) => UseQueryResult<Selected, AuthError>

/** Binds a factory to the auth object. Sends no request before start-up has ended. */
export function useRead<Data, Selected = Data>(
  factory: (auth: Auth) => AuthQuery<Data>,
  options: ReadOptions<Data, Selected> = {},
): UseQueryResult<Selected, AuthError> {
  // The factory reads the user from the auth object; a compiler memo would miss its change.
  'use no memo'
  const auth = useAuthObject()
  // Render when the user changes, because the query key is scoped to the user.
  const who = useAuthSelector((state) => (state.status === 'authenticated' ? state.user : state.status))
  // The shown data stays while a page waits for its user to return.
  const isWaiting = who === 'unauthenticated' && holderOf(auth) !== undefined
  const isSettled = who !== 'initializing' && who !== 'redirecting' && !isWaiting
  return useQuery<Data, AuthError, Selected>({
    ...(factory(auth) as object),
    ...options,
    queryKey: factory(auth).queryKey,
    enabled: isSettled && (options.enabled ?? true),
  } as never)
}

type Factory<Data, Variables> = (
  auth: Auth,
) => Omit<AuthMutation<Data, Variables>, 'onError' | 'onSuccess' | 'onSettled'>

/** A hook of one write; `More` are its options beside TanStack's. Throws `no-provider`. */
export type WriteHook<Data, Variables, More = unknown> = <OnMutate = unknown>(
  options?: More & WriteOptions<Data, Variables, OnMutate>,
) => UseMutationResult<Data, AuthError, Variables, OnMutate>

/** `mutate` and `mutateAsync`, with required variables. */
interface Mutators<Data, Variables, OnMutate> {
  mutate(variables: Variables, options?: MutateOptions<Data, AuthError, Variables, OnMutate>): void
  mutateAsync(
    variables: Variables,
    options?: MutateOptions<Data, AuthError, Variables, OnMutate>,
  ): Promise<Data>
}

/** Binds a factory to the auth object. */
export function useWrite<Data, Variables, OnMutate>(
  factory: Factory<Data, Variables>,
  options?: WriteOptions<Data, Variables, OnMutate>,
): UseMutationResult<Data, AuthError, Variables, OnMutate> {
  const own = factory(useAuthObject())
  // The app's options never replace its function, key and marks.
  const { mutationFn, mutationKey, networkMode } = own
  return useMutation({
    ...own,
    ...options,
    ...({ mutationFn, mutationKey, networkMode } as object),
    meta: { ...options?.meta, ...own.meta },
  } as AuthMutation<Data, Variables, OnMutate>)
}

/**
 * The same, and prepares the variables in the caller's task: a secret is wrapped, a popup is opened. Not part of `useWrite`,
 * because the first load of an app contains only that.
 */
export function usePreparedWrite<Data, Variables, OnMutate>(
  factory: Factory<Data, Variables>,
  options?: WriteOptions<Data, Variables, OnMutate>,
): UseMutationResult<Data, AuthError, Variables, OnMutate> {
  const auth = useAuthObject()
  const client = useQueryClient()
  const mutation = useWrite(factory, options)
  const { mutate, mutateAsync } = mutation as unknown as Mutators<Data, Variables, OnMutate>
  const prepared = useMemo((): Mutators<Data, Variables, OnMutate> => {
    const prepare = preparationOf<Variables>(factory(auth))
    return {
      mutate: (variables, callbacks) => mutate(prepare(variables, client), callbacks),
      mutateAsync: async (variables, callbacks) => mutateAsync(prepare(variables, client), callbacks),
    }
  }, [mutate, mutateAsync, factory, auth, client])
  return { ...mutation, ...prepared } as UseMutationResult<Data, AuthError, Variables, OnMutate>
}

/** The result of a popup hook: a mutation result, and the controls of the open window. */
export type PopupMutationResult<Status, Variables, OnMutate = unknown> = UseMutationResult<
  PopupOutcome<Status>,
  AuthError,
  Variables,
  OnMutate
> &
  PopupControls

/** A hook of one popup. Call `mutate()` in a click. Throws `no-provider`. */
export type PopupHook<Status, Variables> = <OnMutate = unknown>(
  options?: WriteOptions<PopupOutcome<Status>, Variables, OnMutate>,
) => PopupMutationResult<Status, Variables, OnMutate>

/** Binds a popup to the session. */
export function usePopupWrite<Variables, Status, OnMutate>(
  factory: Factory<PopupOutcome<Status>, Variables>,
  options?: WriteOptions<PopupOutcome<Status>, Variables, OnMutate>,
): PopupMutationResult<Status, Variables, OnMutate> {
  const auth = useAuthObject()
  const controls = useMemo(() => controlsOf(factory(auth)), [auth, factory])
  return { ...usePreparedWrite(factory, options), ...controls }
}
