// Keeps the latest messages of every channel and wakes the polls that wait for them.
import type { TimetokenClock } from './timetoken.ts'

export interface Envelope {
  a: string
  f: number
  i?: string
  p: { t: string; r: number }
  k: string
  c: string
  b: string
  d: unknown
  e?: number
  u?: unknown
  cmt?: string
}

export interface Posted {
  channel: string
  data: unknown
  publisher?: string | undefined
  type?: number | undefined
  meta?: unknown
  customType?: string | undefined
}

interface Waiter {
  channels: ReadonlySet<string>
  wake(): void
}

/** What the service keeps for a subscriber that was away (doc): 100 messages, 20 minutes. */
const KEPT_MESSAGES = 100
const KEPT_MS = 20 * 60_000

const REGION = 1

export function createMessages(clock: TimetokenClock, subscribeKey: string, now: () => number = Date.now) {
  const kept = new Map<string, { envelope: Envelope; atMs: number }[]>()
  const waiters = new Set<Waiter>()

  return {
    region: REGION,

    post({ channel, data, publisher, type, meta, customType }: Posted): string {
      const timetoken = clock.next()
      const envelope: Envelope = {
        a: '1',
        f: 0,
        p: { t: timetoken, r: REGION },
        k: subscribeKey,
        c: channel,
        b: channel,
        d: data,
        ...(publisher === undefined ? {} : { i: publisher }),
        ...(type === undefined ? {} : { e: type }),
        ...(meta === undefined ? {} : { u: meta }),
        ...(customType === undefined ? {} : { cmt: customType }),
      }
      const list = kept.get(channel) ?? []
      list.push({ envelope, atMs: now() })
      if (list.length > KEPT_MESSAGES) list.shift()
      kept.set(channel, list)
      for (const waiter of waiters) if (waiter.channels.has(channel)) waiter.wake()
      return timetoken
    },

    newerThan(channels: Iterable<string>, timetoken: string): Envelope[] {
      const after = BigInt(timetoken)
      const oldestMs = now() - KEPT_MS
      return [...channels]
        .flatMap((channel) => kept.get(channel) ?? [])
        .filter(({ envelope, atMs }) => atMs >= oldestMs && BigInt(envelope.p.t) > after)
        .map(({ envelope }) => envelope)
        .toSorted((left, right) => (BigInt(left.p.t) < BigInt(right.p.t) ? -1 : 1))
    },

    /** Calls back once per new message on one of the channels until the returned function is called. */
    wait(channels: ReadonlySet<string>, wake: () => void): () => void {
      const waiter = { channels, wake }
      waiters.add(waiter)
      return () => void waiters.delete(waiter)
    },
  }
}

export type Messages = ReturnType<typeof createMessages>
