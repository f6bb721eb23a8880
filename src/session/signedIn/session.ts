// One user's session in this page: how it begins, how it ends, and what every event means for it.
import type { AuthError } from '../../base/errors.ts'
import { REASONS, type SignedOutReason } from '../../protocol/signedOutReasons.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import { endLock } from '../../protocol/storageKeys.ts'
import { isSameAppClaims } from '../../protocol/appClaims.ts'
import { holderName, identityOf, isSameIdentity, isSameSession } from '../../protocol/identity.ts'
import { HOOK_TIMEOUT_MS, LONGEST_END_MS } from '../../base/sessionConstants.ts'
import { identityChanged, notAuthenticated, sessionClash } from '../../base/sessionErrors.ts'
import { within } from '../../base/within.ts'
import type { Context } from '../context.ts'
import { hasAskedUser } from '../sessionEvent.ts'
import type { Leaving, SendEvent, SignInWay } from '../sessionEvent.ts'
import type { SignInRequest } from '../signIn/signInRequest.ts'
import { switchedBefore } from '../signIn/tabRecords.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { renewTokens } from './renewal.ts'
import { isExpired } from '../state.ts'
import { untilChanged } from '../store.ts'
import type { Feature } from '../feature.ts'
import { fetchAppFetchFile } from '../http/lazyFetch.ts'
import { type Connection, leaveHow, type LeaveHow } from '../realtimePort.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
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
  /** The idle logout: whether the user is away, whether the session must end, or one that is found, and that one has ended. */
  idleLogout: { isOver(): boolean; check(): boolean; endsAt(via: SignInWay): boolean; forget(): void }
}

/** The current session: its tokens, and what runs for it. Two lifetimes: `context.page()` for timers, listeners and channels; `scope`, after which late results are refused. */
function createCurrent(context: Context, parts: SessionParts, stillCounts: () => boolean) {
  const { settings, platform, page, store, timeline, tabRecords, tokens, marker, record } = context
  const { server, hooks, clashHook, caches } = context
  const { refresh, otherTabs, connection, features, idleLogout } = parts
  let scope = new AbortController()
  /** Of what runs while the user is signed in and a provider is mounted. */
  let running: AbortController | undefined

  const isPageUsed = () => !page().aborted
  const id = () => tokens.current && record.id()
  /** Results of work that began for the session are refused from now on. */
  const renewScope = () => {
    scope.abort(notAuthenticated())
    scope = new AbortController()
  }
  /** Starts real time, the channel to the other tabs and the features. `isNew`: this tab got the session from the server. */
  const run = (isNew = false) => {
    fetchAppFetchFile(platform)
    const isStart = running === undefined
    const { signal } = (running ??= new AbortController())
    for (const { whileSignedIn, afterSignIn } of features) {
      // A listener of the app may have stopped what runs.
      if (isStart && !signal.aborted) whileSignedIn?.(signal)
      if (isNew) afterSignIn?.(signal)
    }
    connection.start()
    const others = otherTabs.open()
    if (isNew) void others?.signedIn()
  }
  /** Stops what runs. Resolves when the user's other browsers have been notified, a second later at the latest. */
  const stop = (how: LeaveHow): Promise<void> => {
    running?.abort()
    running = undefined
    return connection.leave(how)
  }
  /** In a later task: the app is shown first. The record shows what was missed until then. */
  const runSoon = (isNew: boolean) => {
    const { signal } = scope
    platform.setTimer(() => {
      if (signal.aborted || !isPageUsed()) return
      // From now on this page is notified of an end.
      otherTabs.open()
      if (!stillCounts()) return
      marker.join()
      run(isNew)
    }, 0)
  }
  /** With another user's tokens, the session that this browser had is over in every tab. */
  const enter = (granted: Granted, isOffered?: boolean) => {
    const replaced = record.enter(granted, isOffered)
    if (replaced !== undefined) otherTabs.announceEnd('signed-out', [replaced])
  }
  /** Shows who is signed in, or that the expiry moved. Without a mounted provider, nothing starts to run. */
  const announce = (isNew = false) => {
    const current = tokens.current!
    server.known()?.remember?.(current)
    refresh.renewed()
    if (isPageUsed()) refresh.schedule()
    const { state } = store
    // The state of a page that leaves stays `redirecting` until it is gone, or the user stays.
    if (state.status === 'redirecting') return
    const isSame = state.status === 'authenticated' && isSameSession(state.user, current.claims)
    if (isSame && isSameAppClaims(state.user, current.claims)) return store.notify()
    store.change({ type: 'authenticated', session: current })
    // Also when a renewal brought it: what runs belongs to this session from now on.
    if (!isSame && isPageUsed()) runSoon(isNew)
  }
  /** Removes the session from this tab. The caller has stopped what ran for it, and changes the state. */
  const forget = (reason: SignedOutReason, isOver = true) => {
    const ownId = id()
    renewScope()
    refresh.stop()
    tokens.clear()
    // Where another session took its place, the browser has one still.
    if (isOver && ownId !== undefined) marker.forget()
    else marker.leave()
    clashHook.forget()
    idleLogout.forget()
    if (REASONS[reason].isAwaited) return
    record.forget(isOver ? reason : undefined)
    tabRecords.keepSwitched(undefined)
  }

  return {
    id,
    isPageUsed,
    signal: () => scope.signal,
    renewScope,
    run,
    stop,
    enter,
    forget,
    isOtherUser: ({ claims }: Granted) =>
      tokens.current !== undefined && !isSameIdentity(tokens.current.claims, claims),
    /** @throws AuthError `login-required` when an offered session has ended meanwhile */
    begin(granted: Granted, via: SignInWay, isOffered = false) {
      const { signal } = scope
      enter(granted, isOffered)
      timeline.begin(holderName(settings, granted))
      caches.expect(tabRecords.enter(granted, via === 'tab'))
      if (caches.makeRoomFor(granted.claims)) record.keep()
      const isStronger = tokens.current !== undefined && via === 'popup' && isPageUsed()
      tokens.put(granted)
      refresh.allow()
      if (via === 'popup') tabRecords.allowSilentSignIn()
      announce(via !== 'tab')
      // The other tabs get the tokens of a step-up too: else one renews with the refresh token before it, and replaces them.
      if (isStronger) void otherTabs.open()?.signedIn()
      // In a later task, so that components which mount on signing in have set their hook.
      platform.setTimer(() => {
        const { state } = store
        if (state.status === 'authenticated' && !signal.aborted)
          void hooks.fire('afterLogin', { user: state.user, via, answer: granted.answer })
      }, 0)
    },
    renewed() {
      announce()
      timeline.record('renew token', 'done')
      const { state } = store
      if (state.status === 'authenticated')
        void hooks.fire('afterRefreshToken', { user: state.user, expiresAtMs: state.expiresAtMs })
    },
    /** `isOver: false`: another session has taken the place of this one, so the browser still has one. */
    end(reason: SignedOutReason, cause?: AuthError, { isOver = true, isEmptied = false } = {}) {
      void stop(isOver ? leaveHow(reason) : 'over')
      forget(reason, isOver)
      server.known()?.forget?.()
      if (!isEmptied) void caches.clear(reason)
      store.change({ type: 'absent', reason, cause })
    },
  }
}

export type Session = ReturnType<typeof createSession>

export function createSession(context: Context, parts: SessionParts) {
  const { store, tabRecords, tokens, record, pendingLogout, caches } = context
  const { hooks, beforeLogout, clashHook } = context
  const { refresh, otherTabs, signInRedirect, logout, idleLogout } = parts
  const current = createCurrent(context, parts, () => stillCounts())
  const { begin, enter, end, signal, stop } = current
  const { isLoggingOut, stillCounts, endElsewhere, giveWay, logOut } = createEndings(context, parts, current)

  /** The whole policy: the effect of each event. Resolves when it is done. */
  const send: SendEvent = async (event) => {
    switch (event.type) {
      case 'granted': {
        const { granted, via } = event
        const scope = signal()
        const isOffered = via === 'tab' && !tokens.current
        if (hasAskedUser(via)) await logout.settleBySignIn(granted)
        scope.throwIfAborted()
        // The idle time was over when the page opened: the user has to sign in again.
        if (idleLogout.endsAt(via)) return void logOut({ reason: 'idle' }).catch(() => {})
        if (current.isOtherUser(granted)) {
          // Before the app's callbacks, which may empty the storage.
          enter(granted)
          caches.makeRoomFor(granted.claims)
          end('signed-out', identityChanged(), { isOver: false, isEmptied: true })
        }
        return begin(granted, via, isOffered)
      }
      case 'adopted': {
        const { granted } = event
        if (current.isOtherUser(granted)) {
          // The same person went to another organization: every tab of theirs does, one that went to a third meanwhile too.
          const { claims, switched } = tokens.current!
          if (
            [identityOf(claims), ...(switched?.from ?? [])].some((one) =>
              granted.switched?.from.includes(one),
            )
          )
            return send({ type: 'granted', granted, via: 'tab' })
          if (!beforeLogout.hasRun()) void beforeLogout.run('signed-out')
          return end('signed-out', identityChanged(), { isOver: false })
        }
        if (store.state.status !== 'authenticated') return begin(granted, 'tab')
        enter(granted)
        tokens.put(granted)
        // The frame's grant is a new one: a tab that renewed from the old grant would bring that back.
        if (event.isOwn) void otherTabs.open()?.signedIn()
        return current.renewed()
      }
      case 'refused':
        // The others hold the same token, and cannot renew it either.
        otherTabs.announceEnd('expired', [record.id()])
        return end('expired', event.cause, { isOver: event.cause.code !== 'identity-changed' })
      case 'idle':
        return giveWay('idle')
      case 'logout': {
        const clash = clashHook.clash()
        const reason = clash ? 'session-clash' : 'signed-out'
        return logOut({ reason, clash, ...event.departure })
      }
      case 'superseded':
        if (hooks.get('uniqueSessionTrigger')) return clashHook.ask(event.clash)
        return giveWay('session-clash', event.clash)
      case 'ending':
        return beforeLogout.run(event.reason)
      case 'endedElsewhere':
        return endElsewhere(event.reason, event.clash)
      case 'endedRemotely':
        if (!stillCounts()) return
        void stop('over')
        record.end('signed-out')
        otherTabs.announceEnd('signed-out', [record.id()])
        return endElsewhere('signed-out')
    }
  }

  return {
    /** Aborted with `not-authenticated` when the current session ends; late results throw it. For calls see `caches.signal`. */
    signal,
    stillCounts,
    send,
    run: current.run,
    stop,
    async logIn(request: SignInRequest = {}): Promise<void> {
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
    },
    /** One renewal, for all tabs. @throws AuthError */
    async renew(): Promise<void> {
      // The hook of this tab's own logout may still need a token.
      const mayRenew = () => isLoggingOut() || stillCounts()
      if (!mayRenew()) throw notAuthenticated()
      // A timer may be the first to notice that the machine has slept.
      if (!beforeLogout.isEnding() && idleLogout.check()) throw notAuthenticated()
      if (await renewTokens(context, { otherTabs, refresh, signal: signal(), mayRenew, send }))
        current.renewed()
    },
    /** Forgets the session; the other tabs keep it. */
    dispose(): void {
      logout.stopWaiting()
      current.renewScope()
      caches.refuse()
      tokens.clear()
      record.forget()
      refresh.stop()
    },
  }
}

/** How the session ends: by a logout here, or because it ended elsewhere. */
function createEndings(
  { settings, platform, store, caches, record, pendingLogout, beforeLogout }: Context,
  { logout, otherTabs }: SessionParts,
  current: ReturnType<typeof createCurrent>,
) {
  let underWay: Promise<void> | undefined

  /** In every tab first, then at the server. */
  const leave = async (departure: Leaving) => {
    const { reason } = departure
    const began = record.now()
    // Before anything is waited for: the page may be closed meanwhile.
    const leaving = logout.begin(departure)
    current.renewScope()
    // Every tab's hook, 5 seconds at most. A tab that finds the record changed before it is asked would end without the others.
    const asking = otherTabs.open()?.prepare(reason)
    record.end(reason)
    const [met = []] = await Promise.all([asking, beforeLogout.run(reason)])
    const goodbye = current.stop(leaveHow(reason))
    const late = record.now()
    const isLate = late?.user !== undefined && late.user === began?.user
    // A tab that has opened since was not asked; a hook may have emptied the storage.
    if (isLate || !late) record.end(reason)
    otherTabs.announceEnd(reason, [record.id(), ...met, isLate ? late.id : undefined], departure.clash)
    current.forget(reason)
    // A logout does not wait for ever for a cache.
    const clearing = within(platform, HOOK_TIMEOUT_MS, caches.clear)
    const to = departure.environmentUrl === undefined ? 'logout' : 'environment'
    store.change({ type: 'redirecting', to })
    const [away] = await Promise.all([logout.prepare(leaving), clearing, goodbye])
    // Logouts in two tabs at once: the one that ended last goes to the logout page. Providers refuse a second one beside it.
    // Once a user has signed in meanwhile, the server's session is theirs.
    const isForOther = record.isEndedElsewhere() || pendingLogout.isSettled()
    if (to === 'environment' || !isForOther) return logout.leave(leaving, away)
    logout.leaveToOther(leaving)
    store.change({ type: 'absent', reason, cause: away })
  }
  /** A second call joins the first. @throws AuthError `logout-failed` */
  const logOut = async (departure: Leaving): Promise<void> => {
    // Another tab's logout has ended this session: a second visit to the logout page, without an ID token, would disturb the first.
    if (current.id() === undefined && record.isEndedElsewhere() && pendingLogout.isNew(platform.now())) {
      // Start-up has failed here, or a screen waits for the user of an expired session.
      if (store.state.status !== 'unauthenticated' || isExpired(store.state)) current.end(departure.reason)
      return logout.leaveToOther(departure)
    }
    // In a later microtask: a hook that logs out again finds this one under way and joins it.
    underWay ??= Promise.resolve()
      .then(() => leave(departure))
      .catch((cause: unknown) => {
        throw logout.fail(departure, cause)
      })
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }
  /**
   * The record has another session or none, or another tab ended this one and sent the reason. A page that was away (hidden, frozen, in the
   * bfcache), or whose session is replaced, ends synchronously; otherwise a running hook may finish first.
   */
  const endElsewhere = async (told?: SignedOutReason, clash?: SessionClash, isBack = false) => {
    const counting = record.now()
    const isReplaced = !told && counting?.user !== undefined
    const isOther = isReplaced && record.isOfAnother()
    const reason = told ?? counting?.reason ?? 'signed-out'
    const ownId = current.id()
    if (ownId !== undefined && !told && !beforeLogout.hasRun()) void beforeLogout.run(reason)
    const hook = isBack || isReplaced ? undefined : beforeLogout.running()
    if (hook) await hook
    if (current.id() !== ownId) return
    const cause = isOther ? identityChanged() : clash && sessionClash(clash)
    current.end(reason, cause, { isOver: !isReplaced })
    // The user has signed out and in again.
    if (isReplaced && !isOther) otherTabs.open()?.catchUp()
  }

  /** Every tab of the browser ends; the first to take the lock goes to the logout page for all. Without locks, each does. */
  const giveWay = async (reason: SignedOutReason, clash?: SessionClash) => {
    const ownId = stillCounts() ? current.id() : undefined
    if (ownId === undefined) return
    const mayLeave = await platform.takeLock(endLock(settings, ownId), LONGEST_END_MS)
    if (current.id() !== ownId) return
    if (mayLeave) return logOut({ reason, clash }).catch(() => {})
    const prepared = beforeLogout.run(reason)
    const gone = untilChanged(store, () => current.id() !== ownId)
    await within(platform, HOOK_TIMEOUT_MS, () => Promise.all([prepared, gone]))
    if (current.id() === ownId) await endElsewhere(reason, clash)
  }
  /** Whether this page's session still counts; if not, it ends. Every operation asks here first. `isBack` as in `counts`. */
  const stillCounts = (isBack = !current.isPageUsed()): boolean => {
    if (underWay) return false
    if (record.counts(isBack)) return true
    if (!beforeLogout.isEnding()) void endElsewhere(undefined, undefined, isBack)
    return false
  }
  return { isLoggingOut: () => underWay !== undefined, stillCounts, endElsewhere, giveWay, logOut }
}
