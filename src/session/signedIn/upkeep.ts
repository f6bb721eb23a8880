// Wires what a session needs once start-up is under way: tokens kept fresh, logout, the other tabs, idle time (spec §4).
import { notAuthenticated, sessionClash } from '../../sessionErrors.ts'
import type { SignedOutReason } from '../../protocol/claims.ts'
import { parseClash } from '../../protocol/clash.ts'
import type { SessionClash } from '../../protocol/eventHooks.ts'
import type { AddressToken } from '../../protocol/passthrough.ts'
import { createStateKey } from '../../protocol/proofKey.ts'
import { HOOK_TIMEOUT_MS } from '../../sessionConstants.ts'
import { within } from '../../within.ts'
import type { Auth } from '../auth.ts'
import { createClashHook } from './clashHook.ts'
import { createAbsence } from './absence.ts'
import { loadAppFetch, loadAppFetchFile } from '../http/loadAppFetch.ts'
import { type Companions, createCompanions, endingOf } from './companions.ts'
import type { Core } from '../context.ts'
import type { Granted } from '../signIn/tokenEndpoint.ts'
import { createEnding } from './ending.ts'
import { createSessionMarker } from './sessionMarker.ts'
import { createHookCalls } from './hookCalls.ts'
import { forgetActivity, wasIdleAway } from './idle.ts'
import type { Inspection } from '../internals.ts'
import { createJoining } from '../tabs/joining.ts'
import { createKeeper, type Keeper, type SignInWay } from './keeper.ts'
import { createLedger } from '../signIn/attempts.ts'
import { createSignInRedirect, type LoginOptions } from '../signIn/signInRedirect.ts'
import { createOwedLogout } from './owedLogout.ts'
import { createPageWakes } from './pageWakes.ts'
import { passThrough } from './passthrough.ts'
import { createTokenRefresh } from './tokenRefresh.ts'
import type { StateEvent } from '../state.ts'
import { createSignOut, type LogoutOptions, type SignOut } from './signOut.ts'
import { createTokenLife } from './tokenLife.ts'
import { createTokenStore } from './tokenStore.ts'

export interface Upkeep
  extends
    Pick<Keeper, 'call' | 'getAccessToken' | 'renewRefused'>,
    Pick<Companions, 'idle' | 'presence' | 'joinChannels' | 'followListeners' | 'tellOfBlock'> {
  /** Takes in the tokens of a sign-in. */
  signedIn(granted: Granted, via: SignInWay): void
  /** Gets the session from another tab, or does the work for all of them that are waiting. */
  join(work: () => Promise<Granted>): Promise<void>
  login(options?: LoginOptions & { isAutomatic?: boolean }): Promise<void>
  logout(options?: LogoutOptions): Promise<void>
  /** Tells the server of a logout that it has not been told of. */
  honourOwedLogout: SignOut['honourOwed']
  /** The browser has been at the logout page. */
  settleOwedLogout(): void
  renew(isForced?: boolean): Promise<void>
  stopRenewal(): void
  /** Leaves with a token that arrived; false when there is nothing to go with. */
  passThrough(token: AddressToken | undefined): boolean
  /** What no error and no support bundle may hold. */
  heldSecrets(): readonly string[]
  loadAppFetch(): Promise<Auth['fetch']>
  /** Start-up has found no session: says so, with what was kept of a clash on the way to the logout page. */
  beginWithout(event: StateEvent): void
  /** Begins to listen and to count; stops when the session stops running. */
  run(): void
  /** Looks at everything that may have become due. */
  wake(): void
  inspect(): Inspection
  /** Forgets the session; the other tabs keep it. */
  dispose(): void
}

export function createUpkeep(core: Core): Upkeep {
  const { settings, platform, store, records } = core
  const ledger = createLedger(records)
  const fireHook = createHookCalls(core)
  // Without Web Crypto the tabs hand nothing on, so they go by what each can read from its token.
  const createBeginning = () => (platform.crypto.sha256 ? createStateKey(platform.crypto) : '')
  const vault = createTokenStore(platform, createBeginning)
  // Without randomness nobody signs in, and start-up says so: no tab needs a name then.
  const tabId = platform.crypto.randomBytes ? createStateKey(platform.crypto) : ''
  const hint = createSessionMarker(platform.localStorage, settings, tabId)
  const timeoutMs = settings.idleTimeoutInMinutes * 60_000
  const idleOptions = { platform, client: settings, timeoutMs }
  const clashHook = createClashHook(fireHook, platform)
  const absence = createAbsence(settings, hint, () => wasIdleAway(idleOptions))
  const renewal = createTokenRefresh({
    platform,
    isScheduled: settings.autoRefreshToken,
    isDue: vault.isDue,
    remainingMs: vault.remainingMs,
    renew: () => core.show('renew token', keeper.renew),
  })
  const tokenLife = createTokenLife({ platform, store, remainingMs: vault.remainingMs })
  const keeper = createKeeper({
    ...core,
    ledger,
    vault,
    hint,
    renewal,
    tokenLife,
    fireHook,
    onceForAllTabs: async (work, hold) => {
      const tabs = companions.tabs()
      if (tabs) return tabs.once(work, hold)
      // Nobody used the session when this began; if somebody does by now, the other tabs learn of it.
      hold(await work(false))
      void companions.tabs()?.signedIn()
    },
    onBegin: (isNew) => companions.begin(isNew),
    onEnd() {
      clashHook.forget()
      forgetActivity(idleOptions)
      void companions.end('over')
    },
    onExpired: () => tellTabs('expired', []),
  })
  const ending = createEnding({
    platform,
    store,
    fireHook,
    holding: () => vault.holding,
    end(reason, clash) {
      // The tab that holds the line speaks for the one that signed out.
      void companions.end(endingOf(reason))
      keeper.end(reason, clash && sessionClash(clash))
    },
  })
  const joining = createJoining()
  const leaving = createSignInRedirect({ ...core, ledger })
  const owedLogout = createOwedLogout(platform.localStorage, settings)
  const signOut = createSignOut({
    ...core,
    owedLogout,
    countNavigation: () => ledger.countNavigation(platform.now()),
    isSignedIn: () => vault.holding !== undefined,
    keepDeparture: leaving.keepDeparture,
    beginEpoch: keeper.beginEpoch,
    async prepare(reason) {
      const askOthers = async () => companions.tabs()?.prepare(reason) ?? []
      const [others] = await Promise.all([
        within(platform, HOOK_TIMEOUT_MS, askOthers),
        ending.prepare(reason),
      ])
      return others === 'late' ? [] : others
    },
    clearVault(reason, clash, sessions) {
      const goodbye = companions.end(endingOf(reason))
      tellTabs(reason, sessions, clash)
      keeper.forget()
      return goodbye
    },
  })
  const companions = createCompanions({
    ...core,
    ledger,
    vault,
    hint,
    callWithToken: keeper.call,
    adopt: keeper.adopt,
    onEnded(reason, clash, sessions) {
      joining.hearEnded(sessions)
      if (vault.holding && sessions.includes(vault.holding.session)) void ending.endHere(reason, clash)
    },
    onPrepare: (reason) => ending.prepare(reason),
    isEnding: () => ending.isOver(),
    onIdle: () => void signOut.leave('idle').catch(() => {}),
    onYield(clash, isFirst) {
      if (core.hook('uniqueSessionTrigger')) clashHook.ask(clash)
      else void giveWay(clash, isFirst)
    },
    logOutTo: (environmentUrl) => signOut.leave('signed-out', { environmentUrl }),
  })

  /** Also from a tab that had no session itself. */
  function tellTabs(reason: SignedOutReason, others: readonly string[], clash?: SessionClash) {
    const own = vault.holding ? [vault.holding.session] : []
    companions.tabs()?.ended(reason, [...new Set([...own, ...others])], clash)
  }
  /** Every tab of the browser ends; one of them goes to the logout page for all. */
  async function giveWay(clash: SessionClash, isFirst: () => Promise<boolean>) {
    const mayLeave = await isFirst()
    if (!vault.holding) return
    if (mayLeave) return signOut.leave('session-clash', { clash }).catch(() => {})
    await ending.follow(clash)
  }

  /** Idle time first: the user who went away is not the one who sits there now, until they have signed in again. */
  function enter(granted: Granted, via: SignInWay) {
    // The user has been at the sign-in page, which asked for the credentials.
    if (via === 'redirect') owedLogout.settle()
    if (absence.endsAt(via)) return void signOut.leave('idle').catch(() => {})
    keeper.signedIn(granted, via)
  }

  const wakes = createPageWakes({
    platform,
    store,
    vault,
    hint,
    renewal,
    tokenLife,
    idle: companions.idle,
    tabs: companions.tabs,
    endLate: ending.endLate,
    isLogoutOwed: () => owedLogout.read() !== undefined,
    resumeStartUp: core.resumeStartUp,
  })

  return {
    ...keeper,
    idle: companions.idle,
    presence: companions.presence,
    joinChannels: companions.joinChannels,
    followListeners: companions.followListeners,
    tellOfBlock: companions.tellOfBlock,
    signedIn: enter,
    // A server that still has the session of a user who is away or signed out must not let them back in without a word.
    login: (options) =>
      leaving.login({
        ...options,
        ...(((absence.isOver() && options?.isAutomatic) || owedLogout.read()) && { prompt: 'login' }),
        clash: clashHook.clash(),
      }),
    logout: (options) =>
      signOut.leave(clashHook.clash() ? 'session-clash' : 'signed-out', {
        ...options,
        clash: clashHook.clash(),
      }),
    stopRenewal: renewal.stopForApp,
    async join(work) {
      core.signal().throwIfAborted()
      const disposal = core.disposal()
      const comeIn = (granted: Granted, via: SignInWay) => {
        disposal.throwIfAborted()
        enter(granted, via)
      }
      const tabs = hint.countOthers() > 0 ? companions.tabs() : undefined
      // Nobody to ask first: the frame opens at once.
      if (!tabs) return comeIn(await work(), 'silent')
      await joining.join(tabs, work, comeIn)
    },
    honourOwedLogout: signOut.honourOwed,
    settleOwedLogout: owedLogout.settle,
    renew: async (isForced) => {
      if (!vault.holding) throw notAuthenticated()
      return renewal.ensureFresh(isForced)
    },
    passThrough: (token) =>
      absence.wasSentAway() ||
      passThrough(
        {
          ...core,
          ...ledger,
          user: vault.holding?.claims,
          onLeaving: () => store.change({ type: 'leaving', to: 'passthrough' }),
        },
        token,
      ),
    heldSecrets: vault.secrets,
    loadAppFetch: () => loadAppFetch(core, keeper),
    beginWithout(event) {
      // A start-up that was cut off before this one has found it meanwhile.
      if (vault.holding) return
      if (event.type !== 'absent') return store.change(event)
      const clash = parseClash(event.clash)
      store.change(clash ? { ...event, cause: sessionClash(clash) } : event)
    },
    run() {
      // Beside start-up, so that the app's first own call does not wait for it; one that fails asks for it again.
      loadAppFetchFile().catch(() => {})
      const stopListening = wakes.listen()
      core.signal().addEventListener('abort', () => {
        stopListening()
        hint.leave()
        renewal.stop()
        tokenLife.stop()
        companions.stop()
      })
      wakes.awaitSignIn()
      if (!vault.holding) return
      wakes.joinSession()
      renewal.schedule()
      tokenLife.check()
      companions.begin(false)
    },
    wake: wakes.wake,
    inspect: () => ({
      tabId: hint.tabId,
      renewsAtMs: renewal.plannedAtMs(),
      isRenewing: renewal.isRunning(),
      expireToken() {
        vault.expire()
        store.notify()
      },
    }),
    dispose() {
      signOut.forget()
      keeper.beginEpoch()
      vault.clear()
      tokenLife.renewed()
    },
  }
}
