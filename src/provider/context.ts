'use client'
// Passes the auth object, its platform and its texts from the provider to the hooks. The object never changes, so it causes no renders.
import { type Context, createContext, useContext } from 'react'
import { noProvider } from '../base/errors.ts'
import type { Auth } from '../session/auth.ts'
import { onKey } from '../session/platform/browserOverlay.ts'
import { createBrowserPlatform } from '../session/platform/browserPlatform.ts'
import type { Platform } from '../session/platform/platform.ts'
import { internalsOf } from '../session/internals.ts'
import { type MessageName, type Messages, type MessageValues, textOf } from '../protocol/messages.ts'

/** The auth object of the nearest `AuthProvider`. Exported for tests and for your own providers. */
export const AuthContext: Context<Auth | undefined> = createContext<Auth | undefined>(undefined)

/** Returns the auth object of the nearest provider. @throws AuthError `no-provider` */
export function useAuthObject(): Auth {
  const auth = useContext(AuthContext)
  if (!auth) throw noProvider()
  return auth
}

const PAGE: Platform = /* @__PURE__ */ createBrowserPlatform()

/** Returns the platform of the nearest provider; without one, that of the page. */
export function usePlatform(): Platform {
  const auth = useContext(AuthContext)
  return auth ? internalsOf(auth).platform : PAGE
}

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

/** The sign-in buttons in sight, so that a notice adds no second one. */
const signInPages = new WeakMap<Auth, number>()

/** Call it when a gate with its own sign-in button mounts. Returns the function for its unmount. */
export function addSignInPage(auth: Auth): () => void {
  signInPages.set(auth, (signInPages.get(auth) ?? 0) + 1)
  return () => void signInPages.set(auth, signInPages.get(auth)! - 1)
}

export const hasSignInPage = (auth: Auth): boolean => (signInPages.get(auth) ?? 0) > 0

/** Those whose user is asked in a dialog over the page to sign in again. */
const asking = new WeakSet<Auth>()

/** Call it when the dialog mounts. Returns the function for its unmount. */
export function addDialog(auth: Auth): () => void {
  asking.add(auth)
  return () => void asking.delete(auth)
}

/** The gates that show something over their content when the session expires. */
const expiredScreens = new WeakMap<Auth, number>()

/** Call it when such a gate mounts, before the modals in it: none receives an Escape while the dialog is open. */
export function addExpiredScreen(auth: Auth): () => void {
  const stop = onKey('Escape', () => asking.has(auth))
  expiredScreens.set(auth, (expiredScreens.get(auth) ?? 0) + 1)
  return () => {
    stop()
    expiredScreens.set(auth, expiredScreens.get(auth)! - 1)
  }
}

export const hasExpiredScreen = (auth: Auth): boolean => (expiredScreens.get(auth) ?? 0) > 0
