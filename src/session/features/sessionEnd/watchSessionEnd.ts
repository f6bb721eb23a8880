// Ends the session at the time that the provider named last; loads later.
import { loginRequired } from '../../../base/errors.ts'
import { LARGEST_TIMER_DELAY_MS } from '../../../base/constants.ts'
import { createTimer } from '../../../base/timer.ts'
import { IDLE_WARNING_MS, untilNextLookMs } from '../../../base/sessionConstants.ts'
import type { Context } from '../../context.ts'
import type { SendEvent } from '../../sessionEvent.ts'

/** Runs until the signal is aborted. Notifies every second of the last minute, as for idle time. */
export function watchSessionEnd(
  { platform, store, tokens, timeline }: Pick<Context, 'platform' | 'store' | 'tokens' | 'timeline'>,
  signal: AbortSignal,
  send: SendEvent,
): void {
  const timer = createTimer(platform)
  let endsAtMs: number | undefined
  // After sleep, or a change of the clock.
  const stopListening = (['visible', 'resume', 'focus', 'online'] as const).map((event) =>
    platform.on(event, look),
  )
  // A renewal may move the end.
  stopListening.push(store.subscribe(() => tokens.current?.sessionEndsAtMs !== endsAtMs && look()))
  signal.addEventListener('abort', () => {
    timer.clear()
    for (const stop of stopListening) stop()
  })
  if (!signal.aborted) look()

  function look(): void {
    timer.clear()
    endsAtMs = tokens.current?.sessionEndsAtMs
    if (signal.aborted || endsAtMs === undefined) return
    const leftMs = endsAtMs - platform.now()
    if (leftMs <= 0) {
      timeline.record('end of the session', 'done', 'the provider named this time')
      return void send({ type: 'refused', cause: loginRequired('The session has ended at the provider') })
    }
    if (leftMs <= IDLE_WARNING_MS) store.notify()
    timer.set(Math.min(untilNextLookMs(leftMs), LARGEST_TIMER_DELAY_MS), look)
  }
}
