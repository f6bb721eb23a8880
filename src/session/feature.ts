// What a feature adds to a session. `createAuth.ts` has the list of them; a feature leaves out what it does not add.

export interface Feature {
  /**
   * Runs while somebody is signed in, until the signal is aborted. It makes nothing wait. `isNew`: this tab has the session from
   * the server. Called again, with the same signal, when a renewal brings another session of the same user.
   */
  whileSignedIn?(signal: AbortSignal, isNew: boolean): void
}
