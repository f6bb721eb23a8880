// The texts of the nearest provider: those of its `messages`, else those of the config.
import { type Context, createContext, useContext } from 'react'
import { type MessageName, type Messages, type MessageValues, textOf } from '../protocol/messages.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'

/** That of the nearest `<AuthProvider messages>`. */
export const MessagesContext: Context<Messages | undefined> = createContext<Messages | undefined>(undefined)

/** Says a text by its name. */
export type Say = (name: MessageName, values?: MessageValues) => string

/** The texts in the language of now; English where neither provider nor config has one. */
export function useSay(auth: Auth | undefined): Say {
  const ofProvider = useContext(MessagesContext)
  const messages = ofProvider ?? (auth ? internalsOf(auth).settings.messages : {})
  return (name, values) => textOf(messages, name, values)
}
