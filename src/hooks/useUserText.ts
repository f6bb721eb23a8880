'use client'
// Says errors to users in the words of the nearest provider.
import { useContext } from 'react'
import { userText } from '../protocol/userText.ts'
import { AuthContext, useSay } from '../provider/context.ts'

/**
 * Returns the function that turns an error into a text for users, in the language of the nearest provider: its `messages`, else
 * those of its config. Outside a provider, English.
 *
 * @example
 * const textOf = useUserText()
 * const { error } = useLinkMap()
 * if (error) return <p role="alert">{textOf(error)}</p>
 */
export function useUserText(): (error: unknown) => string {
  const say = useSay(useContext(AuthContext))
  return (error) => userText(error, say)
}
