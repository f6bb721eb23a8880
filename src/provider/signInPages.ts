// Which sessions have a sign-in button of ours in the page already: a notice needs no second one.
import type { Auth } from '../session/auth.ts'

const counts = new WeakMap<Auth, number>()

/** A gate that shows the sign-in button by itself has mounted; returns the end of it. */
export function addSignInPage(auth: Auth): () => void {
  counts.set(auth, (counts.get(auth) ?? 0) + 1)
  return () => void counts.set(auth, counts.get(auth)! - 1)
}

export const hasSignInPage = (auth: Auth): boolean => (counts.get(auth) ?? 0) > 0
