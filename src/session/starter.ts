// Begins a session's life: runs start-up once, again after a failure, and hands what it finds to the upkeep (spec §4).
import { CODE_LIFETIME_MS } from '../constants.ts'
import { loginRequired } from '../errors.ts'
import { isOwnWindow } from '../protocol/ownWindow.ts'
import { type Attempt, type AuthorizationAnswer, asAuthError } from '../protocol/signIn.ts'
import { codeLock, namesTabs, sessionMarkerKey } from '../protocol/storageKeys.ts'
import type { Core } from './core.ts'
import type { Granted } from './grants.ts'
import type { StartUpOptions } from './startUp.ts'
import type { StateEvent } from './state.ts'
import type { Upkeep } from './upkeep.ts'

export interface StarterOptions extends Core {
  /** Loads what a session needs beyond start-up; begun at once, so that nothing waits for it later. */
  loadUpkeep(): Promise<Upkeep>
  /** Runs the steps of the specification. */
  runSteps(steps: Omit<StartUpOptions, 'settings' | 'timeline' | 'arrive'>): Promise<StateEvent | undefined>
}

export interface Starter {
  /** Runs start-up; a second call joins the first. */
  start(): Promise<void>
  /** Runs start-up again after a failure that a repeat can cure. */
  retry(): void
  /** The session stopped running: a start-up that was cut off begins again with the next start. */
  stop(): void
  /** Forgets that start-up has run. */
  reset(): void
}

export function createStarter(options: StarterOptions): Starter {
  const { settings, platform, store, grants } = options
  let starting: Promise<void> | undefined
  let exchanging: Promise<boolean> | undefined

  const start = () => {
    starting ??= run(options.signal())
    return starting
  }
  async function run(signal: AbortSignal) {
    // In a window of our own the page is only on its way: it must not begin a session of its own.
    if (isOwnWindow(platform.windowName())) return platform.closeWindow()
    // Cut off and begun again while a code was on its way: that exchange decides, and is not repeated.
    if (exchanging && (await exchanging)) return
    const disposal = options.disposal()
    const loading = options.loadUpkeep()
    // Asked for at the end, which may be long after it failed.
    const failing = loading.then(() => undefined, asAuthError)
    const stored = platform.localStorage.get(sessionMarkerKey(settings))
    const signedIn = async (granting: Promise<Granted>, via: 'redirect' | 'silent') => {
      const [granted, upkeep] = [await granting, await loading]
      disposal.throwIfAborted()
      upkeep.signedIn(granted, via)
    }
    const event = await options.runSteps({
      exchange: (answer, attempt) => exchange(answer, attempt, signal, signedIn),
      verify: () =>
        options.show('verify session', async () => {
          const ask = () => grants.verify(signal)
          // Nobody to ask first: the frame opens in this very tick.
          return namesTabs(stored) ? (await loading).join(ask) : signedIn(ask(), 'silent')
        }),
      login: async () => (await loading).login({ isAutomatic: true }),
      passThrough: async (token) => (await loading).passThrough(token),
      retry: (how) => (how === 'login' ? void loading.then(login) : restart()),
      hadSession: stored !== undefined,
      isNewcomer:
        settings.autoLogin &&
        !settings.verifyFirstVisit &&
        !stored &&
        !settings.initToken &&
        // Asked for already, while the app's files were on their way.
        !platform.early?.frame,
    })
    const failure = await failing
    if (signal.aborted) return
    if (failure) store.change({ type: 'failed', error: failure, retry: loadAgain })
    else if (event) (await loading).beginWithout(event)
  }
  function exchange(
    { code = '', state }: AuthorizationAnswer,
    attempt: Attempt,
    signal: AbortSignal,
    signedIn: (granting: Promise<Granted>, via: 'redirect') => Promise<void>,
  ) {
    const work = options.show('exchange code', async () => {
      // A tab copied in this very moment has the same code: the first one takes it.
      const isOurs = (await platform.claim?.(codeLock(settings, state), CODE_LIFETIME_MS)) ?? true
      if (!isOurs) throw loginRequired()
      await signedIn(grants.exchange(code, attempt, signal), 'redirect')
    })
    const settle = (isDone: boolean) => {
      exchanging = undefined
      return isDone
    }
    exchanging = work.then(
      () => settle(true),
      () => settle(false),
    )
    return work
  }
  function login(upkeep: Upkeep) {
    upkeep.login().catch((error: unknown) => {
      store.change({ type: 'failed', error: asAuthError(error), retry: () => login(upkeep) })
    })
  }
  /** A file did not come: some browsers remember that until the page is loaded anew, and after a deployment nothing else helps. */
  function loadAgain() {
    const signal = options.signal()
    // Without a network the page itself would be lost.
    if (!platform.isOnline()) restart()
    else if (forget())
      void options
        .loadUpkeep()
        .then(
          () => start,
          () => platform.reload,
        )
        .then((goOn) => signal.aborted || goOn())
  }
  function restart() {
    // What nobody uses does not run: it starts with the next one who does.
    if (forget() && !options.signal().aborted) void start()
  }
  const reset = () => {
    starting = undefined
  }
  /** Whether there was a failure to forget. */
  function forget() {
    if (store.state.status !== 'failed') return false
    reset()
    store.change({ type: 'restarted' })
    return true
  }
  return {
    start,
    reset,
    retry() {
      const { state } = store
      const isCurable =
        state.status === 'failed' && state.error.retryable && state.error.code !== 'redirect-loop'
      if (isCurable && platform.isOnline()) restart()
    },
    stop() {
      if (store.state.status === 'initializing') reset()
    },
  }
}
