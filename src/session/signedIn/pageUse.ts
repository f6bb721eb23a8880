// What the page itself means for a session: it is used or not, it sleeps, wakes, comes back and goes (contract §8).
import { logoutFailed } from '../../sessionErrors.ts'
import type { Context } from '../context.ts'
import type { Session } from './session.ts'

export interface PageUse {
  /** The page is used: listens to it, and starts what a signed-in user needs. */
  run(): void
  /** Nobody uses the page any more: timers, listeners and channels stop; the session stays. */
  pause(): void
  /** Looks at everything that may have become due: idle time first, then whether the session still is, then the token. */
  wake(): void
}

/** `resumeStartUp`: start-up had failed, and it may be time for the next attempt. */
export function createPageUse(context: Context, session: Session, resumeStartUp: () => void): PageUse {
  const { platform, store, tokens } = context
  const { marker, refresh, tokenLife, running, tabs } = session.parts
  const { wake, joinMarker, awaitSignIn, comeBack } = createReactions(context, session, resumeStartUp)
  let stopListening: (() => void)[] = []

  return {
    wake,
    run() {
      stopListening = [
        platform.on('visible', wake),
        platform.on('resume', wake),
        // A click that brings the focus back must not tear down the error it is meant for.
        platform.on('focus', () => store.state.status !== 'failed' && wake()),
        platform.on('restored', comeBack),
        platform.on('pageshow', joinMarker),
        platform.on('pagehide', marker.leave),
        store.subscribe(awaitSignIn),
      ]
      awaitSignIn()
      if (!tokens.holding) return
      joinMarker()
      refresh.schedule()
      tokenLife.check()
      running.start(false)
    },
    pause() {
      for (const stop of stopListening) stop()
      marker.leave()
      refresh.stop()
      tokenLife.stop()
      void running.stop('paused')
      tabs.close()
    },
  }
}

function createReactions({ store, tokens }: Context, { parts, send }: Session, resumeStartUp: () => void) {
  const { marker, refresh, tokenLife, running, tabs, owedLogout } = parts

  /** This tab holds the session that there is. */
  const joinMarker = () => {
    if (tokens.holding) marker.join(tokens.holding.session)
  }
  const wake = () => {
    if (store.state.status === 'failed') return resumeStartUp()
    if (running.idle()?.check()) return
    if (tokens.holding && marker.isEndedElsewhere(tokens.holding.session))
      return void send({ type: 'endedWhileAway' })
    // The app may have cleared the storage.
    joinMarker()
    refresh.check()
    tokenLife.check()
  }
  return {
    joinMarker,
    wake,
    /** Nobody is signed in here: somebody may sign in in another tab, or did while this one asked the server. */
    awaitSignIn() {
      const { state } = store
      if (state.status !== 'unauthenticated') return
      const others = tabs.open()
      if (state.reason === 'none' || state.reason === 'expired') others?.catchUp()
    },
    /** Back from the page the browser was sent to: the user did not want to leave. */
    comeBack() {
      const { state } = store
      if (state.status === 'redirecting') {
        const isSignIn = state.to === 'login' || state.to === 'passthrough'
        const cause = !isSignIn && owedLogout.read() ? logoutFailed(undefined) : undefined
        if (tokens.holding) store.change({ type: 'authenticated', session: tokens.holding })
        else store.change({ type: 'absent', reason: isSignIn ? 'cancelled' : 'signed-out', cause })
      }
      wake()
    },
  }
}
