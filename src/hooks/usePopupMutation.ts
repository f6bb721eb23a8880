'use client'
// A popup as a mutation that opens it synchronously in the click.
import { type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { AuthError } from '../errors.ts'
import { useAuthObject } from '../provider/context.ts'
import {
  beginPopup,
  popupControls,
  type PopupControls,
  type PopupFlow,
  type PopupOutcome,
} from '../queries/popups.ts'
import type { AuthMutation } from '../queries/types.ts'
import type { Auth } from '../session/auth.ts'
import { usePreparedMutation } from './usePreparedMutation.ts'

/** The result of a popup hook: a mutation result, and the controls of the open window. */
export type PopupMutationResult<Status, Variables> = UseMutationResult<
  PopupOutcome<Status>,
  AuthError,
  Variables
> &
  PopupControls

/** Binds a popup to the session. */
export function usePopupMutation<Variables, Status>(
  toFlow: (auth: Auth) => PopupFlow<Variables, Status>,
  toMutation: (auth: Auth) => AuthMutation<PopupOutcome<Status>, Variables>,
): PopupMutationResult<Status, Variables> {
  const auth = useAuthObject()
  const client = useQueryClient()
  // Browsers allow a popup only during the click; mutations start in a later task.
  const begin = useCallback(
    (variables: Variables): Variables => {
      const own = { ...variables } as Variables & object
      beginPopup(auth, client, toFlow(auth) as PopupFlow<Variables & object, Status>, own)
      return own
    },
    [auth, client, toFlow],
  )
  const mutation = usePreparedMutation(toMutation, begin)
  const controls = useMemo(() => popupControls(auth, toFlow(auth).page), [auth, toFlow])
  return { ...mutation, ...controls }
}
