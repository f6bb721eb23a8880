// Remembers which endpoints the server wants left alone, and until when: it answered 429 with Retry-After.

export type RateLimits = ReturnType<typeof createRateLimits>

/** By the clock that nobody sets. */
export function createRateLimits({ monotonicNow }: { monotonicNow(): number }) {
  const untilMs = new Map<string, number>()
  let told: (endpoint: string, forMs: number) => void = () => {}
  return {
    /** Time to wait before the next request to an endpoint; 0 or less: none. */
    waitMs: (endpoint: string) => (untilMs.get(endpoint) ?? 0) - monotonicNow(),
    /** The server has asked this page to wait; whoever follows is told. */
    block(endpoint: string, forMs: number) {
      untilMs.set(endpoint, monotonicNow() + forMs)
      told(endpoint, forMs)
    },
    /** Another tab was asked to wait. */
    adopt(endpoint: string, forMs: number) {
      untilMs.set(endpoint, Math.max(untilMs.get(endpoint) ?? 0, monotonicNow() + forMs))
    },
    /** Follows `block`; one follower, the tabs. */
    follow(listener: typeof told) {
      told = listener
    },
  }
}
