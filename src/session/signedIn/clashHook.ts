// Lets the app's uniqueSessionTrigger hook decide about a clash; what it asks for meanwhile is because of that clash.
import type { SessionClash } from '../../protocol/eventHooks.ts'
import type { Context } from '../context.ts'

export type ClashHook = ReturnType<typeof createClashHook>

export function createClashHook({ fireHook, platform }: Pick<Context, 'fireHook' | 'platform'>) {
  let asked: SessionClash | undefined
  return {
    ask(clash: SessionClash) {
      asked = clash
      const end = () => {
        if (asked === clash) asked = undefined
      }
      // A hook may ask for a logout without waiting for it: that arrives after the hook has ended.
      void fireHook('uniqueSessionTrigger', clash, () => platform.setTimer(end, 0))
    },
    /** What the hook is deciding about now. */
    clash: () => asked,
    /** The session is over. */
    forget() {
      asked = undefined
    },
  }
}
