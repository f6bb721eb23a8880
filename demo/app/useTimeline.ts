// The session's own account of what happened, kept current on the screen.
import { type ExplainStep, useAuth } from 'latchkey'
import { useCallback, useSyncExternalStore } from 'react'

/** A step may be added without a change of the state, so it is also asked for now and then. */
const LOOK_EVERY_MS = 500

export function useTimeline(): readonly ExplainStep[] {
  const { auth } = useAuth()
  const subscribe = useCallback(
    (onChange: () => void) => {
      const timer = setInterval(onChange, LOOK_EVERY_MS)
      const unsubscribe = auth.subscribe(onChange)
      return () => {
        clearInterval(timer)
        unsubscribe()
      }
    },
    [auth],
  )
  return useSyncExternalStore(subscribe, auth.explain)
}
