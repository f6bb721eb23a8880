// Remembers for a while which sessions said goodbye on the channel: a message may be late, or come twice.
import { REALTIME_CACHE_SIZE } from './presence.ts'

/** A session that said goodbye, and when; milliseconds of the monotonic clock. */
export interface EndedSession {
  readonly sessionId: string
  readonly atMs: number
}

/** For this long it is not heard again. Later the user may have signed in again, in the same session of the server. */
const GOODBYE_COUNTS_MS = 10_000

export function noteEnded(
  ended: readonly EndedSession[],
  sessionId: string,
  nowMs: number,
): readonly EndedSession[] {
  const others = ended.filter((one) => one.sessionId !== sessionId)
  return [...others.slice(1 - REALTIME_CACHE_SIZE), { sessionId, atMs: nowMs }]
}

export function hasJustEnded(ended: readonly EndedSession[], sessionId: string, nowMs: number): boolean {
  return ended.some((one) => one.sessionId === sessionId && nowMs - one.atMs < GOODBYE_COUNTS_MS)
}
