'use client'
// Changes the password in a popup, or in place of the app (contract §3 "change password").
import {
  changePasswordFlow,
  changePasswordMutation,
  type PasswordRequest,
} from '../queries/changePassword.ts'
import { type PopupMutationResult, usePopupMutation } from './usePopupMutation.ts'

/**
 * Opens the page on which the password is changed. Variables: `{ how: 'navigation' }` leaves the app for it; otherwise a
 * popup, so call `mutate()` in a click.
 *
 * @throws AuthError `no-provider`
 * @example
 * useChangePassword().mutate()
 */
export function useChangePassword(): PopupMutationResult<undefined, PasswordRequest | void> {
  return usePopupMutation(changePasswordFlow, changePasswordMutation)
}
