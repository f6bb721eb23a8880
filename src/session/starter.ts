// Begins a session's life once, again after a failure, and leaves for the sign-in page (spec §4 "Start-up sequence").
import { type AuthError, loginRequired } from '../errors.ts'
import type { Attempt, AuthorizationAnswer } from '../protocol/signIn.ts'
import type { Granted, Grants } from './grants.ts'
import type { Hint } from './hint.ts'
import type { SignInWay } from './keeper.ts'
import type { LoginOptions, SignIn } from './signIn.ts'
import type { StartUpOptions } from './startUp.ts'
import type { StateEvent } from './state.ts'
import type { Store } from './store.ts'
import type { Tabs } from './tabs.ts'

export interface StarterOptions {
  store: Store
  grants: Grants
  signIn: SignIn
  hint: Hint
  epoch(): number
  /** Cut off when the session stops running. */
  signal(): AbortSignal
  /** Whether this tab is the one to exchange a code. */
  claim(state: string): Promise<boolean>
  signedIn(granting: Promise<Granted>, via: SignInWay): Promise<void>
  tabs(): Promise<Tabs>
  /** Runs the steps of the specification. */
  run(steps: Pick<StartUpOptions, 'exchange' | 'verify' | 'login' | 'retry'>): Promise<StateEvent | undefined>
  /** Shows a server interaction in the query devtools. */
  show<Result>(name: 'exchange code' | 'verify session', work: () => Promise<Result>): Promise<Result>
}

export interface Starter {
  /** Runs start-up; a second call joins the first. */
  start(): Promise<void>
  /** The session stopped running: a start-up that was cut off begins again, an ended one is not repeated. */
  stop(): void
  /** Forgets that start-up has run. */
  reset(): void
  retry(how: 'start-up' | 'login'): void
  login(options?: LoginOptions & { isAutomatic?: boolean }): Promise<void>
}

export function createStarter(options: StarterOptions): Starter {
  const { store, grants, signIn, hint } = options
  let starting: Promise<void> | undefined
  let exchanging: Promise<boolean> | undefined
  let leaving: Promise<void> | undefined

  const start = () => {
    starting ??= run(options.signal())
    return starting
  }
  async function run(signal: AbortSignal) {
    const startedIn = options.epoch()
    // Cut off and begun again while a code was on its way: that exchange decides, and is not repeated.
    if (exchanging && (await exchanging)) return
    const event = await options.run({
      exchange: (answer, attempt) => exchange(answer, attempt, signal),
      verify: () => options.show('verify session', () => verify(signal)),
      login: () => login({ isAutomatic: true }),
      retry,
    })
    if (event && !signal.aborted && startedIn === options.epoch()) store.change(event)
  }
  function exchange({ code = '', state }: AuthorizationAnswer, attempt: Attempt, signal: AbortSignal) {
    const work = options.show('exchange code', async () => {
      // A tab copied in this very moment has the same code: the first one takes it.
      if (!(await options.claim(state))) throw loginRequired()
      await options.signedIn(grants.exchange(code, attempt, signal), 'redirect')
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
  async function verify(signal: AbortSignal) {
    // Nobody to ask: the frame opens in this very tick.
    if (hint.countOthers() === 0) return options.signedIn(grants.verify(signal), 'silent')
    const tabs = await options.tabs()
    const offered = await tabs.ask()
    if (offered) return options.signedIn(Promise.resolve(offered), 'tab')
    // Many tabs restored at once: the first asks the server, the others take it from there.
    const granting = new Promise<Granted>((resolve, reject) => {
      tabs.once(() => grants.verify(signal), resolve).then(() => reject(loginRequired()), reject)
    })
    return options.signedIn(granting, 'silent')
  }
  function retry(how: 'start-up' | 'login') {
    if (store.state.status !== 'failed') return
    if (how === 'login') {
      login().catch((error: unknown) => {
        store.change({ type: 'failed', error: error as AuthError, retry: () => retry('login') })
      })
      return
    }
    store.change({ type: 'restarted' })
    starting = undefined
    void start()
  }
  function login(choice: LoginOptions & { isAutomatic?: boolean } = {}) {
    leaving ??= signIn.leave(choice).finally(() => {
      leaving = undefined
    })
    return leaving
  }
  const reset = () => {
    starting = undefined
  }
  return {
    start,
    retry,
    login,
    reset,
    stop() {
      if (store.state.status === 'initializing') reset()
    },
  }
}
