// Wires what a session needs once start-up is under way: tokens kept fresh, logout, the other tabs, idle time (spec §4).
import { AuthError } from '../errors.ts'
import { notAuthenticated, sessionClash } from '../sessionErrors.ts'
import type { SignedOutReason } from '../protocol/claims.ts'
import { parseClash } from '../protocol/clash.ts'
import type { SessionClash } from '../protocol/eventHooks.ts'
import type { AddressToken } from '../protocol/passthrough.ts'
import { createStateKey } from '../protocol/proofKey.ts'
import { asAuthError } from '../protocol/signIn.ts'
import { HOOK_TIMEOUT_MS } from '../sessionConstants.ts'
import { within } from '../within.ts'
import type { Auth } from './auth.ts'
import { type Companions, createCompanions } from './companions.ts'
import type { Core } from './core.ts'
import type { Granted } from './grants.ts'
import { createEnding } from './ending.ts'
import { createHint } from './hint.ts'
import { createHookCalls } from './hookCalls.ts'
import { forgetActivity, wasIdleAway } from './idle.ts'
import type { Inspection } from './interior.ts'
import { createJoining } from './joining.ts'
import { createKeeper, type Keeper, type SignInWay } from './keeper.ts'
import { createLedger } from './ledger.ts'
import { createLeaving, type LoginOptions } from './leaving.ts'
import { createOwedLogout } from './owedLogout.ts'
import { passThrough } from './passthrough.ts'
import { createRenewal } from './renewal.ts'
import type { StateEvent } from './state.ts'
import { createSignOut, type LogoutOptions, type SignOut } from './signOut.ts'
import { createTokenLife } from './tokenLife.ts'
import { createVault } from './vault.ts'

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
  const vault = createVault(platform, createBeginning)
  // Without randomness nobody signs in, and start-up says so: no tab needs a name then.
  const tabId = platform.crypto.randomBytes ? createStateKey(platform.crypto) : ''
  const hint = createHint(platform.localStorage, settings, tabId)
  const idleOptions = {
    platform,
    client: settings,
    timeoutMs: settings.idleTimeoutInMinutes * 60_000,
  }
  let isSentAway = false
  // What the app's hook is deciding about: a logout or a sign-in that it asks for meanwhile is because of that clash.
  let clashInHook: SessionClash | undefined
  // As the page found it: another tab that sees the same may have tidied up before this one is asked.
  const wasClosed = settings.rememberMe && hint.countOthers() === 0
  let isAway = settings.autoLogout && !wasClosed && wasIdleAway(idleOptions)
  const renewal = createRenewal({
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
      clashInHook = undefined
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
  const leaving = createLeaving({ ...core, ledger })
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
      if (core.hook('uniqueSessionTrigger')) letAppDecide(clash)
      else void giveWay(clash, isFirst)
    },
    logOutTo: (environmentUrl) => signOut.leave('signed-out', { environmentUrl }),
  })

  /** Also from a tab that had no session itself, and has not spoken to the others yet. */
  function tellTabs(reason: SignedOutReason, others: readonly string[], clash?: SessionClash) {
    const own = vault.holding ? [vault.holding.session] : []
    companions.tabs()?.ended(reason, [...new Set([...own, ...others])], clash)
  }
  function letAppDecide(clash: SessionClash) {
    clashInHook = clash
    const forget = () => {
      if (clashInHook === clash) clashInHook = undefined
    }
    // A hook may ask for a logout without waiting for it: that arrives after the hook has ended.
    void fireHook('uniqueSessionTrigger', clash, () => platform.setTimer(forget, 0))
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
    isSentAway = isAway && via !== 'redirect'
    isAway = false
    if (isSentAway) return void signOut.leave('idle').catch(() => {})
    keeper.signedIn(granted, via)
  }

  function joinHint() {
    if (vault.holding) hint.join(vault.holding.session)
  }
  /** The page woke or came back: idle time first, then whether the session still is, then the token. */
  function wake() {
    if (store.state.status === 'failed') return core.resumeStartUp()
    if (companions.idle()?.check()) return
    const session = vault.holding?.session
    if (session !== undefined && hint.isEndedElsewhere(session)) return ending.endLate('signed-out')
    // The app may have cleared the storage.
    joinHint()
    renewal.check()
    tokenLife.check()
  }
  /** Nobody is signed in here: somebody may sign in in another tab, or did while this one asked the server. */
  function awaitSignIn() {
    const { state } = store
    if (state.status !== 'unauthenticated') return
    const isAnswer = state.reason === 'none' || state.reason === 'expired'
    const tabs = companions.tabs()
    if (isAnswer) tabs?.catchUp()
  }
  function comeBack() {
    // Back from the page the browser was sent to: the user did not want to leave.
    const { state } = store
    if (state.status === 'redirecting') {
      if (vault.holding) store.change({ type: 'authenticated', session: vault.holding })
      else {
        const isWay = state.to === 'login' || state.to === 'passthrough'
        store.change({ type: 'absent', reason: isWay ? 'cancelled' : 'signed-out' })
      }
    }
    wake()
  }

  return {
    ...keeper,
    idle: companions.idle,
    presence: companions.presence,
    joinChannels: companions.joinChannels,
    followListeners: companions.followListeners,
    tellOfBlock: companions.tellOfBlock,
    signedIn: enter,
    // A server that cannot be asked in a frame, or still has the session of a user who signed out, must not let them
    // back in without a word either.
    login: (options) =>
      leaving.login({
        ...options,
        ...(((isAway && options?.isAutomatic) || owedLogout.read()) && { prompt: 'login' }),
        clash: clashInHook,
      }),
    logout: (options) =>
      signOut.leave(clashInHook ? 'session-clash' : 'signed-out', { ...options, clash: clashInHook }),
    stopRenewal: renewal.stopForApp,
    async join(work) {
      // Stopped before this had loaded: nobody would close what is opened now.
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
      isSentAway ||
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
    async loadAppFetch() {
      const { createAppFetch } = await loadAppFetchFile().catch((error: unknown) => {
        throw asAuthError(error)
      })
      const isAllowed = (origin: string) =>
        [settings.authHost, new URL(platform.address()).origin, ...settings.apiOrigins].includes(origin)
      return createAppFetch({
        ...keeper,
        platform,
        isAllowed,
        isOurs: (error) => error instanceof AuthError,
      })
    },
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
      const removals = [
        ...(['visible', 'resume'] as const).map((event) => platform.on(event, wake)),
        // A click that brings the focus back must not tear down the error it is meant for.
        platform.on('focus', () => store.state.status !== 'failed' && wake()),
        platform.on('restored', comeBack),
        platform.on('pageshow', joinHint),
        platform.on('pagehide', hint.leave),
        store.subscribe(awaitSignIn),
      ]
      core.signal().addEventListener('abort', () => {
        for (const remove of removals) remove()
        hint.leave()
        renewal.stop()
        tokenLife.stop()
        companions.stop()
      })
      awaitSignIn()
      if (!vault.holding) return
      joinHint()
      renewal.schedule()
      tokenLife.check()
      companions.begin(false)
    },
    wake,
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

const loadAppFetchFile = () => import('./appFetch.ts')

// Who gives way to another session needs not say so: that one knows; of one that expired the server knows.
const endingOf = (reason: SignedOutReason) =>
  reason === 'session-clash' || reason === 'expired' ? 'over' : 'signed-out'
