// Calls the app's four hooks: a hook that throws or never ends is reported, and the flow goes on (spec §4 "Hooks", contract §8).
import { HOOK_TIMEOUT_MS } from '../../sessionConstants.ts'
import type { HookName, Hooks } from '../../protocol/eventHooks.ts'
import type { Core } from '../context.ts'
import { within } from '../../within.ts'

/**
 * Calls a hook; settles when it does, at the latest after 5 seconds, and never rejects. `onEnd` is called when the hook
 * has really ended, however long it takes.
 */
export type FireHook = <Name extends HookName>(
  name: Name,
  event: Parameters<Hooks[Name]>[0],
  onEnd?: () => void,
) => Promise<void>

export function createHookCalls({
  platform,
  timeline,
  hook: find,
}: Pick<Core, 'hook' | 'platform' | 'timeline'>): FireHook {
  return async (name, event, onEnd) => {
    const hook = find(name)
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
  }
}
