// When a session runs: as long as somebody uses it, and no listener longer.
import { notInitialised } from '../../errors.ts'
import type { Platform } from '../platform/platform.ts'

/** Resolves once a hidden page is seen, or nobody uses it any more; `undefined`: it is seen. */
export function untilSeen(
  { isVisible, on }: Pick<Platform, 'isVisible' | 'on'>,
  page: AbortSignal,
): Promise<void> | undefined {
  if (isVisible()) return undefined
  return new Promise((resolve) => {
    const stop = on('visible', () => end())
    const end = () => {
      stop()
      page.removeEventListener('abort', end)
      resolve()
    }
    page.addEventListener('abort', end)
  })
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
    /** The page's lifetime: aborted when nobody uses the session any more; responses still count then, timers do not start. */
    page: () => running?.signal ?? AbortSignal.abort(),
    /** Aborted by `dispose()`: whatever was under way then signs nobody in. Take it before you begin something. */
    disposal: () => disposal.signal,
    /** Runs, also before somebody uses it, until everybody who does has let go. */
    start,
    /** Stops it, whoever uses it. */
    dispose() {
      disposal.abort(notInitialised())
      disposal = new AbortController()
      isPinned = false
      stop()
    },
    /** Runs until everybody has let go. */
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
    /** Runs until it is stopped, whoever lets go. */
    pin() {
      isPinned = true
      start()
    },
  }
}
