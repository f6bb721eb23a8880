'use client'
// Carries the auth object from the provider to the hooks; the object never changes, so carrying it renders nothing.
import { type Context, createContext, useContext } from 'react'
import { noProvider } from '../errors.ts'
import type { Auth } from '../session/auth.ts'

/** The auth object of the nearest `AuthProvider`. Exported for tests and for providers of your own. */
export const AuthContext: Context<Auth | undefined> = createContext<Auth | undefined>(undefined)

/** The auth object of the nearest provider. @throws AuthError `no-provider` */
export function useAuthObject(): Auth {
  const auth = useContext(AuthContext)
  if (!auth) throw noProvider()
  return auth
}
