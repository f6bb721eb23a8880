// Says when the token's life is over and no renewal brings another: the flag `isTokenExpired`.
import { LARGEST_TIMER_DELAY_MS } from '../../constants.ts'
import type { Platform } from '../platform/platform.ts'
import type { Store } from '../store.ts'

export interface TokenLifeOptions {
  platform: Pick<Platform, 'setTimer'>
  store: Store
  /** Time to expiry; `undefined` when unknown, or when nobody is signed in. */
  remainingMs(): number | undefined
}

export type TokenLife = ReturnType<typeof createTokenLife>

/** A token that is old and has not been asked to be renewed is no news: the next call renews it. */
export function createTokenLife({ platform, store, remainingMs }: TokenLifeOptions) {
  let hasFailed = false
  let stop = () => {}

  const check = () => {
    stop()
    const leftMs = remainingMs()
    if (!hasFailed || leftMs === undefined) return
    if (leftMs <= 0) store.change({ type: 'flags', flags: { isTokenExpired: true } })
    else if (leftMs <= LARGEST_TIMER_DELAY_MS) stop = platform.setTimer(check, Math.ceil(leftMs))
  }
  return {
    /** There is another token, or none at all. */
    renewed() {
      hasFailed = false
      stop()
      store.change({ type: 'flags', flags: { isTokenExpired: false } })
    },
    /** A renewal failed, and the session stays: from now on the end of the token's life is told. */
    renewalFailed() {
      hasFailed = true
      check()
    },
    /** Looks whether the token's life is over: a timer stands still while the machine sleeps. */
    check,
    /** Clears the timer. */
    stop: () => stop(),
  }
}
