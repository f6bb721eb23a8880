// When a session runs: as long as somebody uses it, and no listener longer (architecture "One sign-in").
import type { Platform, PlatformEvent } from './platform/platform.ts'

export interface LifecycleOptions {
  platform: Pick<Platform, 'on' | 'setTimer'>
  /** What is listened to while running. */
  listeners: Partial<Record<PlatformEvent, () => void>>
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

export function createLifecycle({ platform, listeners, onStart, onStop }: LifecycleOptions): Lifecycle {
  let running: AbortController | undefined
  let removals: (() => void)[] = []
  let holderCount = 0
  let isPinned = false

  const start = () => {
    if (running) return
    running = new AbortController()
    removals = Object.entries(listeners).map(([event, listener]) =>
      platform.on(event as PlatformEvent, listener),
    )
    onStart()
  }
  const stop = () => {
    if (!running) return
    running.abort()
    running = undefined
    for (const remove of removals) remove()
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
