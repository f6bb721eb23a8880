'use client'
// Returns how long the user has been idle, and counts down the last minute.
import { useMemo } from 'react'
import { IDLE_WARNING_MS } from '../base/sessionConstants.ts'
import { useAuthObject, useStoreBeforePaint } from '../provider/context.ts'
import type { Auth, IdleTime } from '../session/auth.ts'
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
  const read = useMemo(() => createReader(auth), [auth])
  return useStoreBeforePaint(auth.subscribe, read, read)
}

/** Returns the same object until the shown number of seconds changes. */
function createReader(auth: Auth): () => IdleTime {
  const { idle } = internalsOf(auth)
  const createTime = (): IdleTime => ({
    get idleSinceMs() {
      return idle()?.idleSinceMs
    },
    get remainingMs() {
      return idle()?.remainingMs
    },
    stayActive: () => idle()?.stayActive(),
  })
  let shown: number | undefined
  let time = createTime()
  return () => {
    const { remainingMs = Infinity } = idle() ?? {}
    const seconds = remainingMs > IDLE_WARNING_MS ? undefined : Math.ceil(remainingMs / 1000)
    if (seconds !== shown) time = createTime()
    shown = seconds
    return time
  }
}
