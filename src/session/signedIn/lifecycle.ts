// When a session runs: while it is in use; its listeners do not outlive that.
import { notInitialised } from '../../base/errors.ts'
import { untilHeard } from '../../base/within.ts'
import type { Platform } from '../platform/platform.ts'

/** Resolves once a hidden page becomes visible, or its last provider unmounts; `undefined`: it is visible. */
export function untilSeen(
  { isVisible, on }: Pick<Platform, 'isVisible' | 'on'>,
  page: AbortSignal,
): Promise<void> | undefined {
  return isVisible() ? undefined : untilHeard((seen) => on('visible', seen), page)
}

export type Lifecycle = ReturnType<typeof createLifecycle>

export function createLifecycle({
  platform,
  onStart,
  onStop,
}: {
  platform: Pick<Platform, 'setTimer'>
  onStart(): void
  onStop(): void
}) {
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
    /** The page's lifetime: aborted when the last provider unmounts; then responses still count, but timers do not start. */
    page: () => running?.signal ?? AbortSignal.abort(),
    /** Aborted by `dispose()`: what was in flight then signs no user in. Read it before you start something. */
    disposal: () => disposal.signal,
    /** Runs, also before its first user, until the last user has released it. */
    start,
    dispose() {
      disposal.abort(notInitialised())
      disposal = new AbortController()
      isPinned = false
      stop()
    },
    /** Runs until every holder has released it. */
    hold() {
      holderCount += 1
      start()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        holderCount -= 1
        // StrictMode and remounts release and hold again synchronously.
        platform.setTimer(() => {
          if (holderCount === 0 && !isPinned) stop()
        }, 0)
      }
    },
    /** Runs until `dispose()`, also without holders. */
    pin() {
      isPinned = true
      start()
    },
  }
}
