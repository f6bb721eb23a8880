// Remembers the app's four hooks (spec §4 "Hooks").
import { assertHook, type HookName, type Hooks } from '../protocol/eventHooks.ts'

export interface EventHooks {
  /** Sets a hook; the answer sets back the one before. */
  set<Name extends HookName>(name: Name, hook: Hooks[Name]): () => void
  get(name: HookName): ((event: never) => unknown) | undefined
}

export function createEventHooks(initial: Partial<Hooks>): EventHooks {
  const hooks = new Map<string, (event: never) => unknown>(Object.entries(initial))
  return {
    get: (name) => hooks.get(name),
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
  }
}
