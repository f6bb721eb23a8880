// Passes the session to the next page of the tab: encrypted, and once.
import { CRYPTO_WAIT_MS } from '../../../base/sessionConstants.ts'
import type { Granted } from '../../../protocol/credentials.ts'
import type { CountingSession } from '../../../protocol/storedSession.ts'
import { leftSessionKey } from '../../../protocol/storageKeys.ts'
import { within } from '../../../base/within.ts'
import type { Context } from '../../context.ts'
import { loadLater, withLater } from '../../laterFile.ts'
import type { BetweenPagesParts } from './leave.ts'

/** The rest loads later: after the first paint, or when the page has found a session. */
export function createBetweenPages(context: Context, parts: BetweenPagesParts) {
  const { settings, platform, timeline, tokens, record } = context
  const { betweenPages: isOn } = settings
  const key = leftSessionKey(settings)

  return {
    /** Moves the session of the page before into this page's memory. The returned function opens it, if it counted as this page opened. */
    arrive(isWanted: boolean, counting: CountingSession | undefined): () => Promise<Granted | undefined> {
      const text = platform.sessionStorage.get(key)
      platform.sessionStorage.remove(key)
      const name = platform.takeTabName?.()
      return async () => {
        if (!isOn || !isWanted || !text || !name) return undefined
        const taking = async () => (await loadLater(platform)).openLeft(context, { text, name })
        const granted = await within(platform, CRYPTO_WAIT_MS, taking).catch(() => undefined)
        const isTaken = granted && granted !== 'late' && counting && record.countsOffered(granted, counting)
        timeline.record('session of the page before', isTaken ? 'done' : 'skipped')
        if (!isTaken) return undefined
        parts.otherTabs.expect(granted)
        // After the session has begun and the app is shown.
        platform.setTimer(() => {
          if (tokens.current) parts.otherTabs.open()?.catchUp()
          parts.checkSession()
        }, 0)
        return granted
      }
    },
    whileSignedIn(signal: AbortSignal): void {
      if (!isOn || !platform.takeTabName) return
      const whenIdle = platform.whenIdle ?? ((begin: () => void) => void platform.setTimer(begin, 0))
      // After the first paint, and after an app that uses the name as its tab's id.
      whenIdle(() => {
        // Without the file the next page asks a frame.
        if (!signal.aborted)
          void withLater(platform, ({ leave }) => signal.aborted || leave(context, parts, signal))
      })
    },
  }
}
