// The interface of a feature; `createAuth.ts` lists all features. Every member is optional.
import type { Flow } from './http/reachability.ts'

export interface Feature {
  /** Removes its parameters from the URL as start-up begins, unless the URL has a response of the server. Returns the rest; `undefined` without any, now and before. */
  takeFromAddress?(address: string): string | undefined
  /** Start-up begins again with a response of the server in the URL: discards what an earlier start-up took. */
  forget?(): void
  /** Its step of start-up, between the search for a session and auto-login. */
  startUpStep?: {
    /** Resolves to true when the page leaves. A click meanwhile (`isOvertaken`) wins. @throws AuthError */
    run(isOvertaken: () => boolean, flow: Flow): Promise<boolean>
    /** Start-up has ended before this step; `why` is for `explain()`. */
    skip(why: string): void
  }
  /** Runs until the signal is aborted, also for further sessions of the user. Not awaited. */
  whileSignedIn?(signal: AbortSignal): void
  /** The page wakes: whether the session has to end, which it then does. */
  check?(): boolean
  /** This tab got a session from the server. The same signal; not awaited. */
  afterSignIn?(signal: AbortSignal): void
}
