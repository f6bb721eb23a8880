// Ends the session when the provider does, where it has named a time; what watches the time loads then.
import { FILE_WAIT_MS } from '../../../sessionConstants.ts'
import type { Context } from '../../context.ts'
import { loadLater } from '../../laterFile.ts'
import type { SendEvent } from '../../sessionEvent.ts'

export function createSessionEnd(
  context: Pick<Context, 'platform' | 'store' | 'tokens' | 'timeline'>,
  send: SendEvent,
) {
  const { platform, tokens } = context

  /** A file that does not come is asked for again: the session must end in time. */
  async function watch(signal: AbortSignal) {
    const file = await loadLater(platform).catch(() => undefined)
    if (file) file.watchSessionEnd(context, signal, send)
    else if (!signal.aborted) platform.setTimer(() => void watch(signal), FILE_WAIT_MS)
  }

  return {
    whileSignedIn(signal: AbortSignal) {
      if (tokens.current?.sessionEndsAtMs !== undefined) void watch(signal)
    },
  }
}
