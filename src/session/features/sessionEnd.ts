// Ends the session at the time that the provider named last.
import { loginRequired } from '../../base/errors.ts'
import type { Context } from '../context.ts'
import type { SendEvent } from '../sessionEvent.ts'
import { endWith } from '../signedIn/lifecycle.ts'
import { createDeadline } from './deadline.ts'

export function createSessionEnd(context: Context, send: SendEvent) {
  const { platform, store, tokens, timeline } = context
  let deadline: ReturnType<typeof createDeadline> | undefined
  const end = () => {
    timeline.record('end of the session', 'done', 'the provider named this time')
    void send({ type: 'refused', cause: loginRequired('The session has ended at the provider') })
  }
  return {
    /** After sleep, or a change of the clock. */
    check: (): boolean => deadline?.look() === true,
    whileSignedIn(signal: AbortSignal) {
      const endsAtMs = () => tokens.current?.sessionEndsAtMs ?? Infinity
      const { look, stop } = (deadline = createDeadline(context, () => endsAtMs() - platform.now(), end))
      let last: number | undefined
      // A renewal may name or move the end.
      const follow = () => {
        if (last === endsAtMs()) return
        last = endsAtMs()
        look()
      }
      endWith(signal, [store.subscribe(follow), stop, () => (deadline = undefined)])
      follow()
    },
  }
}
