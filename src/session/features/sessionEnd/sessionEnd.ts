// Ends the session at the time that the provider has named; the rest loads then.
import { FILE_WAIT_MS } from '../../../base/sessionConstants.ts'
import type { Context } from '../../context.ts'
import { loadLater } from '../../laterFile.ts'
import type { SendEvent } from '../../sessionEvent.ts'

export function createSessionEnd(
  context: Pick<Context, 'platform' | 'store' | 'tokens' | 'timeline'>,
  send: SendEvent,
) {
  const { platform, store, tokens } = context
  const watch = (signal: AbortSignal): Promise<unknown> =>
    loadLater(platform).then(
      (file) => file.watchSessionEnd(context, signal, send),
      // Try again: the session must end in time.
      () => signal.aborted || platform.setTimer(() => void watch(signal), FILE_WAIT_MS),
    )
  return {
    whileSignedIn(signal: AbortSignal) {
      let isWatched = false
      const look = () => {
        if (isWatched || tokens.current?.sessionEndsAtMs === undefined) return
        isWatched = true
        void watch(signal)
      }
      look()
      // A renewal may be the first to name a time.
      signal.addEventListener('abort', store.subscribe(look))
    },
  }
}
