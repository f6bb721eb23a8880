// What a feature adds to a session. `createAuth.ts` has the list of them; a feature leaves out what it does not add.
import type { Flow } from './http/reachability.ts'

export interface Feature {
  /** Removes its own part from the URL as start-up begins, unless the server responds in it. Returns the rest; `undefined`: it has none, nor had before. */
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
  /** Runs until the signal is aborted, also for further sessions of the user. Not awaited. */
  whileSignedIn?(signal: AbortSignal): void
  /** This tab got a session from the server. The same signal; not awaited. */
  afterSignIn?(signal: AbortSignal): void
}
