// Runs start-up once, joins later calls, and repeats it after a temporary failure.
import { notInitialised } from '../../base/errors.ts'
import { parseClash } from '../../protocol/eventHooks.ts'
import { asAuthError } from '../../protocol/signIn.ts'
import { sessionClash } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import { openPage, type OpenedPageParts } from './openedPage.ts'
import { createRepeats } from './repeats.ts'
import { isAway, type Retry, type StartUpEnd, startUp } from './startUp.ts'

export interface BootParts extends OpenedPageParts {
  /** Reads whether the user was idle when the page opened, before another tab cleans up. */
  idleLogout: { lookForAbsence(): void }
  /** In a popup or frame of latchkey no session begins. */
  ownWindow: { kind(): string | undefined; end(): Promise<void> }
}

export function createBoot(context: Context, parts: BootParts) {
  const { platform, page, store, tokens, caches, tabRecords } = context
  const { session, idleLogout, ownWindow } = parts
  let starting: Promise<void> | undefined
  /** A start-up that has a code. */
  let exchanging: Promise<unknown> | undefined
  /** `repeat`: start-up had failed, and is being repeated without a click. */
  let phase: 'first' | 'repeat' | 'ended' = 'first'
  let isNewPage = true
  /** The state stays `failed` during a repeat: a user about to press "Try again" keeps the button, and its focus. */
  const repeats = createRepeats(context, () => {
    if (store.state.status !== 'failed') return
    phase = 'repeat'
    starting = undefined
    void start()
  })

  const start = (): Promise<void> => (starting ??= run(page()))
  const run = async (used: AbortSignal): Promise<void> => {
    // In latchkey's own frame or popup the page must not begin a session.
    if (ownWindow.kind()) return ownWindow.end()
    const activation = platform.untilActive?.()
    if (activation) {
      await activation
      // The last provider has unmounted: the next start begins anew.
      if (used.aborted) return
    }
    // Restarted during a code exchange: wait for it. Codes are single-use.
    if (exchanging) await exchanging
    idleLogout.lookForAbsence()
    const scope = session.signal()
    /** The user has signed out since, has signed in in a popup, or is leaving the page. */
    const isOvertaken = () =>
      scope.aborted || tokens.current !== undefined || store.state.status === 'redirecting'
    const opened = openPage(context, parts, { page: used, isNewPage, isOvertaken })
    isNewPage = false
    const ending = startUp(opened)
    exchanging = opened.callback?.type === 'answer' ? ending : undefined
    const found = await ending
    if (used.aborted) return
    phase = 'ended'
    const end = isOvertaken() ? undefined : found
    if (end?.type !== 'failed' || !end.canPass) repeats.forget()
    if (end) endWithout(end)
  }
  /** No session was found: shows the reason, with the clash stored before the logout page, or the failure. */
  const endWithout = (end: StartUpEnd): void => {
    // Another tab, or an earlier start-up that was aborted, has found a session meanwhile.
    if (tokens.current) return
    if (end.type === 'failed') {
      store.change({ type: 'failed', error: end.error, retry: () => retry(end.retry) })
      if (end.canPass) repeats.plan(end.error)
      return
    }
    if (end.cause?.code === 'identity-changed') {
      caches.expect(tabRecords.takeUser())
      void caches.clear()
    }
    const clash = parseClash(end.clash)
    store.change(clash ? { ...end, cause: sessionClash(clash) } : end)
  }
  const retry = (how: Retry) => {
    if (how === 'start-up' || phase === 'repeat') return restart()
    session.logIn().catch((thrown: unknown) => {
      const error = asAuthError(thrown)
      endWithout({ type: 'failed', error, canPass: isAway(error), retry: 'login' })
    })
  }
  const restart = () => {
    // After `dispose()` or a sign-in nothing is retried.
    if (store.state.status !== 'failed') return
    repeats.cancel()
    store.change({ type: 'restarted' })
    // A click during a repeat shows `initializing`, and starts no second start-up.
    if (phase === 'repeat') return
    starting = undefined
    // While no component uses the page, start-up waits for the next one that does.
    if (!page().aborted) void start()
  }

  return {
    repeats,
    start,
    /** The last provider has unmounted: an aborted start-up begins again with the next start. */
    stop() {
      repeats.pause()
      if (store.state.status === 'initializing' || phase === 'repeat') starting = undefined
    },
    /** Start-up is not running, nor being repeated. @throws AuthError `not-initialised` */
    assertOver() {
      const { status } = store.state
      if (status === 'initializing' || (phase === 'repeat' && status === 'failed')) throw notInitialised()
    },
    /** Start-up has ended once: the user can sign in and out, also while it is repeated. @throws AuthError `not-initialised` */
    assertEndedOnce() {
      if (phase === 'first') throw notInitialised()
    },
    reset() {
      starting = undefined
      phase = 'first'
      repeats.forget()
    },
  }
}
