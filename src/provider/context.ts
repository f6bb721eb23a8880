'use client'
// Passes the auth object, its platform and its texts from the provider to the hooks; reads its state before the browser paints.
import {
  type Context,
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { noProvider } from '../base/errors.ts'
import type { Auth } from '../session/auth.ts'
import { onKey } from '../session/platform/browserOverlay.ts'
import { createBrowserPlatform, isBrowser } from '../session/platform/browserPlatform.ts'
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

/** Returns the platform of the nearest provider, or the browser's. */
export function usePlatform(): Platform {
  const auth = useContext(AuthContext)
  return auth ? internalsOf(auth).platform : PAGE
}

/** The texts of the nearest `<AuthProvider messages>`. */
export const MessagesContext: Context<Messages | undefined> = createContext<Messages | undefined>(undefined)

/** Returns a text by its name. */
export type Say = (name: MessageName, values?: MessageValues) => string

/** The texts in the current language; English if neither provider nor config has one. */
export function useSay(): Say {
  const auth = useContext(AuthContext)
  const ofProvider = useContext(MessagesContext)
  const messages = ofProvider ?? (auth ? internalsOf(auth).settings.messages : undefined)
  return useCallback((name, values) => textOf(messages ?? {}, name, values), [messages])
}

/** Counts mounted components of one kind, per auth object. */
function createCount() {
  const counts = new WeakMap<Auth, number>()
  const change = (auth: Auth, by: number) => void counts.set(auth, (counts.get(auth) ?? 0) + by)
  return {
    /** Call it when one mounts. Returns the function for its unmount. */
    add(auth: Auth): () => void {
      change(auth, 1)
      return () => change(auth, -1)
    },
    has: (auth: Auth): boolean => (counts.get(auth) ?? 0) > 0,
  }
}
type Count = ReturnType<typeof createCount>

/** Gates and dialogs with their own sign-in button, so that a notice adds no second one. */
export const signInPages: Count = /* @__PURE__ */ createCount()

/** Dialogs over the page that ask the user to sign in again. */
export const dialogs: Count = /* @__PURE__ */ createCount()

/** Gates that show something over their content when the session expires. */
export const expiredScreens: Count = /* @__PURE__ */ createCount()

/** Call it when such a gate mounts, before the modals in it: none receives an Escape while the dialog is open. */
export function addExpiredScreen(auth: Auth): () => void {
  const removals = [onKey('Escape', () => dialogs.has(auth)), expiredScreens.add(auth)]
  return () => removals.forEach((remove) => remove())
}

// A layout effect, so that nothing is painted between two users. Servers warn about layout effects.
export const useBeforePaint = isBrowser ? useLayoutEffect : useEffect

/**
 * React's `useSyncExternalStore`, which also compares right before the first paint of a screen that an `<Activity>` had hidden:
 * React itself subscribes and compares only afterwards. Components that show a user's data read it with this one.
 */
export const useStoreBeforePaint: typeof useSyncExternalStore = (subscribe, read, readFirst) => {
  const value = useSyncExternalStore(subscribe, read, readFirst)
  const [, update] = useState<unknown>()
  useBeforePaint(() => {
    if (!Object.is(read(), value)) update({})
  })
  return value
}
