'use client'
// Opens the password page in a popup, or instead of the app.
import {
  changePasswordFlow,
  changePasswordMutation,
  type PasswordRequest,
} from '../queries/changePassword.ts'
import { type PopupMutationResult, usePopupMutation } from './usePopupMutation.ts'

/**
 * Opens the page on which the user changes the password. Variables: none for a popup, which `mutate()` opens, so call it in
 * a click; `{ how: 'navigation' }` for leaving the app.
 *
 * @throws AuthError `no-provider`
 * @example
 * useChangePassword().mutate()
 */
export function useChangePassword(): PopupMutationResult<undefined, PasswordRequest | void> {
  return usePopupMutation(changePasswordFlow, changePasswordMutation)
}
