// Tabs of one browser on a clock that a test turns by hand: timers, page events, channels and locks.
import type { PlatformEvent } from '../../../src/session/platform/platform.ts'

interface Timer {
  atMs: number
  order: number
  run: () => void
}

export function createClock() {
  const timers = new Set<Timer>()
  let nowMs = 1_000_000
  let order = 0
  // Several turns: promises wait for promises.
  const rest = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  return {
    now: () => nowMs,
    setTimer(run: () => void, delayMs: number) {
      order += 1
      const timer = { atMs: nowMs + Math.max(0, delayMs), order, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    pending: () => timers.size,
    rest,
    async advance(ms: number) {
      const endMs = nowMs + ms
      await rest()
      for (;;) {
        const [next] = [...timers]
          .filter(({ atMs }) => atMs <= endMs)
          .toSorted((a, b) => a.atMs - b.atMs || a.order - b.order)
        if (!next) break
        timers.delete(next)
        nowMs = Math.max(nowMs, next.atMs)
        next.run()
        await rest()
      }
      nowMs = endMs
      await rest()
    },
  }
}

export type Clock = ReturnType<typeof createClock>

/** Channels and locks that the tabs share. */
export function createBrowser(clock: Clock) {
  const channels = new Set<{ name: string; listen: (message: unknown) => void }>()
  const locks = new Map<string, { isHeld: boolean; waiting: (() => void)[] }>()

  function openTab() {
    const handlers = new Map<PlatformEvent, Set<() => void>>()
    const releases = new Set<() => void>()
    const own = new Set<typeof channels extends Set<infer Item> ? Item : never>()
    let isGone = false
    let isHung = false

    const ports = {
      crypto: { randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) } as never,
      now: clock.now,
      monotonicNow: clock.now,
      setTimer: (run: () => void, delayMs: number) =>
        clock.setTimer(() => {
          if (!isGone) run()
        }, delayMs),
      isOnline: () => true,
      on(event: PlatformEvent, listener: () => void) {
        const set = handlers.get(event) ?? new Set()
        handlers.set(event, set)
        set.add(listener)
        return () => void set.delete(listener)
      },
      openChannel(name: string, listen: (message: unknown) => void) {
        const member = { name, listen }
        let isOpen = true
        channels.add(member)
        own.add(member)
        return {
          post(message: unknown) {
            // As browsers do it.
            if (!isOpen) throw new Error('The channel is closed')
            const copy: unknown = structuredClone(message)
            for (const other of channels)
              if (other !== member && other.name === name && !isGone && !isHung)
                void Promise.resolve().then(() => {
                  if (channels.has(other)) other.listen(copy)
                })
          },
          close() {
            isOpen = false
            channels.delete(member)
          },
        }
      },
      lock<Result>(
        name: string,
        { signal }: { signal?: AbortSignal },
        work: (isHeld: boolean) => Promise<Result>,
      ): Promise<Result> {
        const lock = locks.get(name) ?? { isHeld: false, waiting: [] }
        locks.set(name, lock)
        return new Promise<Result>((resolve, reject) => {
          const release = () => {
            if (!releases.delete(release)) return
            lock.isHeld = false
            lock.waiting.shift()?.()
          }
          const grant = () => {
            lock.isHeld = true
            releases.add(release)
            Promise.resolve()
              .then(() => work(true))
              .finally(release)
              .then(resolve, reject)
          }
          if (!lock.isHeld) {
            grant()
            return
          }
          lock.waiting.push(grant)
          signal?.addEventListener('abort', () => {
            const index = lock.waiting.indexOf(grant)
            if (index !== -1) lock.waiting.splice(index, 1)
            reject(new Error('aborted'))
          })
        })
      },
    }
    return {
      ports,
      emit(event: PlatformEvent) {
        for (const listener of handlers.get(event) ?? []) listener()
      },
      listenerCount: () => [...handlers.values()].reduce((sum, { size }) => sum + size, 0),
      /** The process is gone: no event, nothing runs any more, the browser frees its locks. */
      crash() {
        isGone = true
        for (const member of own) channels.delete(member)
        handlers.clear()
        for (const release of releases) release()
      },
      /** The main thread hangs: it hears nothing and keeps its locks. */
      hang() {
        isHung = true
        for (const member of own) channels.delete(member)
      },
      revive() {
        isHung = false
        for (const member of own) channels.add(member)
      },
    }
  }
  return { openTab, openChannels: () => channels.size }
}
