// Counts the sign-in buttons of `<Authenticated>`, so that a notice adds no second one.
import type { Auth } from '../session/auth.ts'

const counts = new WeakMap<Auth, number>()

/** Call it when a gate with its own sign-in button mounts. Returns the function for its unmount. */
export function addSignInPage(auth: Auth): () => void {
  counts.set(auth, (counts.get(auth) ?? 0) + 1)
  return () => void counts.set(auth, counts.get(auth)! - 1)
}

export const hasSignInPage = (auth: Auth): boolean => (counts.get(auth) ?? 0) > 0
