'use client'
// Shows an error to the user: as a text in their language, or as the screen of a refused call.
import { type ReactNode, useContext } from 'react'
import { AuthError } from '../base/errors.ts'
import { serversWords } from '../protocol/httpError.ts'
import { userText } from '../protocol/userText.ts'
import { useSay } from '../provider/context.ts'
import { GateContext, showForbidden } from '../provider/forbidden.tsx'
import { useLastUser } from './useAuth.ts'

/** A call that the user may not make. */
export interface Forbidden {
  /** With `status`, `body`, `description` in the server's own words, and the `scopes` that it asks for (RFC 6750 `insufficient_scope`). */
  readonly error: AuthError
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
  const { forbidden: content } = useContext(GateContext)
  const user = useLastUser()
  if (!(error instanceof AuthError && error.code === 'forbidden')) return undefined
  return { error, screen: showForbidden(content, user, error) }
}

/** Texts that take precedence over latchkey's own. */
export interface UserTextOptions {
  /** Your own sentence for an error; `undefined` where you have none. Asked first. */
  map?: ((error: unknown) => string | undefined) | undefined
  /**
   * Whether to show the server's own words where it sends problem details (RFC 9457): `detail`, else `title`, on one line, at
   * most 300 characters. For an API that writes them for users. Default false.
   */
  problemDetails?: boolean | undefined
}

/**
 * Returns the function that turns an error into a text for users, in the language of the nearest provider: its `messages`, else
 * those of its config. Outside a provider, English.
 *
 * @example
 * const textOf = useUserText({ map: (error) => (isHttpError(error, 409) ? 'A colleague was faster.' : undefined) })
 * const { error } = useLinkMap()
 * if (error) return <p role="alert">{textOf(error)}</p>
 */
export function useUserText({ map, problemDetails = false }: UserTextOptions = {}): (
  error: unknown,
) => string {
  const say = useSay()
  return (error) =>
    map?.(error) ??
    (problemDetails ? serversWords(error, 'detail', 'title') : undefined) ??
    userText(error, say)
}
