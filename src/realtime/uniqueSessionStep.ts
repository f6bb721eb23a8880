// Says in explain() whether one session per user is on, and why it is not: once, until that changes.
import type { Timeline } from '../session/timeline.ts'

/** Its name in `explain()`. */
const STEP = 'unique session'
/** Without a service the browsers of a user cannot hear each other. */
export const NO_SERVICE = 'No `realtime` in the config: the user’s other devices cannot be heard'

export function recordUniqueSession(timeline: Timeline, whyNot: string | undefined): void {
  const detail = whyNot ?? 'on: the newest sign-in stays'
  const last = timeline.steps().findLast(({ step }) => step === STEP)
  if (last?.detail !== detail) timeline.record(STEP, whyNot === undefined ? 'done' : 'skipped', detail)
}
