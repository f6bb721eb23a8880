// Begins a session's life: runs start-up once, again after a failure, and hands what it finds to the upkeep (spec §4).
import { CODE_LIFETIME_MS } from '../../constants.ts'
import { loginRequired } from '../../errors.ts'
import { isOwnWindow } from '../../protocol/ownWindow.ts'
import { type Attempt, type AuthorizationAnswer, asAuthError } from '../../protocol/signIn.ts'
import { codeLock, sessionMarkerKey } from '../../protocol/storageKeys.ts'
import type { Core } from '../context.ts'
import type { Granted } from '../signIn/tokenEndpoint.ts'
import { createRepeats } from './repeats.ts'
import type { StartUpEnd, StartUpOptions } from './startUp.ts'
import type { Upkeep } from '../signedIn/upkeep.ts'

export interface StarterOptions extends Core {
  /** What runs the session; made with the first start. */
  upkeep(): Upkeep
  /** Runs the steps of the specification. */
  runSteps(steps: Omit<StartUpOptions, 'settings' | 'timeline' | 'arrive'>): Promise<StartUpEnd | undefined>
}

export interface Starter {
  /** Runs start-up; a second call joins the first. */
  start(): Promise<void>
  /** The page is in use again: a start-up that failed for a cause that can pass is repeated when its time has come. */
  resume(): void
  /** The browser is offline: what is planned waits. */
  pause(): void
  /** The session stopped running: a start-up that was cut off begins again with the next start. */
  stop(): void
  /** Forgets that start-up has run. */
  reset(): void
  /** Whether a start-up that failed is being repeated without a click: until it ends, the failure stays on the screen. */
  isRepeating(): boolean
}

export function createStarter(options: StarterOptions): Starter {
  const { settings, platform, store, grants } = options
  let starting: Promise<void> | undefined
  let exchanging: Promise<boolean> | undefined
  let isRepeating = false
  const repeats = createRepeats({
    platform,
    store,
    isRunning: () => !options.signal().aborted,
    // The state stays as it is: who is about to press "Try again" keeps the button, and the focus on it.
    repeat() {
      if (store.state.status !== 'failed') return
      isRepeating = true
      starting = undefined
      void start()
    },
  })

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
    const upkeep = options.upkeep()
    const stored = platform.localStorage.get(sessionMarkerKey(settings))
    const signedIn = async (granting: Promise<Granted>) => {
      const granted = await granting
      disposal.throwIfAborted()
      upkeep.signedIn(granted, 'redirect')
    }
    const event = await options.runSteps({
      exchange: (answer, attempt) => exchange(answer, attempt, signal, signedIn),
      verify: () => options.show('verify session', () => upkeep.join(() => grants.verify(signal))),
      honourOwedLogout: upkeep.honourOwedLogout,
      settleOwedLogout: upkeep.settleOwedLogout,
      login: () => upkeep.login({ isAutomatic: true }),
      passThrough: async (token) => upkeep.passThrough(token),
      retry: (how) => (how === 'login' ? login(upkeep) : restart()),
      hadSession: stored !== undefined,
      isNewcomer:
        settings.autoLogin &&
        !settings.verifyFirstVisit &&
        !stored &&
        !settings.initToken &&
        // Asked for already, while the app's files were on their way.
        !platform.early?.frame,
    })
    if (signal.aborted) return
    isRepeating = false
    if (event?.type === 'failed' && event.canPass) {
      upkeep.beginWithout(event)
      repeats.plan(event.error)
      return
    }
    repeats.forget()
    if (event) upkeep.beginWithout(event)
  }
  function exchange(
    { code = '', state }: AuthorizationAnswer,
    attempt: Attempt,
    signal: AbortSignal,
    signedIn: (granting: Promise<Granted>) => Promise<void>,
  ) {
    const work = options.show('exchange code', async () => {
      // A tab copied in this very moment has the same code: the first one takes it.
      const isOurs = (await platform.claim?.(codeLock(settings, state), CODE_LIFETIME_MS)) ?? true
      if (!isOurs) throw loginRequired()
      await signedIn(grants.exchange(code, attempt, signal))
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
      const cause = asAuthError(error)
      store.change({ type: 'failed', error: cause, retry: () => (isRepeating ? restart() : login(upkeep)) })
      if (cause.code === 'offline') repeats.plan(cause)
    })
  }
  function restart() {
    // What nobody uses does not run: it starts with the next one who does.
    if (store.state.status !== 'failed') return
    repeats.cancel()
    store.change({ type: 'restarted' })
    // A click while it is repeated shows that; it does not begin a second one.
    if (isRepeating) return
    starting = undefined
    if (!options.signal().aborted) void start()
  }
  return {
    start,
    reset() {
      starting = undefined
      isRepeating = false
      repeats.forget()
    },
    isRepeating: () => isRepeating && store.state.status === 'failed',
    resume: repeats.resume,
    pause: repeats.pause,
    stop() {
      repeats.pause()
      if (store.state.status === 'initializing' || isRepeating) starting = undefined
    },
  }
}
