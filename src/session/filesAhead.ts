// Fetches what a later click needs in an idle moment, so that the click waits for no file.
import type { Context } from './context.ts'
import { loadResourceTokens } from './signedIn/resourceTokensFile.ts'
import { loadPopupAnswer } from './signIn/popupSignIn.ts'
import { loadParameters } from './signIn/signInAttempt.ts'
import { loadStepUp } from './signIn/stepUpFile.ts'

/** Each comes once: the browser keeps it. One that does not come is asked for again by its first use. */
const FILES: readonly (() => Promise<unknown>)[] = [
  loadPopupAnswer,
  loadStepUp,
  loadResourceTokens,
  loadParameters,
]

/** After start-up, which needs the network more; a page that is left for the sign-in page needs none of them. */
export function fetchFilesAhead({
  platform,
  page,
  store,
}: Pick<Context, 'platform' | 'page' | 'store'>): void {
  platform.whenIdle?.(() => {
    if (!page().aborted && store.state.status !== 'redirecting')
      for (const load of FILES) load().catch(() => {})
  })
}
