'use client'
// Returns how long the user has been idle, and counts down the last minute.
import { IDLE_WARNING_MS } from '../base/sessionConstants.ts'
import { useAuthObject, useStoreBeforePaint } from '../provider/context.ts'
import type { IdleTime } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'

/**
 * Returns the idle time of the signed-in user. Renders once per second in the last 60 seconds, and not before. Both times are
 * `undefined` when signed out, and with `autoLogout: false`.
 *
 * @example
 * const { remainingMs, stayActive } = useIdle()
 * if (remainingMs !== undefined && remainingMs <= 60_000) return <button onClick={stayActive}>Stay signed in</button>
 */
export function useIdle(): IdleTime {
  const auth = useAuthObject()
  const { idle } = internalsOf(auth)
  const readSeconds = () => {
    const { remainingMs = Infinity } = idle() ?? {}
    return remainingMs > IDLE_WARNING_MS ? undefined : Math.ceil(remainingMs / 1000)
  }
  useStoreBeforePaint(auth.subscribe, readSeconds, readSeconds)
  return {
    get idleSinceMs() {
      return idle()?.idleSinceMs
    },
    get remainingMs() {
      return idle()?.remainingMs
    },
    stayActive: () => idle()?.stayActive(),
  }
}
