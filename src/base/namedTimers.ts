// Timers by name: starting one again replaces the one before.

type SetTimer = (callback: () => void, delayMs: number) => () => void

export interface NamedTimers<Name extends string> {
  start(name: Name, delayMs: number, work: () => void): void
  stop(name: Name): void
  has(name: Name): boolean
  /** Stops all timers. None can be started afterwards. */
  close(): void
}

/** Holds the timers of a lifetime, so that its end stops them all. */
export function createNamedTimers<Name extends string>(setTimer: SetTimer): NamedTimers<Name> {
  const cancels = new Map<Name, () => void>()
  let isClosed = false

  const stop = (name: Name) => {
    cancels.get(name)?.()
    cancels.delete(name)
  }
  return {
    start(name, delayMs, work) {
      stop(name)
      if (isClosed) return
      const cancel = setTimer(() => {
        cancels.delete(name)
        work()
      }, delayMs)
      cancels.set(name, cancel)
    },
    stop,
    has: (name) => cancels.has(name),
    close() {
      isClosed = true
      for (const name of cancels.keys()) stop(name)
    },
  }
}
