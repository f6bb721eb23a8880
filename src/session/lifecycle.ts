// When a session runs: as long as somebody uses it, and no listener longer.
import { notInitialised } from '../errors.ts'
import type { Platform } from './platform/platform.ts'

export interface Lifecycle {
  /** The page's lifetime: aborted when nobody uses the session any more; responses still count then, timers do not start. */
  page(): AbortSignal
  /** Aborted by `dispose()`: whatever was under way then signs nobody in. Take it before you begin something. */
  disposal(): AbortSignal
  /** Runs, also before somebody uses it, until everybody who does has let go. */
  start(): void
  /** Stops it, whoever uses it. */
  dispose(): void
  /** Runs until everybody has let go. */
  hold(): () => void
  /** Runs until it is stopped, whoever lets go. */
  pin(): void
}

export function createLifecycle({
  platform,
  onStart,
  onStop,
}: {
  platform: Pick<Platform, 'setTimer'>
  onStart(): void
  onStop(): void
}): Lifecycle {
  let running: AbortController | undefined
  let holderCount = 0
  let isPinned = false
  let disposal = new AbortController()

  const start = () => {
    if (running) return
    running = new AbortController()
    onStart()
  }
  const stop = () => {
    if (!running) return
    running.abort()
    running = undefined
    onStop()
  }
  return {
    page: () => running?.signal ?? AbortSignal.abort(),
    disposal: () => disposal.signal,
    start,
    dispose() {
      disposal.abort(notInitialised())
      disposal = new AbortController()
      isPinned = false
      stop()
    },
    hold() {
      holderCount += 1
      start()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        holderCount -= 1
        // StrictMode and remounts let go and take hold again synchronously.
        platform.setTimer(() => {
          if (holderCount === 0 && !isPinned) stop()
        }, 0)
      }
    },
    pin() {
      isPinned = true
      start()
    },
  }
}
