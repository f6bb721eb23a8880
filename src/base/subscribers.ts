// Notifies subscribers. One that throws, subscribes or unsubscribes meanwhile does not affect the others.

export type Subscribers = ReturnType<typeof createSubscribers>

/** Calls `report` with what a subscriber throws. */
export function createSubscribers(report: (error: unknown) => void) {
  const subscribers = new Set<{ call: () => void }>()
  return {
    /** Returns the removal. A function given twice is called twice, and each removal removes one. */
    subscribe(call: () => void): () => void {
      const subscriber = { call }
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    /** Calls every subscriber of now that is not removed before its turn. */
    notify() {
      // A copy: a subscriber added meanwhile is called the next time.
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
