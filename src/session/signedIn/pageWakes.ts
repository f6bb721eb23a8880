// What happens when the page wakes, comes back or goes: idle time first, then whether the session still is, then the token (contract §8).
import { logoutFailed } from '../../sessionErrors.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import type { SessionMarker } from './sessionMarker.ts'
import type { Idle } from './idle.ts'
import type { Platform } from '../platform/platform.ts'
import type { TokenRefresh } from './tokenRefresh.ts'
import type { Store } from '../store.ts'
import type { Tabs } from '../tabs/tabChannel.ts'
import type { TokenLife } from './tokenLife.ts'
import type { TokenStore } from './tokenStore.ts'

export interface PageWakesOptions {
  platform: Pick<Platform, 'on'>
  store: Store
  vault: TokenStore
  hint: SessionMarker
  renewal: TokenRefresh
  tokenLife: TokenLife
  idle(): Idle | undefined
  tabs(): Tabs | undefined
  /** Ends a session that was ended elsewhere while this page was frozen. */
  endLate(reason: SignedOutReason): void
  /** Nobody knows whether the server has heard of the last logout. */
  isLogoutOwed(): boolean
  /** Start-up had failed: it may be time for the next attempt. */
  resumeStartUp(): void
}

export interface PageWakes {
  /** Looks at everything that may have become due. */
  wake(): void
  /** Nobody is signed in here: somebody may sign in in another tab, or did while this one asked the server. */
  awaitSignIn(): void
  /** This tab holds the session that there is. */
  joinSession(): void
  /** Listens to the page; returns the end of it. */
  listen(): () => void
}

export function createPageWakes(options: PageWakesOptions): PageWakes {
  const { platform, store, vault, hint, renewal, tokenLife } = options

  function joinSession() {
    if (vault.holding) hint.join(vault.holding.session)
  }
  function wake() {
    if (store.state.status === 'failed') return options.resumeStartUp()
    if (options.idle()?.check()) return
    const session = vault.holding?.session
    if (session !== undefined && hint.isEndedElsewhere(session)) return options.endLate('signed-out')
    // The app may have cleared the storage.
    joinSession()
    renewal.check()
    tokenLife.check()
  }
  function awaitSignIn() {
    const { state } = store
    if (state.status !== 'unauthenticated') return
    const mayHaveSession = state.reason === 'none' || state.reason === 'expired'
    const tabs = options.tabs()
    if (mayHaveSession) tabs?.catchUp()
  }
  /** Back from the page the browser was sent to: the user did not want to leave. */
  function comeBack() {
    const { state } = store
    if (state.status === 'redirecting') {
      if (vault.holding) store.change({ type: 'authenticated', session: vault.holding })
      else {
        const isSignIn = state.to === 'login' || state.to === 'passthrough'
        const cause = !isSignIn && options.isLogoutOwed() ? logoutFailed(undefined) : undefined
        store.change({ type: 'absent', reason: isSignIn ? 'cancelled' : 'signed-out', cause })
      }
    }
    wake()
  }

  return {
    wake,
    awaitSignIn,
    joinSession,
    listen() {
      const removals = [
        ...(['visible', 'resume'] as const).map((event) => platform.on(event, wake)),
        // A click that brings the focus back must not tear down the error it is meant for.
        platform.on('focus', () => store.state.status !== 'failed' && wake()),
        platform.on('restored', comeBack),
        platform.on('pageshow', joinSession),
        platform.on('pagehide', hint.leave),
        store.subscribe(awaitSignIn),
      ]
      return () => {
        for (const remove of removals) remove()
      }
    },
  }
}
