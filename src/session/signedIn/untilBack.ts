// While a screen asks the user of an expired session to sign in again, the user's calls wait for it.
import { notAuthenticated } from '../../base/sessionErrors.ts'
import { createTimer } from '../../base/timer.ts'
import { untilHeard } from '../../base/within.ts'
import type { Auth } from '../auth.ts'
import type { Context } from '../context.ts'

/** Signals of waiting calls: `explain()` has one step for all of them. */
const waiting = new WeakSet<AbortSignal>()

/** As `WaitForUser`, with its limit. */
export async function untilBack(
  { getState, subscribe }: Pick<Auth, 'getState' | 'subscribe'>,
  { platform, timeline }: Pick<Context, 'platform' | 'timeline'>,
  limitMs: number,
  calls: AbortSignal,
): Promise<void> {
  const isBack = () => getState().status === 'authenticated'
  const isFirst = !waiting.has(calls)
  waiting.add(calls)
  if (isFirst) timeline.record('wait for the sign-in', 'started')
  await untilHeard((over) => {
    // `dispose()` ends a wait too.
    const look = () => (isBack() || getState().status === 'initializing') && over()
    const limit = createTimer(platform)
    limit.set(limitMs, over)
    const ends = [subscribe(look), limit.clear]
    look()
    return () => ends.forEach((end) => end())
  }, calls)
  if (isFirst) waiting.delete(calls)
  calls.throwIfAborted()
  if (isBack()) return
  if (isFirst) timeline.record('wait for the sign-in', 'failed', 'it did not come in time')
  throw notAuthenticated()
}
