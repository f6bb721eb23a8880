// One user's session in this page: how it begins, how it ends, and what every event means for it.
import { type AuthError, loginRequired } from '../../errors.ts'
import { REASONS, type SignedOutReason } from '../../protocol/signedOutReasons.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { isSameAppClaims } from '../../protocol/appClaims.ts'
import { identityOf, isSameIdentity, isSameSession } from '../../protocol/identity.ts'
import { HOOK_TIMEOUT_MS } from '../../sessionConstants.ts'
import { identityChanged, notAuthenticated, sessionClash } from '../../sessionErrors.ts'
import { within } from '../../within.ts'
import type { Context } from '../context.ts'
import { hasAskedUser, type ReasonedDeparture, type SendEvent, type SignInWay } from '../sessionEvent.ts'
import type { SignInRequest } from '../signIn/signInRequest.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { switchedBefore } from './tokenStore.ts'
import { renewTokens } from './renewal.ts'
import { isExpired } from '../state.ts'
import { untilChanged } from '../store.ts'
import { leaveHow, type TimersAndChannels } from './timersAndChannels.ts'
import type { Joining } from '../tabs/joining.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { BeforeLogout, ClashHook } from './hooks.ts'
import type { LogoutPage } from './logoutPage.ts'
import type { TokenRefresh } from './tokenRefresh.ts'
import type { SignInRedirect } from '../signIn/signInRedirect.ts'

/** What begins, goes on and ends with a session. */
export interface SessionParts {
  refresh: TokenRefresh
  otherTabs: OtherTabs
  joining: Joining
  /** The session that the page leaves to the next page of its tab; absent without `sessionWorker`. */
  betweenPages:
    | { take(): Promise<Granted | undefined>; prepare(): void; end(session: string): void }
    | undefined
  timersAndChannels: TimersAndChannels
  signInRedirect: SignInRedirect
  logoutPage: LogoutPage
  beforeLogout: BeforeLogout
  clashHook: ClashHook
  /** The idle logout: whether the user is away, whether a session that is found must end, and that one has ended. */
  idleLogout: { isOver(): boolean; endsAt(via: SignInWay): boolean; forget(): void }
}

type SessionContext = Pick<
  Context,
  | 'platform'
  | 'store'
  | 'timeline'
  | 'tabRecords'
  | 'marker'
  | 'pendingLogout'
  | 'tokenEndpoint'
  | 'tokens'
  | 'hooks'
  | 'caches'
  | 'server'
  | 'revoke'
  | 'page'
  | 'disposal'
>

/** What begins a session; see `entrance`. */
export type Enter = ReturnType<Session['entrance']>

/**
 * Two lifetimes. The page's, `context.page()`: timers, listeners and channels run in it. The session's, `#scope`: it ends
 * with the session, and what comes late for it is refused.
 */
export class Session {
  readonly #context: SessionContext
  readonly #parts: SessionParts
  #scope = new AbortController()
  /** The session that has ended elsewhere, while its `beforeLogout` hook still runs here. */
  #endedElsewhere: string | undefined
  #loggingOut: Promise<void> | undefined

  constructor(context: SessionContext, parts: SessionParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Aborted when the session held now ends, with `not-authenticated` as its reason: what comes late throws that. */
  readonly signal = (): AbortSignal => this.#scope.signal

  /** The session held here is over, though its tokens may be there a little longer. */
  readonly isEnding = (): boolean => this.#endedElsewhere !== undefined && this.#isHeld(this.#endedElsewhere)

  /** The whole policy: what an event means. Resolves when what it asks for is done. */
  readonly send: SendEvent = async (event) => {
    const { logoutPage, idleLogout, clashHook, beforeLogout, joining, timersAndChannels, otherTabs } =
      this.#parts
    const { hooks, store, tokens, caches } = this.#context
    switch (event.type) {
      case 'granted':
        if (hasAskedUser(event.via)) logoutPage.settleBySignIn(event.granted)
        // The idle time was over when the page opened: whoever sits there now has to sign in again.
        if (idleLogout.endsAt(event.via)) return void this.#logOut({ reason: 'idle' }).catch(() => {})
        if (this.#isOtherUser(event.granted)) {
          caches.makeRoomFor(event.granted.claims)
          this.#end('signed-out', identityChanged(), TAKEN_OVER)
        }
        return this.#begin(event.granted, event.via)
      case 'adopted':
        if (this.#isOtherUser(event.granted)) {
          // The same person went to another organization: every tab of theirs does.
          if (event.granted.switched?.from.includes(identityOf(tokens.current!.claims)))
            return this.send({ type: 'granted', granted: event.granted, via: 'tab' })
          return this.#end('signed-out', identityChanged(), IN_PLACE)
        }
        if (store.state.status !== 'authenticated') return this.#begin(event.granted, 'tab')
        tokens.put(event.granted)
        return this.#renewed()
      case 'refused':
        // The others hold the same token, and cannot renew it either.
        otherTabs.tellEnded('expired')
        return this.#end('expired', event.cause, event.cause.code === 'identity-changed' ? IN_PLACE : {})
      case 'idle':
        return this.#giveWay('idle', event.isFirst)
      case 'logout': {
        const clash = clashHook.clash()
        return this.#logOut({ reason: clash ? 'session-clash' : 'signed-out', clash, ...event.departure })
      }
      case 'superseded':
        if (hooks.get('uniqueSessionTrigger')) return clashHook.ask(event.clash)
        return this.#giveWay('session-clash', event.isFirst, event.clash)
      case 'ending':
        return beforeLogout.run(event.reason)
      case 'endedElsewhere':
        joining.hearEnded(event.sessions)
        // Somebody has signed out: nobody comes back to what an expired session has left on the screen.
        if (!REASONS[event.reason].isAwaited && isExpired(store.state)) return this.#end(event.reason)
        if (!event.sessions.some((session) => this.#isHeld(session))) return
        return this.#endHere(event.reason, event.clash && sessionClash(event.clash))
      case 'endedWhileAway':
        // The hook begins, and the content goes in the same task.
        if (!beforeLogout.hasRun()) void beforeLogout.run('signed-out')
        return this.#end('signed-out', event.cause, event.cause && IN_PLACE)
      case 'endedRemotely':
        void timersAndChannels.stop('over')
        otherTabs.tellEnded('signed-out')
        return this.#endHere('signed-out')
    }
  }

  /** What says whether the user has signed out since, has signed in in a window, or is on the way to another page. */
  readonly watchClicks = (): (() => boolean) => {
    const { signal } = this.#scope
    const { store, tokens } = this.#context
    return () => signal.aborted || tokens.current !== undefined || store.state.status === 'redirecting'
  }

  /**
   * What begins a session with tokens that are still to come: not after `dispose()`, nor once the user has clicked. Ask for it
   * before anything is waited for. It throws AuthError `not-authenticated` when the user has clicked meanwhile, and others.
   */
  entrance(isOvertaken: () => boolean) {
    const disposal = this.#context.disposal()
    return async (granted: Granted, via: SignInWay): Promise<void> => {
      disposal.throwIfAborted()
      if (isOvertaken()) {
        if (via !== 'tab') this.#context.revoke(granted)
        throw notAuthenticated()
      }
      await this.send({ type: 'granted', granted, via })
    }
  }

  /**
   * Takes the session of another tab, or gets one from the server for all tabs that wait. `isCopy`: another tab is sending the
   * code that this one came with. @throws AuthError those of `enter`, and others
   */
  async join(page: AbortSignal, isCopy: boolean, enter: Enter): Promise<void> {
    const { otherTabs, joining, betweenPages } = this.#parts
    const { marker, pendingLogout, tokenEndpoint } = this.#context
    this.#context.page().throwIfAborted()
    const askFrame = async () => {
      // The session of a user who has signed out here, and has not told the provider to sign them out there.
      if (pendingLogout.mayBeDeclined()) throw loginRequired()
      return tokenEndpoint.askFrame(page)
    }
    if (betweenPages && (await joining.takeOver(betweenPages.take, enter))) return
    const others = isCopy || marker.countOthers() > 0 ? otherTabs.open() : undefined
    // Without other tabs the frame opens at once.
    if (others) await joining.join(others, askFrame, enter, isCopy)
    else await enter(await askFrame(), 'silent')
  }

  /** Leaves for the sign-in page. @throws AuthError */
  async logIn(request: SignInRequest = {}): Promise<void> {
    const { idleLogout, clashHook, signInRedirect } = this.#parts
    const { store, tokens, tabRecords, pendingLogout } = this.#context
    // A server that still has the session of a user who is away or signed out must not let them back in silently.
    const mustAsk =
      (idleLogout.isOver() && request.isAutomatic) || pendingLogout.read() || pendingLogout.mayBeDeclined()
    // Who comes back by themselves, or to what they left, comes back to the organization that they worked in.
    const isReturn = request.isAutomatic || isExpired(store.state)
    if (!isReturn && !request.further) tabRecords.keepSwitched(undefined)
    await signInRedirect.login({
      ...(isReturn && { further: switchedBefore(tokens, tabRecords) }),
      ...request,
      ...(mustAsk && { prompt: 'login', isFresh: true }),
      clash: clashHook.clash(),
    })
  }

  /** Forgets the session; the other tabs keep it. */
  dispose(): void {
    this.#parts.logoutPage.forget()
    this.#renewScope()
    this.#context.tokens.clear()
    this.#parts.refresh.stop()
  }

  #isHeld(session: string): boolean {
    return this.#context.tokens.session() === session
  }

  #isOtherUser({ claims }: Granted): boolean {
    const { current } = this.#context.tokens
    return current !== undefined && !isSameIdentity(current.claims, claims)
  }

  #isPageUsed(): boolean {
    return !this.#context.page().aborted
  }

  /** What was under way for the session counts for nothing any more. */
  #renewScope(): void {
    this.#scope.abort(notAuthenticated())
    this.#scope = new AbortController()
  }

  #begin(granted: Granted, via: SignInWay): void {
    const { store, platform, tabRecords, tokens, marker, hooks, caches } = this.#context
    const { signal } = this.#scope
    caches.expect(tabRecords.takeUser())
    caches.makeRoomFor(granted.claims)
    const isStronger = tokens.current !== undefined && via === 'popup' && this.#isPageUsed()
    this.#keepSwitch(granted, via)
    tokens.put(granted)
    this.#parts.refresh.allow()
    tabRecords.forgetOld(platform.now())
    if (via === 'popup') tabRecords.allowSilentSignIn()
    tabRecords.madeProgress()
    if (this.#isPageUsed()) marker.join(tokens.current!)
    this.#announce(via !== 'tab')
    // The tabs hear of a step-up too: else one renews from the refresh token before it, and replaces the stronger tokens.
    if (isStronger) void this.#parts.otherTabs.open()?.signedIn()
    // In a later task, so that components which mount on signing in have set their hook.
    platform.setTimer(() => {
      const { state } = store
      if (state.status === 'authenticated' && !signal.aborted)
        void hooks.fire('afterLogin', { user: state.user, via })
    }, 0)
  }

  /** So that the next page of this tab asks for the same organization. */
  #keepSwitch(granted: Granted, via: SignInWay): void {
    const { tabRecords } = this.#context
    // An organization that was asked for and not given is forgotten: each reload would ask for it again.
    const before = tabRecords.switched(granted.claims)
    if (before && via !== 'tab') granted.switched ??= { parameters: before, from: [] }
    tabRecords.keepSwitched(granted.switched?.parameters, granted.claims)
  }

  /** Says who is signed in, or that the expiry moved. While nobody uses the page, nothing starts to run. */
  #announce(isNew = false): void {
    const { store, tokens } = this.#context
    const { refresh, timersAndChannels, betweenPages } = this.#parts
    const { current } = tokens
    if (!current) return
    this.#context.server.known()?.remember?.(current)
    refresh.renewed()
    betweenPages?.prepare()
    if (this.#isPageUsed()) refresh.schedule()
    const { state } = store
    // The state of a page that leaves stays `redirecting` until it is gone, or the user stays.
    if (state.status === 'redirecting') return
    const isSame = state.status === 'authenticated' && isSameSession(state.user, current.claims)
    if (isSame && isSameAppClaims(state.user, current.claims)) return store.notify()
    store.change({ type: 'authenticated', session: current })
    // Also when a renewal brought it: what runs belongs to this session from now on.
    if (!isSame && this.#isPageUsed()) timersAndChannels.start(isNew)
  }

  /** One renewal, for all tabs. @throws AuthError */
  async renew(): Promise<void> {
    const { otherTabs, refresh } = this.#parts
    const { signal } = this.#scope
    if (await renewTokens(this.#context, { otherTabs, refresh, signal, send: this.send })) this.#renewed()
  }

  #renewed(): void {
    const { store, timeline, hooks } = this.#context
    this.#announce()
    timeline.record('renew token', 'done')
    const { state } = store
    if (state.status === 'authenticated')
      void hooks.fire('afterRefreshToken', { user: state.user, expiresAtMs: state.expiresAtMs })
  }

  /** Removes the session from this tab. The caller has stopped what ran for it, and changes the state. */
  #forget(reason: SignedOutReason, isOver = true): void {
    const { refresh, clashHook, idleLogout, betweenPages } = this.#parts
    const { tokens, tabRecords, marker } = this.#context
    const session = tokens.session()
    this.#renewScope()
    refresh.stop()
    tokens.clear()
    if (session !== undefined) betweenPages?.end(session)
    // Where another user's session took its place, the browser has one still.
    if (isOver && session !== undefined) marker.forget(session)
    else marker.leave()
    clashHook.forget()
    idleLogout.forget()
    if (!REASONS[reason].isAwaited) tabRecords.keepSwitched(undefined)
  }

  #end(reason: SignedOutReason, cause?: AuthError, { isOver = true, isEmptied = false } = {}): void {
    void this.#parts.timersAndChannels.stop(isOver ? leaveHow(reason) : 'over')
    this.#forget(reason, isOver)
    this.#context.server.known()?.forget?.()
    const { caches, store } = this.#context
    if (!isEmptied) void caches.clear(reason)
    store.change({ type: 'absent', reason, cause })
  }

  /** The session has been ended elsewhere. A hook that runs here may bring its work to an end first. */
  async #endHere(reason: SignedOutReason, cause?: AuthError): Promise<void> {
    const session = this.#context.tokens.session()
    if (session === undefined) return
    this.#endedElsewhere = session
    await this.#parts.beforeLogout.untilDone()
    // The next session of the user may have the same name: the server's own has not ended yet.
    this.#endedElsewhere = undefined
    if (this.#isHeld(session)) this.#end(reason, cause)
  }

  /** Every tab of the browser ends; one of them goes to the logout page for all. */
  async #giveWay(
    reason: 'idle' | 'session-clash',
    isFirst: () => Promise<boolean>,
    clash?: SessionClash,
  ): Promise<void> {
    const session = this.#context.tokens.session()
    const mayLeave = await isFirst()
    if (!session || !this.#isHeld(session)) return
    if (mayLeave) return this.#logOut({ reason, clash }).catch(() => {})
    const whenGone = () =>
      Promise.all([
        this.#parts.beforeLogout.run(reason),
        untilChanged(this.#context.store, () => !this.#isHeld(session)),
      ])
    await within(this.#context.platform, HOOK_TIMEOUT_MS, whenGone)
    if (this.#isHeld(session)) await this.#endHere(reason, clash && sessionClash(clash))
  }

  /** Logs out; a second call joins the first. @throws AuthError `logout-failed` */
  #logOut(departure: ReasonedDeparture): Promise<void> {
    // In a later microtask: a hook that logs out again finds this one under way and joins it.
    this.#loggingOut ??= Promise.resolve()
      .then(() => this.#leave(departure))
      .catch((cause: unknown) => {
        throw this.#parts.logoutPage.fail(departure, cause)
      })
      .finally(() => {
        this.#loggingOut = undefined
      })
    return this.#loggingOut
  }

  /** In every tab first, then at the server. */
  async #leave(departure: ReasonedDeparture): Promise<void> {
    const { reason } = departure
    const { platform, store, caches } = this.#context
    const { logoutPage, timersAndChannels, otherTabs, beforeLogout } = this.#parts
    const session = this.#context.tokens.session()
    // Before anything is waited for: the page may be closed meanwhile.
    logoutPage.begin(departure)
    this.#renewScope()
    // Every tab's hook, 5 seconds at most.
    const [sessions = []] = await Promise.all([otherTabs.open()?.prepare(reason), beforeLogout.run(reason)])
    const goodbye = timersAndChannels.stop(leaveHow(reason))
    // Another page may have ended it here meanwhile, and a tab that has opened since was not told.
    otherTabs.tellEnded(reason, [session, ...sessions], departure.clash)
    this.#forget(reason)
    // Caches that never come to an end keep nobody here.
    const clearing = within(platform, HOOK_TIMEOUT_MS, caches.clear)
    const to = departure.environmentUrl === undefined ? 'logout' : 'environment'
    store.change({ type: 'redirecting', to })
    const [away] = await Promise.all([logoutPage.prepare(), clearing, goodbye])
    logoutPage.leave(departure, away)
  }
}

/** Another user's session has taken the place of this one: the browser still has one. */
const IN_PLACE = { isOver: false }
const TAKEN_OVER = { isOver: false, isEmptied: true }
