'use client'
// Opens the password page in a popup, or instead of the app.
import {
  changePasswordFlow,
  changePasswordMutation,
  type PasswordRequest,
} from '../queries/changePassword.ts'
import type { PopupOutcome } from '../queries/popups.ts'
import type { WriteOptions } from '../queries/types.ts'
import { type PopupMutationResult, usePopupWrite } from './useWrite.ts'

/**
 * Opens the page on which the user changes the password. Variables: none for a popup, which `mutate()` opens, so call it in
 * a click; `{ how: 'navigation' }` for leaving the app.
 *
 * @throws AuthError `no-provider`
 * @example
 * useChangePassword().mutate()
 */
export function useChangePassword<OnMutate = unknown>(
  options?: WriteOptions<PopupOutcome<undefined>, PasswordRequest | void, OnMutate>,
): PopupMutationResult<undefined, PasswordRequest | void, OnMutate> {
  return usePopupWrite(changePasswordFlow, changePasswordMutation, options)
}
