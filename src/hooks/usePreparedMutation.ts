'use client'
// A mutation whose variables are prepared synchronously, in the caller's task: a secret is wrapped, a popup is opened.
import { type MutateOptions, useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AuthError } from '../errors.ts'
import { useAuthObject } from '../provider/context.ts'
import type { AuthMutation } from '../queries/types.ts'
import type { Auth } from '../session/auth.ts'

/** Binds a factory to the auth object. The mutation receives what `prepare` returns for the variables. */
export function usePreparedMutation<Data, Variables>(
  factory: (auth: Auth) => AuthMutation<Data, Variables>,
  prepare: (variables: Variables) => Variables,
): UseMutationResult<Data, AuthError, Variables> {
  const mutation = useMutation(factory(useAuthObject()))
  const { mutate, mutateAsync } = mutation as unknown as Mutators<Data, Variables>
  const prepared = useMemo(
    (): Mutators<Data, Variables> => ({
      mutate: (variables, options) => mutate(prepare(variables), options),
      mutateAsync: async (variables, options) => mutateAsync(prepare(variables), options),
    }),
    [mutate, mutateAsync, prepare],
  )
  return { ...mutation, ...prepared } as UseMutationResult<Data, AuthError, Variables>
}

/** `mutate` and `mutateAsync`, with required variables. */
interface Mutators<Data, Variables> {
  mutate(variables: Variables, options?: MutateOptions<Data, AuthError, Variables>): void
  mutateAsync(variables: Variables, options?: MutateOptions<Data, AuthError, Variables>): Promise<Data>
}
