// Runs start-up once, joins later calls, and repeats it after a temporary failure.
import { CODE_LIFETIME_MS } from '../../base/constants.ts'
import { loginRequired, notInitialised } from '../../base/errors.ts'
import { memberOf } from '../../base/json.ts'
import { hasAnswer } from '../../protocol/address.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { parseClash } from '../../protocol/eventHooks.ts'
import type { CountingSession } from '../../protocol/storedSession.ts'
import { asAuthError, isInstant } from '../../protocol/signIn.ts'
import { codeLock } from '../../protocol/storageKeys.ts'
import { isOpen } from '../../protocol/tabRecords.ts'
import { notAuthenticated, sessionClash } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import { untilSeen } from '../signedIn/lifecycle.ts'
import type { Logout } from '../signedIn/logout.ts'
import type { Feature } from '../feature.ts'
import type { SignInWay } from '../sessionEvent.ts'
import type { Session } from '../signedIn/session.ts'
import { joinSession } from '../tabs/joining.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import { takeCallback } from '../signIn/callback.ts'
import { loadLater, withLater } from '../laterFile.ts'
import { createRepeats } from './repeats.ts'
import { isAway, type Retry, type StartUpEnd, startUp, type StartUpOptions } from './startUp.ts'

export interface BootParts {
  session: Pick<Session, 'signal' | 'send' | 'logIn'>
  /** The session that the page before in this tab has left. */
  betweenPages: {
    arrive(isWanted: boolean): void
    take(counting: CountingSession | undefined): Promise<Granted | undefined>
  }
  otherTabs: Pick<OtherTabs, 'open'>
  /** Reads whether the user was idle when the page opened, before another tab cleans up. */
  idleLogout: { lookForAbsence(): void }
  logout: Pick<Logout, 'settlePending'>
  /** In a popup or frame of latchkey no session begins. */
  ownWindow: { kind(): string | undefined; end(): Promise<void> }
  features: readonly Feature[]
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
    const steps = readPage(context, parts, { page: used, isNewPage, isOvertaken })
    isNewPage = false
    const ending = startUp(steps)
    exchanging = steps.callback?.type === 'answer' ? ending : undefined
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

/** Reads the state as the page opens, once, and returns the steps of start-up. */
function readPage(
  context: Context,
  { session, otherTabs, betweenPages, logout, features }: BootParts,
  { page, isNewPage, isOvertaken }: { page: AbortSignal; isNewPage: boolean; isOvertaken(): boolean },
): StartUpOptions {
  const { platform, settings, server, caches, tabRecords, marker, record, pendingLogout, tokenEndpoint } =
    context
  const disposed = context.disposal()
  /** Begins a session. @throws AuthError `not-authenticated` after a click or `dispose()` */
  const enter = async (granted: Granted, via: SignInWay): Promise<void> => {
    disposed.throwIfAborted()
    if (isOvertaken()) {
      if (via !== 'tab') context.revoke(granted)
      throw notAuthenticated()
    }
    await session.send({ type: 'granted', granted, via })
  }
  const hadSession = marker.isThere()
  const counting = record.now()
  const tab = tabRecords.read()
  const isOver = record.watch(counting)
  let isCopy = false
  let left: Granted | undefined
  const callback = takeCallback(context, features, isNewPage, { tab, counting })
  // When a session expires in another tab, only the marker is removed.
  betweenPages.arrive(hadSession && callback?.type !== 'answer' && callback?.type !== 'logout')
  const flow = context.reachability.begin()
  // A server sent the browser back: with the response to our own request, or with an unexpected one.
  const isAnswered = callback ?? hasAnswer(platform.address())
  const openedBy = isNewPage && !isAnswered && platform.isOpenedByUser(settings.authHost)
  if (openedBy) {
    // Earlier redirects were no loop.
    if (tab.navigations.length > 0) tabRecords.change({ navigations: [] })
  }
  // Not if the user typed an address or reloaded: they have left the sign-in page.
  else if (!callback && Object.values(tab.attempts).some((one) => isOpen(one, platform.now())))
    void withLater(platform, ({ tellNotBack }) => tellNotBack(platform))

  return {
    settings,
    timeline: context.timeline,
    callback,
    async refusal(answer) {
      const refusal = await (await server.get(true)).answerError(answer, { isSilent: false })
      // After a refused step-up, the session continues in its organization.
      if (refusal && memberOf(callback, 'stepUp') === undefined) tabRecords.keepSwitched(undefined)
      return refusal
    },
    async exchange({ code, state, further }, attempt, stepUp) {
      // The sign-in page found a session that the frame had not.
      const isFound = hadSession && !stepUp && isInstant(attempt, platform.now())
      await caches.show('exchange code', async () => {
        // A duplicated tab, or another auth object of the page, has the same code; only the first sends it.
        if (!code || !(await platform.takeLock(codeLock(settings, state), CODE_LIFETIME_MS))) {
          isCopy = true
          throw loginRequired()
        }
        const granted = await tokenEndpoint.exchange(code, attempt, page)
        if (stepUp) (await loadLater(platform)).validateReturn(granted, stepUp, context)
        granted.answer = further
        await enter(granted, 'redirect')
        if (server.known()?.organization?.scope)
          void withLater(platform, (file) => file.keepOrganization(context))
      })
      // After an automatic redirect frames stay off: the next page load would wait for one in vain.
      if (!attempt.isAutomatic) tabRecords.allowSilentSignIn()
      if (isFound) void withLater(platform, (file) => file.learnOfFrames(context, tab.silentSignIn))
    },
    async honourPendingLogout() {
      // It counted as the page opened: no logout is pending. A later one is noticed when the session begins.
      left = await betweenPages.take(counting)
      return left ? undefined : logout.settlePending(flow)
    },
    findSession: () =>
      caches.show('verify session', async () => {
        const found = left
        left = undefined
        if (found) return enter(found, 'tab')
        return joinSession(context, otherTabs, page, { isCopy, isOver, enter })
      }),
    settlePendingLogout() {
      // A provider may let the user decline; a server of the contract obeys `force`.
      const mayAsk = settings.server.authHost === undefined
      pendingLogout.settle(mayAsk)
      const confirm = async () => (await tokenEndpoint.isSignedOut(page)) && pendingLogout.settle()
      if (mayAsk) confirm().catch(() => {})
    },
    login: (known) => session.logIn({ isAutomatic: true, flow: known }),
    features,
    flow,
    isOvertaken: () => page.aborted || isOvertaken(),
    hadSession,
    hasTurnedBack: openedBy === 'back' && tabRecords.hasLeftByItself(platform.now()),
    whenSeen: () => untilSeen(platform, page),
    isFirstVisit: !hadSession && !isAnswered && mayLeaveAtOnce(context),
  }
}

/** Without a sign of a session, the sign-in page finds one as well as a frame does. */
function mayLeaveAtOnce({ settings, platform, tabRecords }: Context): boolean {
  const { autoLogin, verifyFirstVisit, initToken } = settings
  // A tab with an attempt is back, even if a service worker dropped the response. Leaving again would loop.
  if (Object.keys(tabRecords.read().attempts).length > 0) return false
  // `latchkey/early` has opened a frame already, while the app's files were loading.
  return autoLogin && !verifyFirstVisit && !initToken && !platform.early?.frame
}
