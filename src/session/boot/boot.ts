// Starts a session's life: runs start-up once, joins later calls, repeats it after a failure that can pass.
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
import { sessionClash } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import { untilSeen } from '../signedIn/lifecycle.ts'
import type { Logout } from '../signedIn/logout.ts'
import type { Feature } from '../feature.ts'
import type { Session } from '../signedIn/session.ts'
import { joinSession } from '../tabs/joining.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import { takeCallback } from '../signIn/callback.ts'
import { loadLater, withLater } from '../laterFile.ts'
import { createRepeats, type Repeats } from './repeats.ts'
import { isAway, type StartUpEnd, startUp } from './startUp.ts'

export interface BootParts {
  session: Pick<Session, 'entrance' | 'logIn' | 'watchClicks'>
  /** What the page before in this tab has left. */
  betweenPages: {
    arrive(isWanted: boolean): void
    take(counting: CountingSession | undefined): Promise<Granted | undefined>
  }
  otherTabs: Pick<OtherTabs, 'open'>
  /** Whether the user was away when the page opened: read before another tab tidies up. */
  idleLogout: { lookForAbsence(): void }
  logout: Pick<Logout, 'settlePending'>
  /** A window of latchkey, where nothing begins. */
  ownWindow: { kind(): string | undefined; end(): Promise<void> }
  features: readonly Feature[]
}

export class Boot {
  readonly #context: Context
  readonly #parts: BootParts
  /** A start-up that failed, and is repeated when its time has come. */
  readonly repeats: Repeats
  #starting: Promise<void> | undefined
  #exchanging: Promise<boolean> | undefined
  /** Whether start-up has ended; `repeat`: it had failed, and is being repeated without a click. */
  #phase: 'first' | 'repeat' | 'ended' = 'first'
  #isNewPage = true

  constructor(context: Context, parts: BootParts) {
    this.#context = context
    this.#parts = parts
    this.repeats = createRepeats(context, () => this.#repeat())
  }

  start(): Promise<void> {
    this.#starting ??= this.#run(this.#context.page())
    return this.#starting
  }

  /** The last provider has unmounted: an aborted start-up begins again with the next start. */
  stop(): void {
    this.repeats.pause()
    const isCutOff = this.#context.store.state.status === 'initializing' || this.#phase === 'repeat'
    if (isCutOff) this.#starting = undefined
  }

  /** Start-up, or its repeat, has ended: while it is repeated, the failure stays on the screen. @throws AuthError `not-initialised` */
  readonly assertOver = (): void => {
    const { status } = this.#context.store.state
    if (status === 'initializing' || (this.#phase === 'repeat' && status === 'failed')) throw notInitialised()
  }

  /** Start-up has ended once, in whatever state: the user can sign in and out, also while it is repeated. @throws AuthError `not-initialised` */
  assertEndedOnce(): void {
    if (this.#phase === 'first') throw notInitialised()
  }

  reset(): void {
    this.#starting = undefined
    this.#phase = 'first'
    this.repeats.forget()
  }

  async #run(page: AbortSignal): Promise<void> {
    const { platform, settings, server, caches, tabRecords, marker, record, pendingLogout, tokenEndpoint } =
      this.#context
    const { session, betweenPages, idleLogout, logout, ownWindow, features } = this.#parts
    // In latchkey's own frame or popup the page must not begin a session.
    if (ownWindow.kind()) return ownWindow.end()
    const activation = platform.untilActive?.()
    if (activation) {
      await activation
      // The last provider has unmounted: the next start begins anew.
      if (page.aborted) return
    }
    // Restarted during a code exchange: wait for it. Codes are single-use.
    if (this.#exchanging && (await this.#exchanging)) return
    idleLogout.lookForAbsence()
    const isOvertaken = session.watchClicks()
    const enter = session.entrance(isOvertaken)
    // The state as the page opens, read once.
    const hadSession = marker.isThere()
    const counting = record.now()
    const tab = tabRecords.read()
    const isOver = record.watch(counting)
    let isCopy = false
    let left: Granted | undefined
    const callback = takeCallback(this.#context, features, this.#isNewPage, { tab, counting })
    // Of a session that has expired in another tab, the marker alone is gone.
    betweenPages.arrive(hadSession && callback?.type !== 'answer' && callback?.type !== 'logout')
    const flow = this.#context.reachability.begin()
    // A server sent the browser back: with our answer, or with one that nobody here has asked for.
    const isAnswered = callback ?? hasAnswer(platform.address())
    const openedBy = this.#isNewPage && !isAnswered && platform.isOpenedByUser(settings.authHost)
    if (openedBy) {
      // Earlier redirects were no loop.
      if (tab.navigations.length > 0) tabRecords.change({ navigations: [] })
    }
    // A user who types an address or reloads has left the sign-in page.
    else if (!callback && Object.values(tab.attempts).some((one) => isOpen(one, platform.now())))
      void withLater(platform, ({ tellNotBack }) => tellNotBack(platform))
    this.#isNewPage = false
    const end = await startUp({
      settings,
      timeline: this.#context.timeline,
      callback,
      refusal: async (answer) => {
        const refusal = await (await server.get(true)).answerError(answer, { isSilent: false })
        // Of a step-up, the session that there was goes on in its organization.
        if (refusal && memberOf(callback, 'stepUp') === undefined) tabRecords.keepSwitched(undefined)
        return refusal
      },
      exchange: async ({ code, state, further }, attempt, stepUp) => {
        // The sign-in page found a session that the frame had not.
        const isFound = hadSession && !stepUp && isInstant(attempt, platform.now())
        await this.#exchange(async () => {
          // A duplicated tab has the same code; only the first may send it. Another auth object of the page is sending it already.
          if (!code || !(await platform.takeLock(codeLock(settings, state), CODE_LIFETIME_MS))) {
            isCopy = true
            throw loginRequired()
          }
          const granted = await tokenEndpoint.exchange(code, attempt, page)
          if (stepUp) (await loadLater(platform)).judgeReturn(granted, stepUp, this.#context)
          granted.answer = further
          await enter(granted, 'redirect')
          const on = server.known()
          if (on?.organization?.scope)
            void withLater(platform, (file) => file.keepOrganization(this.#context))
        })
        // An automatic redirect says nothing about frames: the next page load would wait for one in vain.
        if (!attempt.isAutomatic) tabRecords.allowSilentSignIn()
        if (isFound) void withLater(platform, (file) => file.learnOfFrames(this.#context, tab.silentSignIn))
      },
      async honourPendingLogout() {
        // It counted as the page opened: no logout is owed. One since then is seen as it enters.
        left = await betweenPages.take(counting)
        return left ? undefined : logout.settlePending(flow)
      },
      findSession: () =>
        caches.show('verify session', async () => {
          const found = left
          left = undefined
          if (found) return enter(found, 'tab')
          return joinSession(this.#context, this.#parts.otherTabs, page, { isCopy, isOver, enter })
        }),
      settlePendingLogout() {
        // A provider may ask whether to sign out there too; a server of the contract is told to by `force`.
        const mayAsk = settings.server.authHost === undefined
        pendingLogout.settle(mayAsk)
        const confirm = async () => (await tokenEndpoint.isSignedOut(page)) && pendingLogout.settle()
        if (mayAsk) confirm().catch(() => {})
      },
      login: (known) => session.logIn({ isAutomatic: true, flow: known }),
      features,
      retry: (how) => (how === 'login' ? this.#logIn() : this.#restart()),
      flow,
      isOvertaken: () => page.aborted || isOvertaken(),
      hadSession,
      hasTurnedBack: openedBy === 'back' && tabRecords.hasLeftByItself(platform.now()),
      whenSeen: () => untilSeen(platform, page),
      isFirstVisit: !hadSession && !isAnswered && this.#mayLeaveAtOnce(),
    })
    if (page.aborted) return
    this.#finish(isOvertaken() ? undefined : end)
  }

  /** Nothing speaks for a session, and the sign-in page finds one too. */
  #mayLeaveAtOnce(): boolean {
    const { settings, platform, tabRecords } = this.#context
    const { autoLogin, verifyFirstVisit, initToken } = settings
    // A tab that has left is back, also where a service worker has dropped the response: to leave again would go on for ever.
    if (Object.keys(tabRecords.read().attempts).length > 0) return false
    // A frame of `latchkey/early` is open already, while the app's files were on their way.
    return autoLogin && !verifyFirstVisit && !initToken && !platform.early?.frame
  }

  /** Shows an exchange; a start-up that begins meanwhile waits for it. */
  #exchange(work: () => Promise<void>): Promise<void> {
    const shown = this.#context.caches.show('exchange code', work)
    const isDone = shown.then(
      () => true,
      () => false,
    )
    this.#exchanging = isDone.finally(() => {
      this.#exchanging = undefined
    })
    return shown
  }

  #finish(end: StartUpEnd | undefined): void {
    this.#phase = 'ended'
    if (end) this.#endWithout(end)
    if (end?.type === 'failed' && end.canPass) this.repeats.plan(end.error)
    else this.repeats.forget()
  }

  /** Start-up has found no session: says so, with what was kept of a clash on the way to the logout page. */
  #endWithout(end: StartUpEnd): void {
    const { store, tokens, caches, tabRecords } = this.#context
    // A start-up that was cut off before this one has found it meanwhile.
    if (tokens.current) return
    if (end.type !== 'absent') return store.change(end)
    if (end.cause?.code === 'identity-changed') {
      caches.expect(tabRecords.takeUser())
      void caches.clear()
    }
    const clash = parseClash(end.clash)
    store.change(clash ? { ...end, cause: sessionClash(clash) } : end)
  }

  #logIn(): void {
    const { store } = this.#context
    this.#parts.session.logIn().catch((error: unknown) => {
      const cause = asAuthError(error)
      const retry = () => (this.#phase === 'repeat' ? this.#restart() : this.#logIn())
      store.change({ type: 'failed', error: cause, retry })
      if (isAway(cause)) this.repeats.plan(cause)
    })
  }

  /** The state stays as it is: who is about to press "Try again" keeps the button, and the focus on it. */
  #repeat(): void {
    if (this.#context.store.state.status !== 'failed') return
    this.#phase = 'repeat'
    this.#starting = undefined
    void this.start()
  }

  #restart(): void {
    const { store, page } = this.#context
    // What nobody uses does not run: it starts with the next one who does.
    if (store.state.status !== 'failed') return
    this.repeats.cancel()
    store.change({ type: 'restarted' })
    // A click while it is repeated shows that; it does not begin a second one.
    if (this.#phase === 'repeat') return
    this.#starting = undefined
    if (!page().aborted) void this.start()
  }
}
