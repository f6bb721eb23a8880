// Checks that the user has not changed since some work began, so that it never writes into the cache of the next user.
import { notInitialised } from '../base/errors.ts'
import { notAuthenticated } from '../base/sessionErrors.ts'
import type { Auth } from '../session/auth.ts'

/**
 * Remembers the current session. Returns a function that reports later whether it is still the same: true after a renewal,
 * false after a sign-out, even if the same user has signed in again.
 *
 * @throws AuthError `not-initialised`, `not-authenticated`
 */
export function rememberUser(auth: Auth): () => boolean {
  const state = auth.getState()
  if (state.status === 'initializing') throw notInitialised()
  if (state.status !== 'authenticated') throw notAuthenticated()
  const { user } = state
  return () => {
    const now = auth.getState()
    return now.status === 'authenticated' && now.user === user
  }
}
