// Reruns a router's loaders when the user changes, and knows whether their data belongs to the current user.
import { createSubscribers } from '../base/subscribers.ts'
import { identityOf } from '../protocol/identity.ts'
import type { Auth } from '../session/auth.ts'

/** The functions of a router that are used here. */
export interface RouterActions {
  /** Runs every loader again. */
  reload(): Promise<unknown>
  /** Reruns the loaders whose error is shown. */
  retryFailed(): Promise<unknown>
  /** Do the guards wait for a user, so that a sign-in needs no reload? */
  readonly isWaiting: boolean
}

/** The loaded data belongs to the current user if both numbers are equal. */
export interface RouterConnection {
  /** Counts how often the data was discarded. */
  wanted(): number
  /** The count for which loaders have returned data. */
  loaded(): number
  subscribe(listener: () => void): () => void
}

const connections = new WeakMap<Auth, RouterConnection>()

export const connectionOf = (auth: Auth): RouterConnection | undefined => connections.get(auth)

export const UNCONNECTED: RouterConnection = { wanted: () => 0, loaded: () => 0, subscribe: () => () => {} }

/** Returns the identity of the user, '' when signed out, and undefined during start-up and redirects. */
function identityNow(auth: Auth): string | undefined {
  const state = auth.getState()
  if (state.status === 'authenticated') return identityOf(state.user)
  return state.status === 'initializing' || state.status === 'redirecting' ? undefined : ''
}

/** Returns whether calls of loaders can work: they fail while the server is out of reach. */
function canCall(auth: Auth): boolean {
  const { isOnline, isTokenExpired } = auth.getState()
  return isOnline && !isTokenExpired
}

/** Connects a router with an auth object. Returns the function that disconnects them. */
export function connect(auth: Auth, router: RouterActions): () => void {
  // They are of React, and throw nothing.
  const { subscribe, notify } = createSubscribers(() => {})
  let loadedFor = identityNow(auth)
  let couldCall = canCall(auth)
  let wanted = 0
  let loaded = 0
  /** The user's data is being cleared, and the next state has not arrived. */
  let isDue = false

  async function reload(identity: string): Promise<void> {
    const run = (wanted += 1)
    loadedFor = identity
    isDue = false
    notify()
    // The router shows a loader's error.
    await router.reload().catch(() => {})
    if (run !== wanted) return
    loaded = run
    notify()
  }

  function follow(): void {
    const identity = identityNow(auth)
    const isBack = !couldCall && canCall(auth)
    couldCall = canCall(auth)
    if (identity === undefined) return
    // If a screen waits for its user to return, `onUserGone` is not called: the loaded data stays.
    const isKept = identity === '' && loadedFor !== undefined
    if (isDue) void reload(identity)
    else if (identity === loadedFor || isKept) {
      if (isBack) void router.retryFailed().catch(() => {})
    } else if (loadedFor === undefined || (router.isWaiting && loadedFor === '')) loadedFor = identity
    else void reload(identity)
  }

  const stopFollowing = auth.subscribe(follow)
  const stopForgetting = auth.onUserGone(() => {
    isDue = true
    wanted += 1
    notify()
  })
  const connection: RouterConnection = { wanted: () => wanted, loaded: () => loaded, subscribe }
  connections.set(auth, connection)
  return () => {
    stopFollowing()
    stopForgetting()
    if (connections.get(auth) === connection) connections.delete(auth)
  }
}
