// Remembers which real-time messages have come, so that a repeated one is delivered once.
import { REALTIME_CACHE_SIZE } from '../protocol/presence.ts'

export type SeenMessages = ReturnType<typeof createSeenMessages>

/** The names of the latest messages; the oldest is forgotten first. */
export function createSeenMessages(size: number = REALTIME_CACHE_SIZE) {
  const known = new Set<string>()
  return {
    has: (name: string) => known.has(name),
    /** Returns false when the name is known already. */
    add(name: string) {
      if (known.has(name)) return false
      known.add(name)
      for (const oldest of known) {
        if (known.size <= size) break
        known.delete(oldest)
      }
      return true
    },
  }
}
