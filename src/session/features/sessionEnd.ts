// Ends the session at the time that the provider named last.
import { loginRequired } from '../../base/errors.ts'
import type { Context } from '../context.ts'
import type { SendEvent } from '../sessionEvent.ts'
import { endWith } from '../signedIn/lifecycle.ts'
import { createDeadline } from './deadline.ts'

export function createSessionEnd(context: Context, send: SendEvent) {
  const { platform, store, tokens, timeline } = context
  const end = () => {
    timeline.record('end of the session', 'done', 'the provider named this time')
    void send({ type: 'refused', cause: loginRequired('The session has ended at the provider') })
  }
  return {
    whileSignedIn(signal: AbortSignal) {
      const endsAtMs = () => tokens.current?.sessionEndsAtMs ?? Infinity
      const { look, stop } = createDeadline(context, () => endsAtMs() - platform.now(), end)
      let last: number | undefined
      // A renewal may name or move the end.
      const follow = () => {
        if (last === endsAtMs()) return
        last = endsAtMs()
        look()
      }
      endWith(signal, [
        // After sleep, or a change of the clock.
        ...(['visible', 'resume', 'focus', 'online'] as const).map((event) => platform.on(event, look)),
        store.subscribe(follow),
        stop,
      ])
      follow()
    },
  }
}
