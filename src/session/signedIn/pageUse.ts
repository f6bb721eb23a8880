// What the page itself means for a session: it is used or not, it sleeps, wakes, comes back and goes.
import { ATTEMPT_LIFETIME_MS } from '../../base/constants.ts'
import { createTimer } from '../../base/timer.ts'
import { REASONS } from '../../protocol/signedOutReasons.ts'
import { SESSION_CHECK_INTERVAL_MS } from '../../base/sessionConstants.ts'
import { logoutFailed } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import type { RedirectTarget } from '../state.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { Session } from './session.ts'
import type { TokenRefresh } from './tokenRefresh.ts'

/** Longer than a page takes to go. */
const DEPARTURE_LIMIT_MS = 5_000

export interface PageParts {
  startUp: { readonly repeats: { resume(): void; pause(): void }; start(): Promise<void>; stop(): void }
  refresh: TokenRefresh
  session: Pick<Session, 'run' | 'stop' | 'stillCounts'>
  idleLogout: { check(): boolean }
  otherTabs: OtherTabs
}

export function createPageUse(
  context: Context,
  { startUp, refresh, session, idleLogout, otherTabs }: PageParts,
) {
  const { settings, platform, store, timeline, tokens, marker, record, reachability, page } = context
  /** The page is hidden, frozen, unmounted, or in the back/forward cache: of an end it may hear nothing. */
  let isAway = false
  let stopListening: (() => void)[] = []
  let checkedAtMs = -Infinity
  const oldAttempts = createForgetting(context)
  const setOnline = (isOnline: boolean) => {
    if (!isOnline) reachability.doubt()
    store.change({ type: 'flags', flags: { isOnline } })
  }
  /** Whether what this page holds or shows still counts. Synchronous: nothing of a session that has ended is shown first. */
  const look = () => {
    if (!session.stillCounts(isAway)) return false
    // The app may have cleared the storage.
    record.keep()
    if (tokens.current) marker.join()
    return true
  }
  /** A renewal is the cheapest look at the server: it says whether the session still exists, once for all tabs. */
  const checkSession = () => {
    const nowMs = platform.now()
    const isRecent = Math.abs(nowMs - checkedAtMs) < SESSION_CHECK_INTERVAL_MS
    if (!settings.checkSessionOnWake || !tokens.current || isRecent) return
    if (tokens.ageMs() < SESSION_CHECK_INTERVAL_MS) return
    checkedAtMs = nowMs
    timeline.record('session at the server', 'done', 'asked by a renewal')
    refresh.ensureFresh(true).catch(() => {})
  }
  /** From now on the page may hear nothing. A page that goes is hidden after `pagehide`: then it is no tab of the session any more. */
  const leave = () => {
    if (!isAway) look()
    isAway = true
  }
  /** Looks at everything that may have become due: whether the session still counts first, then idle time, then the token. */
  const wake = () => {
    reachability.doubt()
    oldAttempts.forget()
    if (store.state.status === 'failed') return startUp.repeats.resume()
    if (!look() || idleLogout.check()) return
    refresh.check()
    checkSession()
  }
  /** Signed out here: a user may sign in in another tab, or did while this one asked the server. */
  const awaitSignIn = () => {
    const { state } = store
    if (state.status !== 'unauthenticated' && state.status !== 'failed') return
    const others = otherTabs.open()
    if (state.status === 'unauthenticated' && REASONS[state.reason].mayReturn) others?.catchUp()
  }
  const departure = createDeparture(context, () => {
    if (!look()) return
    store.change({ type: 'authenticated', session: tokens.current! })
    session.run()
  })
  /** Back from where it heard nothing: of a sign-in, a switch and a renewal neither. */
  const comeBack = () => {
    isAway = true
    const { status } = store.state
    if (look() && (tokens.current || (status === 'unauthenticated' && record.now()?.user !== undefined)))
      otherTabs.open()?.catchUp()
    isAway = false
  }

  return {
    checkSession,
    /** The page is used: starts up, listens to it, and starts what a signed-in user needs. */
    run() {
      setOnline(platform.isOnline())
      stopListening = [
        platform.on('online', () => {
          setOnline(true)
          wake()
        }),
        platform.on('offline', () => setOnline(false)),
        platform.on('visible', () => {
          wake()
          isAway = false
        }),
        platform.on('hidden', leave),
        platform.on('resume', () => {
          comeBack()
          wake()
        }),
        // A click that brings the focus back must not tear down the error it is meant for.
        platform.on('focus', () => store.state.status !== 'failed' && wake()),
        platform.on('restored', () => {
          comeBack()
          departure.stay()
          wake()
        }),
        platform.on('stayed', departure.stay),
        platform.on('pageshow', look),
        platform.on('pagehide', () => {
          leave()
          marker.leave()
          timeline.leave()
        }),
        store.subscribe(() => {
          awaitSignIn()
          departure.watch()
          if (store.state.status === 'redirecting') oldAttempts.forget()
        }),
        oldAttempts.cancel,
        departure.cancel,
      ]
      comeBack()
      awaitSignIn()
      if (tokens.current && !idleLogout.check()) {
        refresh.schedule()
        session.run()
      }
      startUp.repeats.resume()
      const used = page()
      void startUp.start().then(() => {
        // Once the app is shown.
        if (!used.aborted) oldAttempts.forgetSoon()
      })
    },
    /** The last provider has unmounted: timers, listeners and channels stop; the session stays. */
    pause() {
      for (const stop of stopListening) stop()
      marker.leave()
      refresh.stop()
      void session.stop('paused')
      otherTabs.close()
      startUp.stop()
    },
  }
}

/** The verifier of a sign-in that never came back is kept for ten minutes, even if no other sign-in begins. */
function createForgetting({ platform, tabRecords }: Pick<Context, 'platform' | 'tabRecords'>) {
  const timer = createTimer(platform)
  const forget = () => {
    timer.clear()
    if (tabRecords.forgetOld(platform.now())) timer.set(ATTEMPT_LIFETIME_MS + 1, forget)
  }
  return { forget, forgetSoon: () => timer.set(0, forget), cancel: timer.clear }
}

/** Not every browser tells that the user stays, and a logout page may be a download or empty: a page that is still here after 5 s shows the app. */
function createDeparture(
  { platform, store, tokens, caches, pendingLogout }: Context,
  /** Shows who is signed in, where that still counts. */
  show: () => void,
) {
  const timer = createTimer(platform)
  const isToSignIn = (to: RedirectTarget) => to === 'login' || to === 'passthrough'
  const stay = () => {
    const { state } = store
    if (state.status !== 'redirecting') return
    const isSignIn = isToSignIn(state.to)
    const owed = isSignIn ? undefined : pendingLogout.read()
    if (tokens.current) show()
    else {
      // What was asked for on the way out may have been answered for the user who left.
      if (!isSignIn) void caches.clear()
      const reason = isSignIn ? 'cancelled' : (owed?.reason ?? 'signed-out')
      store.change({ type: 'absent', reason, cause: owed && logoutFailed(undefined) })
    }
  }
  const watch = () => {
    const { state } = store
    timer.clear()
    if (state.status !== 'redirecting') return
    // To another environment the way leads over the logout page, too.
    if (!tokens.current && isToSignIn(state.to) && platform.isStayTold) return
    timer.set(DEPARTURE_LIMIT_MS, () => {
      if (tokens.current || platform.isVisible()) stay()
      else watch()
    })
  }
  return { watch, stay, cancel: timer.clear }
}
