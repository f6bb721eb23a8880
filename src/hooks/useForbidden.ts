'use client'
// Tells a call that was refused for lack of rights from other failures, and what to show then.
import { type ReactNode, useContext } from 'react'
import { AuthError } from '../base/errors.ts'
import { useAuthObject } from '../provider/context.ts'
import { GateContext, showForbidden } from '../provider/forbidden.tsx'
import { useLastUser } from './useAuth.ts'

/** A call that the user may not make. */
export interface Forbidden {
  /** With `status`, `body` and the members below. */
  readonly error: AuthError
  /** Why, in the server's own words, on one line; `undefined` where it says nothing. */
  readonly description: string | undefined
  /** The scopes that the server asks for (RFC 6750 `insufficient_scope`). Default: none. */
  readonly scopes: readonly string[]
  /** The `forbidden` of the nearest `<Authenticated>`, else a sentence and the server's words. */
  readonly screen: ReactNode
}

/**
 * Returns what to show when a call was refused for lack of rights (403); `undefined` for every other error, and for none. For
 * errors of `auth.fetch`, of `useAuthed`, and of latchkey's own hooks, also in an error boundary.
 *
 * @example
 * const { data, error } = useAuthed(invoices)
 * const forbidden = useForbidden(error)
 * if (forbidden) return forbidden.screen
 */
export function useForbidden(error: unknown): Forbidden | undefined {
  const auth = useAuthObject()
  const { forbidden: content } = useContext(GateContext)
  const user = useLastUser()
  if (!(error instanceof AuthError && error.code === 'forbidden')) return undefined
  const { description, scopes = [] } = error
  return { error, description, scopes, screen: showForbidden(auth, content, user, error) }
}
