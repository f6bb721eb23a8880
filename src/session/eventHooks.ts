// Calls the app's four hooks: a hook that throws or never ends is reported, and the flow goes on (spec §4 "Hooks", contract §8).
import { HOOK_TIMEOUT_MS } from '../constants.ts'
import { assertHook, type HookName, type Hooks } from '../protocol/eventHooks.ts'
import type { Platform } from './platform.ts'
import type { Timeline } from './timeline.ts'

export interface EventHooks {
  /** Sets a hook; the answer sets back the one before. */
  set<Name extends HookName>(name: Name, hook: Hooks[Name]): () => void
  has(name: HookName): boolean
  /** Calls a hook; settles when it does, at the latest after 5 seconds, and never rejects. */
  fire<Name extends HookName>(name: Name, event: Parameters<Hooks[Name]>[0]): Promise<void>
}

export function createEventHooks(
  initial: Partial<Hooks>,
  { platform, timeline }: { platform: Pick<Platform, 'setTimer' | 'warn'>; timeline: Timeline },
): EventHooks {
  const hooks = new Map<string, (event: never) => unknown>(Object.entries(initial))

  return {
    set(name, hook) {
      assertHook(name, hook)
      const before = hooks.get(name)
      hooks.set(name, hook)
      return () => {
        if (hooks.get(name) !== hook) return
        if (before) hooks.set(name, before)
        else hooks.delete(name)
      }
    },
    has: (name) => hooks.has(name),
    async fire(name, event) {
      const hook = hooks.get(name)
      if (!hook) return
      let cancel = () => {}
      const limit = new Promise<'late'>((resolve) => {
        cancel = platform.setTimer(() => resolve('late'), HOOK_TIMEOUT_MS)
      })
      try {
        const outcome = await Promise.race([hook(Object.freeze(event) as never), limit])
        timeline.record(`hook ${name}`, 'done', outcome === 'late' ? 'not awaited any longer' : undefined)
      } catch (error) {
        timeline.record(`hook ${name}`, 'failed', 'it threw')
        platform.warn(`The ${name} hook failed`, error)
      } finally {
        cancel()
      }
    },
  }
}
