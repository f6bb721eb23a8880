// Whether the user that work began for is still the one signed in, so that it never writes into the next one's cache.
import { notInitialised } from '../errors.ts'
import { notAuthenticated } from '../sessionErrors.ts'
import type { Auth } from '../session/auth.ts'

/**
 * Remembers the session of now; the answer tells later whether it still is. A renewal does not end it, a sign-out does,
 * also when the same user signs in again.
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
