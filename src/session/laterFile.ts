// Loads what the core leaves out. A file that did not come is asked for again by its next use.
import { asAuthError } from '../protocol/signIn.ts'
import type { Context } from './context.ts'

/** The same promise, for the import of a file; rejects with AuthError. */
export const ours = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw asAuthError(error)
  })

/** What a page needs only after sign-in. @throws AuthError `internal` where the file does not come */
export const loadLater = async () => (await ours(import('./later.ts'))).later

/** Fetches that file in an idle moment, so that a click waits for no file: for a component whose click needs it. */
export function fetchLaterFile({
  platform,
  page,
  store,
}: Pick<Context, 'platform' | 'page' | 'store'>): void {
  platform.whenIdle?.(() => {
    const isElsewhere = /^(initializing|redirecting)$/.test(store.state.status)
    if (!page().aborted && !isElsewhere) loadLater().catch(() => {})
  })
}
