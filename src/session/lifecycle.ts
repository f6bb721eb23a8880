// When a session runs: as long as somebody uses it, and no listener longer (architecture "One sign-in").
import type { Platform } from './platform/platform.ts'

export interface LifecycleOptions {
  platform: Pick<Platform, 'setTimer'>
  onStart(): void
  onStop(): void
}

export interface Lifecycle {
  /** Aborted when the session stops running. */
  signal(): AbortSignal
  start(): void
  stop(): void
  /** Runs until everybody has let go. */
  hold(): () => void
  /** Runs until it is stopped, whoever lets go. */
  pin(): void
}

export function createLifecycle({ platform, onStart, onStop }: LifecycleOptions): Lifecycle {
  let running: AbortController | undefined
  let holderCount = 0
  let isPinned = false

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
    signal: () => running?.signal ?? AbortSignal.abort(),
    start,
    stop() {
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
