// What a feature adds to a session. `createAuth.ts` has the list of them; a feature leaves out what it does not add.
import type { Flow } from './http/reachability.ts'

export interface Feature {
  /**
   * Removes its own part from the URL, synchronously, as start-up begins: not where the URL has a response of the server.
   * Returns the rest; `undefined`: the URL has nothing of it, nor had at an earlier start-up that failed or was cut off.
   */
  takeFromAddress?(address: string): string | undefined
  /** The URL has a response of the server, as start-up begins again: what an earlier start-up took counts no more. */
  forget?(): void
  /** Its step of start-up: after no session was found, before auto-login. */
  startUpStep?: {
    /** True: the page leaves, and start-up is over. A click meanwhile, by `isOvertaken`, comes first. @throws AuthError */
    run(isOvertaken: () => boolean, flow: Flow): Promise<boolean>
    /** Start-up has ended before it: `explain()` says why. */
    skip(why: string): void
  }
  /**
   * Runs while a user is signed in, until the signal is aborted. It makes nothing wait. `isNew`: this tab has the session from
   * the server. Called again, with the same signal, when a renewal brings another session of the same user.
   */
  whileSignedIn?(signal: AbortSignal, isNew: boolean): void
}
