'use client'
// Says errors to users in the words of the nearest provider.
import { useContext } from 'react'
import { serversWords } from '../protocol/httpError.ts'
import { userText } from '../protocol/userText.ts'
import { AuthContext, useSay } from '../provider/context.ts'

/** What comes before latchkey's own sentences. */
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
  const say = useSay(useContext(AuthContext))
  return (error) =>
    map?.(error) ??
    (problemDetails ? serversWords(error, 'detail', 'title') : undefined) ??
    userText(error, say)
}
