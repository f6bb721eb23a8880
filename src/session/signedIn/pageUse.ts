// What the page itself means for a session: it is used or not, it sleeps, wakes, comes back and goes.
import { SESSION_CHECK_INTERVAL_MS } from '../../sessionConstants.ts'
import { logoutFailed } from '../../sessionErrors.ts'
import type { Context } from '../context.ts'
import type { Session } from './session.ts'

/** A start-up that failed is repeated; see `Boot`. */
interface StartUp {
  resume(): void
  pause(): void
  stop(): void
}

export class PageUse {
  readonly #context: Context
  readonly #session: Session
  readonly #startUp: StartUp
  #stopListening: (() => void)[] = []
  #checkedAtMs = -Infinity

  constructor(context: Context, session: Session, startUp: StartUp) {
    this.#context = context
    this.#session = session
    this.#startUp = startUp
  }

  /** The page is used: listens to it, and starts what a signed-in user needs. */
  run(): void {
    const { platform, store, tokens } = this.#context
    const { marker, refresh, tokenLife, running, kept } = this.#session.parts
    const wake = () => this.#wake()
    this.#setOnline(platform.isOnline())
    this.#stopListening = [
      platform.on('online', () => {
        this.#setOnline(true)
        wake()
      }),
      platform.on('offline', () => {
        this.#setOnline(false)
        this.#startUp.pause()
      }),
      platform.on('visible', wake),
      platform.on('resume', wake),
      // A click that brings the focus back must not tear down the error it is meant for.
      platform.on('focus', () => store.state.status !== 'failed' && wake()),
      platform.on('restored', () => this.#comeBack()),
      platform.on('pageshow', () => this.#joinMarker()),
      platform.on('pagehide', () => {
        marker.leave()
        kept?.leave()
      }),
      store.subscribe(() => this.#awaitSignIn()),
    ]
    this.#awaitSignIn()
    if (tokens.holding) {
      this.#joinMarker()
      refresh.schedule()
      tokenLife.check()
      running.start(false)
    }
    this.#startUp.resume()
  }

  /** Nobody uses the page any more: timers, listeners and channels stop; the session stays. */
  pause(): void {
    const { marker, refresh, tokenLife, running, tabs } = this.#session.parts
    for (const stop of this.#stopListening) stop()
    marker.leave()
    refresh.stop()
    tokenLife.stop()
    void running.stop('paused')
    tabs.close()
    this.#startUp.stop()
  }

  #setOnline(isOnline: boolean): void {
    this.#context.store.change({ type: 'flags', flags: { isOnline } })
  }

  /** Looks at everything that may have become due: idle time first, then whether the session still is, then the token. */
  #wake(): void {
    const { store, tokens } = this.#context
    const { marker, refresh, tokenLife, running } = this.#session.parts
    if (store.state.status === 'failed') return this.#startUp.resume()
    if (running.idle()?.check()) return
    if (tokens.holding && marker.isEndedElsewhere(tokens.holding.session))
      return void this.#session.send({ type: 'endedWhileAway' })
    // The app may have cleared the storage.
    this.#joinMarker()
    refresh.check()
    tokenLife.check()
    this.#checkSession()
  }

  /** A renewal is the cheapest look at the server: it says whether the session still exists, once for all tabs. */
  #checkSession(): void {
    const { settings, platform, tokens, timeline } = this.#context
    const nowMs = platform.now()
    const isRecent = Math.abs(nowMs - this.#checkedAtMs) < SESSION_CHECK_INTERVAL_MS
    if (!settings.checkSessionOnWake || !tokens.holding || isRecent || !platform.isOnline()) return
    if (tokens.ageMs() < SESSION_CHECK_INTERVAL_MS) return
    this.#checkedAtMs = nowMs
    timeline.record('session at the server', 'done', 'asked by a renewal')
    this.#session.parts.refresh.ensureFresh(true).catch(() => {})
  }

  /** This tab holds the session that there is. */
  #joinMarker(): void {
    const { holding } = this.#context.tokens
    if (holding) this.#session.parts.marker.join(holding.session)
  }

  /** Nobody is signed in here: somebody may sign in in another tab, or did while this one asked the server. */
  #awaitSignIn(): void {
    const { state } = this.#context.store
    if (state.status !== 'unauthenticated') return
    const others = this.#session.parts.tabs.open()
    if (state.reason === 'none' || state.reason === 'expired') others?.catchUp()
  }

  /** Back from the page the browser was sent to: the user did not want to leave. */
  #comeBack(): void {
    const { store, tokens, caches } = this.#context
    // This page has its session still: no other takes it.
    this.#session.parts.kept?.prepare()
    const { state } = store
    if (state.status === 'redirecting') {
      const isSignIn = state.to === 'login' || state.to === 'passthrough'
      const isOwed = !isSignIn && this.#session.parts.owedLogout.read()
      const cause = isOwed ? logoutFailed(undefined) : undefined
      if (tokens.holding) store.change({ type: 'authenticated', session: tokens.holding })
      else {
        // What was asked for on the way out may have been answered for the user who left.
        if (!isSignIn) void caches.clear()
        store.change({ type: 'absent', reason: isSignIn ? 'cancelled' : 'signed-out', cause })
      }
    }
    this.#wake()
  }
}
