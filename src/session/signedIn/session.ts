// One user's session in this page: how it begins, how it ends, and what every event means for it.
import type { AuthError } from '../../base/errors.ts'
import { REASONS, type SignedOutReason } from '../../protocol/signedOutReasons.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { isSameAppClaims } from '../../protocol/appClaims.ts'
import { holderName, identityOf, isSameIdentity, isSameSession } from '../../protocol/identity.ts'
import { HOOK_TIMEOUT_MS } from '../../base/sessionConstants.ts'
import { identityChanged, notAuthenticated, sessionClash } from '../../base/sessionErrors.ts'
import { within } from '../../base/within.ts'
import type { Context } from '../context.ts'
import { hasAskedUser } from '../sessionEvent.ts'
import type { EndedElsewhere, ReasonedDeparture, SendEvent, SignInWay } from '../sessionEvent.ts'
import type { SignInRequest } from '../signIn/signInRequest.ts'
import { switchedBefore } from '../signIn/tabRecords.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { renewTokens } from './renewal.ts'
import { isExpired } from '../state.ts'
import { untilChanged } from '../store.ts'
import type { Feature } from '../feature.ts'
import { fetchAppFetchFile } from '../http/lazyFetch.ts'
import type { Connection, LeaveHow } from '../realtimePort.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import type { BeforeLogout, ClashHook } from './hooks.ts'
import type { Logout } from './logout.ts'
import type { TokenRefresh } from './tokenRefresh.ts'
import type { SignInRedirect } from '../signIn/signInRedirect.ts'

export interface SessionParts {
  refresh: TokenRefresh
  otherTabs: OtherTabs
  connection: Pick<Connection, 'start' | 'leave'>
  features: readonly Feature[]
  signInRedirect: SignInRedirect
  logout: Logout
  beforeLogout: BeforeLogout
  clashHook: ClashHook
  /** The idle logout: whether the user is away, whether the session must end, or one that is found, and that one has ended. */
  idleLogout: { isOver(): boolean; check(): boolean; endsAt(via: SignInWay): boolean; forget(): void }
}

/** Two lifetimes: the page's, `context.page()`, for timers, listeners, channels; the session's, `#scope`, after which late results are refused. */
export class Session {
  readonly #context: Context
  readonly #parts: SessionParts
  #scope = new AbortController()
  /** Of what runs while the user is signed in. */
  #running = new AbortController()
  #loggingOut: Promise<void> | undefined

  constructor(context: Context, parts: SessionParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Aborted when the session held now ends, with `not-authenticated` as its reason: what comes late throws that. Calls have `caches.signal`. */
  readonly signal = (): AbortSignal => this.#scope.signal

  /** Whether what this page holds, shows or hands over still counts: every entrance asks here first. If not, it ends. `isBack` as in `counts`. */
  readonly stillCounts = (isBack = !this.#isPageUsed()): boolean => {
    if (this.#loggingOut) return false
    if (this.#context.record.counts(isBack)) return true
    if (!this.#parts.beforeLogout.isEnding()) void this.send({ type: 'endedElsewhere', isBack })
    return false
  }

  /** The whole policy: what an event means. Resolves when what it asks for is done. */
  readonly send: SendEvent = async (event) => {
    const { logout, idleLogout, clashHook, beforeLogout, otherTabs } = this.#parts
    const { hooks, store, tokens, caches, record } = this.#context
    switch (event.type) {
      case 'granted': {
        const { signal } = this.#scope
        const isOffered = event.via === 'tab' && !tokens.current
        if (hasAskedUser(event.via)) await logout.settleBySignIn(event.granted)
        signal.throwIfAborted()
        // The idle time was over when the page opened: the user has to sign in again.
        if (idleLogout.endsAt(event.via)) return void this.#logOut({ reason: 'idle' }).catch(() => {})
        if (this.#isOtherUser(event.granted)) {
          // Before the app's callbacks, which may empty the storage.
          this.#enter(event.granted)
          caches.makeRoomFor(event.granted.claims)
          this.#end('signed-out', identityChanged(), { ...IN_PLACE, isEmptied: true })
        }
        return this.#begin(event.granted, event.via, isOffered)
      }
      case 'adopted':
        if (this.#isOtherUser(event.granted)) {
          // The same person went to another organization: every tab of theirs does.
          if (event.granted.switched?.from.includes(identityOf(tokens.current!.claims)))
            return this.send({ type: 'granted', granted: event.granted, via: 'tab' })
          if (!beforeLogout.hasRun()) void beforeLogout.run('signed-out')
          return this.#end('signed-out', identityChanged(), IN_PLACE)
        }
        if (store.state.status !== 'authenticated') return this.#begin(event.granted, 'tab')
        this.#enter(event.granted)
        tokens.put(event.granted)
        // The frame's grant is a new one: a tab that renewed from the one before would bring that back.
        if (event.isOwn) void otherTabs.open()?.signedIn()
        return this.#renewed()
      case 'refused':
        // The others hold the same token, and cannot renew it either.
        otherTabs.tellEnded('expired', [record.id()])
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
        return this.#endElsewhere(event)
      case 'endedRemotely':
        if (!this.stillCounts()) return
        void this.stop('over')
        record.end('signed-out')
        otherTabs.tellEnded('signed-out', [record.id()])
        return this.#endElsewhere({ reason: 'signed-out' })
    }
  }

  /** What says whether the user has signed out since, has signed in in a window, or is on the way to another page. */
  readonly watchClicks = (): (() => boolean) => {
    const { signal } = this.#scope
    const { store, tokens } = this.#context
    return () => signal.aborted || tokens.current !== undefined || store.state.status === 'redirecting'
  }

  /** Begins a session with tokens to come; ask for it before any wait. @throws AuthError `not-authenticated` after a click or `dispose()` */
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

  async logIn(request: SignInRequest = {}): Promise<void> {
    const { idleLogout, clashHook, signInRedirect } = this.#parts
    const { store, tokens, tabRecords, pendingLogout } = this.#context
    // A server that still has the session of a user who is away or signed out must not let them back in silently.
    const mustAsk =
      (idleLogout.isOver() && request.isAutomatic) || pendingLogout.read() || pendingLogout.mayBeDeclined()
    // An automatic sign-in, or one that returns to the page that was left, asks for the same organization again.
    const isReturn = request.isAutomatic || isExpired(store.state)
    if (!isReturn && !request.further) tabRecords.keepSwitched(undefined)
    await signInRedirect.login({
      ...(isReturn && { further: switchedBefore(tokens, tabRecords) }),
      ...request,
      ...(mustAsk && { prompt: 'login', isFresh: true }),
      clash: clashHook.clash(),
    })
  }

  /** Starts real time, the channel to the other tabs and what the features run. `isNew`: this tab got the session from the server. */
  run(isNew = false): void {
    const { features, connection, otherTabs } = this.#parts
    fetchAppFetchFile(this.#context.platform)
    for (const { whileSignedIn } of features) whileSignedIn?.(this.#running.signal, isNew)
    connection.start()
    const others = otherTabs.open()
    if (isNew) void others?.signedIn()
  }

  /** Stops what runs. Resolves when the user's other browsers have been told, a second later at the latest. */
  stop(how: LeaveHow): Promise<void> {
    this.#running.abort()
    this.#running = new AbortController()
    return this.#parts.connection.leave(how)
  }

  /** Forgets the session; the other tabs keep it. */
  dispose(): void {
    this.#parts.logout.stopWaiting()
    this.#renewScope()
    this.#context.caches.refuse()
    this.#context.tokens.clear()
    this.#context.record.forget()
    this.#parts.refresh.stop()
  }

  #heldId(): string | undefined {
    return this.#context.tokens.current && this.#context.record.id()
  }

  #isOtherUser({ claims }: Granted): boolean {
    const { current } = this.#context.tokens
    return current !== undefined && !isSameIdentity(current.claims, claims)
  }

  readonly #isPageUsed = (): boolean => !this.#context.page().aborted

  /** What was under way for the session counts for nothing any more. */
  #renewScope(): void {
    this.#scope.abort(notAuthenticated())
    this.#scope = new AbortController()
  }

  /** @throws AuthError `login-required` when what was offered has ended on its way here */
  #begin(granted: Granted, via: SignInWay, isOffered = false): void {
    const { store, platform, tabRecords, tokens, hooks, caches, record } = this.#context
    const { signal } = this.#scope
    this.#enter(granted, isOffered)
    this.#context.timeline.begin(holderName(this.#context.settings, granted))
    caches.expect(tabRecords.enter(granted, via === 'tab'))
    if (caches.makeRoomFor(granted.claims)) record.keep()
    const isStronger = tokens.current !== undefined && via === 'popup' && this.#isPageUsed()
    tokens.put(granted)
    this.#parts.refresh.allow()
    if (via === 'popup') tabRecords.allowSilentSignIn()
    this.#announce(via !== 'tab')
    // The tabs hear of a step-up too: else one renews from the refresh token before it, and replaces the stronger tokens.
    if (isStronger) void this.#parts.otherTabs.open()?.signedIn()
    // In a later task, so that components which mount on signing in have set their hook.
    platform.setTimer(() => {
      const { state } = store
      if (state.status === 'authenticated' && !signal.aborted)
        void hooks.fire('afterLogin', { user: state.user, via, answer: granted.answer })
    }, 0)
  }

  /** With another user's tokens, the session that this browser had is over in every tab. */
  #enter(granted: Granted, isOffered?: boolean): void {
    const replaced = this.#context.record.enter(granted, isOffered)
    if (replaced !== undefined) this.#parts.otherTabs.tellEnded('signed-out', [replaced])
  }

  /** Says who is signed in, or that the expiry moved. Without a mounted provider, nothing starts to run. */
  #announce(isNew = false): void {
    const { store, tokens } = this.#context
    const { refresh } = this.#parts
    const { current } = tokens
    if (!current) return
    this.#context.server.known()?.remember?.(current)
    refresh.renewed()
    if (this.#isPageUsed()) refresh.schedule()
    const { state } = store
    // The state of a page that leaves stays `redirecting` until it is gone, or the user stays.
    if (state.status === 'redirecting') return
    const isSame = state.status === 'authenticated' && isSameSession(state.user, current.claims)
    if (isSame && isSameAppClaims(state.user, current.claims)) return store.notify()
    store.change({ type: 'authenticated', session: current })
    // Also when a renewal brought it: what runs belongs to this session from now on.
    if (!isSame && this.#isPageUsed()) this.#runSoon(isNew)
  }

  /** In a later task: the app is shown first. What was not heard until then stands in the record. */
  #runSoon(isNew: boolean): void {
    const { platform, marker } = this.#context
    const { signal } = this.#running
    platform.setTimer(() => {
      if (signal.aborted) return
      // From now on this page hears of an end.
      this.#parts.otherTabs.open()
      if (!this.stillCounts()) return
      marker.join()
      this.run(isNew)
    }, 0)
  }

  /** One renewal, for all tabs. @throws AuthError */
  async renew(): Promise<void> {
    const { beforeLogout, idleLogout } = this.#parts
    // The hook of this tab's own logout may still need a token.
    if (!this.#loggingOut && !this.stillCounts()) throw notAuthenticated()
    // A timer may be the first to notice that the machine has slept.
    if (!beforeLogout.isEnding() && idleLogout.check()) throw notAuthenticated()
    const options = { ...this.#parts, signal: this.#scope.signal, send: this.send }
    if (await renewTokens(this.#context, options)) this.#renewed()
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
    const { refresh, clashHook, idleLogout } = this.#parts
    const { tokens, tabRecords, marker, record } = this.#context
    const id = this.#heldId()
    this.#renewScope()
    refresh.stop()
    tokens.clear()
    // Where another session took its place, the browser has one still.
    if (isOver && id !== undefined) marker.forget()
    else marker.leave()
    clashHook.forget()
    idleLogout.forget()
    if (REASONS[reason].isAwaited) return
    record.forget(isOver ? reason : undefined)
    tabRecords.keepSwitched(undefined)
  }

  #end(reason: SignedOutReason, cause?: AuthError, { isOver = true, isEmptied = false } = {}): void {
    void this.stop(isOver ? leaveHow(reason) : 'over')
    this.#forget(reason, isOver)
    this.#context.server.known()?.forget?.()
    const { caches, store } = this.#context
    if (!isEmptied) void caches.clear(reason)
    store.change({ type: 'absent', reason, cause })
  }

  /**
   * The record has another session or none, or another tab ended this one for `reason`. What comes back or is replaced ends in the same task;
   * else a hook that runs here may finish first.
   */
  async #endElsewhere({ reason: told, clash, isBack }: Omit<EndedElsewhere, 'type'>): Promise<void> {
    const { beforeLogout, otherTabs } = this.#parts
    const { record } = this.#context
    const counting = record.now()
    const isReplaced = !told && counting?.user !== undefined
    const isOther = isReplaced && record.isOfAnother()
    const reason = told ?? counting?.reason ?? 'signed-out'
    const id = this.#heldId()
    if (id !== undefined && !told && !beforeLogout.hasRun()) void beforeLogout.run(reason)
    const running = isBack || isReplaced ? undefined : beforeLogout.running()
    if (running) await running
    if (this.#heldId() !== id) return
    const cause = isOther ? identityChanged() : clash && sessionClash(clash)
    this.#end(reason, cause, isReplaced ? IN_PLACE : {})
    // The user has signed out and in again.
    if (isReplaced && !isOther) otherTabs.open()?.catchUp()
  }

  /** Every tab of the browser ends; one of them goes to the logout page for all. */
  async #giveWay(reason: SignedOutReason, isFirst: () => Promise<boolean>, clash?: SessionClash) {
    if (!this.stillCounts()) return
    const id = this.#heldId()
    const mayLeave = await isFirst()
    if (id === undefined || this.#heldId() !== id) return
    if (mayLeave) return this.#logOut({ reason, clash }).catch(() => {})
    const prepared = this.#parts.beforeLogout.run(reason)
    const gone = untilChanged(this.#context.store, () => this.#heldId() !== id)
    await within(this.#context.platform, HOOK_TIMEOUT_MS, () => Promise.all([prepared, gone]))
    if (this.#heldId() === id) await this.#endElsewhere({ reason, clash })
  }

  /** Logs out; a second call joins the first. @throws AuthError `logout-failed` */
  #logOut(departure: ReasonedDeparture): Promise<void> {
    // In a later microtask: a hook that logs out again finds this one under way and joins it.
    this.#loggingOut ??= Promise.resolve()
      .then(() => this.#leave(departure))
      .catch((cause: unknown) => {
        throw this.#parts.logout.fail(departure, cause)
      })
      .finally(() => {
        this.#loggingOut = undefined
      })
    return this.#loggingOut
  }

  /** In every tab first, then at the server. */
  async #leave(departure: ReasonedDeparture): Promise<void> {
    const { reason } = departure
    const { platform, store, caches, record } = this.#context
    const { logout, otherTabs, beforeLogout } = this.#parts
    const began = record.now()
    // Before anything is waited for: the page may be closed meanwhile.
    const leaving = logout.begin(departure)
    this.#renewScope()
    // Every tab's hook, 5 seconds at most. A tab that finds the record changed before it is asked would end without the others.
    const asking = otherTabs.open()?.prepare(reason)
    record.end(reason)
    const [met = []] = await Promise.all([asking, beforeLogout.run(reason)])
    const goodbye = this.stop(leaveHow(reason))
    const late = record.now()
    const isLate = late?.user !== undefined && late.user === began?.user
    // A tab that has opened since was not asked; a hook may have emptied the storage.
    if (isLate || !late) record.end(reason)
    otherTabs.tellEnded(reason, [record.id(), ...met, isLate ? late.id : undefined], departure.clash)
    this.#forget(reason)
    // A logout does not wait for caches that never finish.
    const clearing = within(platform, HOOK_TIMEOUT_MS, caches.clear)
    const to = departure.environmentUrl === undefined ? 'logout' : 'environment'
    store.change({ type: 'redirecting', to })
    const [away] = await Promise.all([logout.prepare(leaving), clearing, goodbye])
    logout.leave(leaving, away)
  }
}

/** Another user's session has taken the place of this one: the browser still has one. */
const IN_PLACE = { isOver: false }

const leaveHow = (reason: SignedOutReason): LeaveHow => (REASONS[reason].isAnnounced ? 'signed-out' : 'over')
