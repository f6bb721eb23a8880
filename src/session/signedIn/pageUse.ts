// Follows the page: in use or not, hidden, asleep, back, leaving.
import { ATTEMPT_LIFETIME_MS } from '../../base/constants.ts'
import { createTimer } from '../../base/timer.ts'
import { REASONS } from '../../protocol/signedOutReasons.ts'
import { SESSION_CHECK_INTERVAL_MS } from '../../base/sessionConstants.ts'
import { logoutFailed } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import type { Feature } from '../feature.ts'
import type { RedirectTarget } from '../state.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import { endWith } from './lifecycle.ts'
import type { Session } from './session.ts'
import type { TokenRefresh } from './tokenRefresh.ts'

/** Longer than a page takes to go. */
const DEPARTURE_LIMIT_MS = 5_000

interface PageParts {
  startUp: { readonly repeats: { resume(): void }; start(): Promise<void>; stop(): void }
  refresh: TokenRefresh
  session: Pick<Session, 'run' | 'stop' | 'stillCounts'>
  features: readonly Feature[]
  otherTabs: OtherTabs
}

export function createPageUse(
  context: Context,
  { startUp, refresh, session, features, otherTabs }: PageParts,
) {
  const { settings, platform, store, timeline, tokens, marker, record, reachability, page } = context
  /** Hidden, frozen, unmounted, or in the bfcache: the page may miss the end of its session. */
  let isAway = false
  let checkedAtMs = -Infinity
  const oldAttempts = createForgetting(context)
  const setOnline = (isOnline: boolean) => {
    if (!isOnline) reachability.doubt()
    store.change({ type: 'flags', flags: { isOnline } })
  }
  /** Whether this page's session still counts. Synchronous, so that a session that has ended is never shown. */
  const look = () => {
    if (!session.stillCounts(isAway)) return false
    // The app may have cleared the storage.
    record.keep()
    if (tokens.current) marker.join()
    return true
  }
  /** A renewal is the cheapest check whether the session still exists, once for all tabs. */
  const checkSession = () => {
    const nowMs = platform.now()
    const knownForMs = Math.min(Math.abs(nowMs - checkedAtMs), tokens.ageMs())
    if (!settings.checkSessionOnWake || !tokens.current || knownForMs < SESSION_CHECK_INTERVAL_MS) return
    checkedAtMs = nowMs
    timeline.record('session at the server', 'done', 'asked by a renewal')
    refresh.ensureFresh(true).catch(() => {})
  }
  /** From now on the page may miss messages. `hidden` also follows `pagehide`, when the tab has left the marker: no second look. */
  const leave = () => {
    if (!isAway) look()
    isAway = true
  }
  const mustEnd = () => features.some(({ check }) => check?.())
  /** Checks everything that may be due: first whether the session still counts, then its deadlines, then the token. */
  const wake = () => {
    reachability.doubt()
    oldAttempts.forget()
    if (store.state.status === 'failed') return startUp.repeats.resume()
    if (!look() || mustEnd()) return
    refresh.check()
    checkSession()
  }
  /** Signed out here: a user may sign in in another tab, or has done so meanwhile. */
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
  /** Back after a time without messages: another tab may have signed in, switched or renewed. */
  const comeBack = () => {
    isAway = true
    const { status } = store.state
    if (look() && (tokens.current || (status === 'unauthenticated' && record.now()?.user !== undefined)))
      otherTabs.open()?.catchUp()
    isAway = false
  }

  return {
    checkSession,
    /** The page is in use: starts up, listens, and runs what a signed-in user needs. */
    run() {
      setOnline(platform.isOnline())
      endWith(page(), [
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
        // A click that focuses the page must not remove the error it is meant for.
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
      ])
      comeBack()
      awaitSignIn()
      if (tokens.current && !mustEnd()) {
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
      marker.leave()
      refresh.stop()
      void session.stop('paused')
      otherTabs.close()
      startUp.stop()
    },
  }
}

/** Removes the verifier of an abandoned sign-in after ten minutes. */
function createForgetting({ platform, tabRecords }: Pick<Context, 'platform' | 'tabRecords'>) {
  const timer = createTimer(platform)
  const forget = () => {
    timer.clear()
    if (tabRecords.forgetOld(platform.now())) timer.set(ATTEMPT_LIFETIME_MS + 1, forget)
  }
  return { forget, forgetSoon: () => timer.set(0, forget), cancel: timer.clear }
}

/** Shows the app again if the page is still here after 5 s: not every browser reports that the user stays, and a logout page may be a download or empty. */
function createDeparture({ platform, store, tokens, caches, pendingLogout }: Context, show: () => void) {
  const timer = createTimer(platform)
  const isToSignIn = (to: RedirectTarget) => to === 'login' || to === 'passthrough'
  const stay = () => {
    const { state } = store
    if (state.status !== 'redirecting') return
    const isSignIn = isToSignIn(state.to)
    const owed = isSignIn ? undefined : pendingLogout.read()
    if (tokens.current) show()
    else {
      // Queries on the way out may have got data of the user who left.
      if (!isSignIn) void caches.clear()
      const reason = isSignIn ? 'cancelled' : (owed?.reason ?? 'signed-out')
      store.change({ type: 'absent', reason, cause: owed && logoutFailed(undefined) })
    }
  }
  const watch = () => {
    const { state } = store
    timer.clear()
    if (state.status !== 'redirecting') return
    // Another environment is reached via the logout page, too.
    if (!tokens.current && isToSignIn(state.to) && platform.isStayTold) return
    timer.set(DEPARTURE_LIMIT_MS, () => {
      if (tokens.current || platform.isVisible()) stay()
      else watch()
    })
  }
  return { watch, stay, cancel: timer.clear }
}
