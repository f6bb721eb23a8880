// Remembers which endpoints the server wants left alone, and until when: it answered 429 with Retry-After.

/** Called when the server has asked this page to wait. */
export type BlockListener = (endpoint: string, forMs: number) => void

export interface RateLimits {
  /** Time to wait before the next request to an endpoint; 0 or less: none. */
  waitMs(endpoint: string): number
  /** The server has asked this page to wait; whoever follows is told. */
  block(endpoint: string, forMs: number): void
  /** Another tab was asked to wait. */
  adopt(endpoint: string, forMs: number): void
  /** Follows `block`; one follower, the tabs. */
  follow(listener: BlockListener): void
}

/** By the clock that nobody sets. */
export function createRateLimits({ monotonicNow }: { monotonicNow(): number }): RateLimits {
  const untilMs = new Map<string, number>()
  let told: BlockListener = () => {}
  return {
    waitMs: (endpoint) => (untilMs.get(endpoint) ?? 0) - monotonicNow(),
    block(endpoint, forMs) {
      untilMs.set(endpoint, monotonicNow() + forMs)
      told(endpoint, forMs)
    },
    adopt(endpoint, forMs) {
      untilMs.set(endpoint, Math.max(untilMs.get(endpoint) ?? 0, monotonicNow() + forMs))
    },
    follow(listener) {
      told = listener
    },
  }
}
