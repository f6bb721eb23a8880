// Tells whoever has subscribed: one that throws, comes or goes in the middle, or calls back in stops nobody else (contract §2).

export interface Subscribers {
  /** Returns the removal; a function given twice is called twice, and each removal takes one. */
  subscribe(subscriber: () => void): () => void
  /** Calls everybody who is there now and has not been removed before their turn. */
  notify(): void
}

/** `report` is given what a subscriber throws. */
export function createSubscribers(report: (error: unknown) => void): Subscribers {
  const subscribers = new Set<{ call: () => void }>()
  return {
    subscribe(call) {
      const subscriber = { call }
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    notify() {
      // A copy: who subscribes in the middle waits for the next time.
      for (const subscriber of Array.from(subscribers)) {
        if (!subscribers.has(subscriber)) continue
        try {
          subscriber.call()
        } catch (error) {
          report(error)
        }
      }
    },
  }
}
