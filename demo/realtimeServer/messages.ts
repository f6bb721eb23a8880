// Keeps the latest messages of every channel, each at a time of its own, and wakes the polls that wait for them.

/** What the service keeps for a subscriber that was away. */
const KEPT_MESSAGES = 100
const TICKS_PER_MS = 10_000n
export const REGION = 1

/** A message as a subscriber gets it. */
const envelopeOf = (channel: string, data: unknown, { t, i }: { t: string; i?: string | undefined }) => ({
  a: '1',
  f: 0,
  p: { t, r: REGION },
  k: 'local',
  c: channel,
  b: channel,
  d: data,
  ...(i !== undefined && { i }),
})
export type Envelope = ReturnType<typeof envelopeOf>

export function createMessages() {
  const kept = new Map<string, Envelope[]>()
  const waiters = new Set<{ channels: readonly string[]; wake(): void }>()
  let last = 0n

  /** The service's time: 17 digits, 100 ns since 1970. */
  const wall = () => BigInt(Date.now()) * TICKS_PER_MS

  return {
    /** The latest time given out, or now when that is later. */
    now(): string {
      if (wall() > last) last = wall()
      return String(last)
    },

    /** Its time is later than that of every message before. */
    post(channel: string, data: unknown, publisher?: string): string {
      last = wall() > last ? wall() : last + 1n
      const t = String(last)
      const list = kept.get(channel) ?? []
      kept.set(channel, [...list, envelopeOf(channel, data, { t, i: publisher })].slice(-KEPT_MESSAGES))
      for (const waiter of waiters) if (waiter.channels.includes(channel)) waiter.wake()
      return t
    },

    newerThan: (channels: readonly string[], timetoken: string): Envelope[] =>
      channels
        .flatMap((channel) => kept.get(channel) ?? [])
        .filter(({ p }) => BigInt(p.t) > BigInt(timetoken))
        .toSorted((left, right) => (BigInt(left.p.t) < BigInt(right.p.t) ? -1 : 1)),

    /** Calls back once per new message on one of the channels until the returned function is called. */
    wait(channels: readonly string[], wake: () => void): () => void {
      const waiter = { channels, wake }
      waiters.add(waiter)
      return () => void waiters.delete(waiter)
    },
  }
}

export type Messages = ReturnType<typeof createMessages>
