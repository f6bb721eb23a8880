// The app's four hooks: which are set, how one is called, and what the one about a clash is deciding.
import { assertHook, type HookName, type Hooks, type SessionClash } from '../../protocol/eventHooks.ts'
import { HOOK_TIMEOUT_MS } from '../../sessionConstants.ts'
import { within } from '../../within.ts'
import type { Platform } from '../platform/platform.ts'
import type { Timeline } from '../timeline.ts'

type Hook = (event: never) => unknown

export type EventHooks = ReturnType<typeof createEventHooks>

export function createEventHooks(
  initial: Partial<Hooks>,
  platform: Pick<Platform, 'setTimer' | 'warn'>,
  timeline: Pick<Timeline, 'record'>,
) {
  let all = Object.entries<Hook>(initial)
  const get = (name: HookName) => all.findLast(([set]) => set === name)?.[1]
  return {
    get,
    /** Sets a hook; the returned function removes it, and the last one set of those still there counts. */
    set<Name extends HookName>(name: Name, hook: Hooks[Name]) {
      assertHook(name, hook)
      const own: [string, Hook] = [name, hook]
      all = [...all, own]
      return () => {
        all = all.filter((other) => other !== own)
      }
    },
    /**
     * Calls a hook; settles when it does, at the latest after 5 seconds, and never rejects: a hook that throws or never ends
     * is reported. `onEnd` is called when the hook has really ended, however long it takes.
     */
    async fire<Name extends HookName>(name: Name, event: Parameters<Hooks[Name]>[0], onEnd?: () => void) {
      const hook = get(name)
      if (!hook) return
      const call = async () => {
        try {
          return await hook(Object.freeze(event) as never)
        } finally {
          onEnd?.()
        }
      }
      try {
        const outcome = await within(platform, HOOK_TIMEOUT_MS, call)
        timeline.record(`hook ${name}`, 'done', outcome === 'late' ? 'not awaited any longer' : undefined)
      } catch (error) {
        timeline.record(`hook ${name}`, 'failed', 'it threw')
        platform.warn(`The ${name} hook failed`, error)
      }
    },
  }
}

export type ClashHook = ReturnType<typeof createClashHook>

/** Lets the app's uniqueSessionTrigger hook decide about a clash; what it asks for meanwhile is because of that clash. */
export function createClashHook(hooks: Pick<EventHooks, 'fire'>, platform: Pick<Platform, 'setTimer'>) {
  let asked: SessionClash | undefined
  return {
    ask(clash: SessionClash) {
      asked = clash
      const end = () => {
        if (asked === clash) asked = undefined
      }
      // A hook may ask for a logout without waiting for it: that arrives after the hook has ended.
      void hooks.fire('uniqueSessionTrigger', clash, () => platform.setTimer(end, 0))
    },
    /** What the hook is deciding about now. */
    clash: () => asked,
    /** The session is over. */
    forget() {
      asked = undefined
    },
  }
}
