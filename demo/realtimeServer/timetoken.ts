// Gives out publish times the way the service does: 17 digits, 100 ns since 1970, never the same twice.

const TICKS_PER_MS = 10_000n

export interface TimetokenClock {
  /** A new time, later than every one before it. */
  next(): string
  /** The latest time given out, or now when that is later. */
  current(): string
}

export function createTimetokenClock(now: () => number = Date.now): TimetokenClock {
  let last = 0n
  const wall = () => BigInt(Math.floor(now())) * TICKS_PER_MS
  return {
    next() {
      const candidate = wall()
      last = candidate > last ? candidate : last + 1n
      return String(last)
    },
    current() {
      const candidate = wall()
      if (candidate > last) last = candidate
      return String(last)
    },
  }
}
