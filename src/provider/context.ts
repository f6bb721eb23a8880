'use client'
// Passes the auth object from the provider to the hooks. The object never changes, so it causes no renders.
import { type Context, createContext, useContext } from 'react'
import { noProvider } from '../errors.ts'
import type { Auth } from '../session/auth.ts'

/** The auth object of the nearest `AuthProvider`. Exported for tests and for your own providers. */
export const AuthContext: Context<Auth | undefined> = createContext<Auth | undefined>(undefined)

/** Returns the auth object of the nearest provider. @throws AuthError `no-provider` */
export function useAuthObject(): Auth {
  const auth = useContext(AuthContext)
  if (!auth) throw noProvider()
  return auth
}
