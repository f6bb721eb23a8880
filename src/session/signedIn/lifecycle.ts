// Runs the session's timers and listeners while the page is in use.
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

/** Calls the removals once the signal is aborted. */
export function endWith(signal: AbortSignal, removals: readonly (() => unknown)[]): void {
  signal.addEventListener('abort', () => removals.forEach((remove) => remove()))
}

export type Lifecycle = ReturnType<typeof createLifecycle>

export function createLifecycle(parts: {
  platform: Pick<Platform, 'setTimer'>
  onStart(): void
  onStop(): void
}) {
  const { platform, onStart, onStop } = parts
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
    /** Runs, also before its first holder, until the last holder has released it. */
    start,
    /** Aborted when the last provider unmounts: then responses still count, but no timer starts. */
    page: () => running?.signal ?? AbortSignal.abort(),
    /** Aborted by `dispose()`: requests in flight then sign no user in. Read it before you start one. */
    disposal: () => disposal.signal,
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
      let isActive = true
      return () => {
        if (!isActive) return
        isActive = false
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
