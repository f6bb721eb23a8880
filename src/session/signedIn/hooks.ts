// Remembers the app's four hooks (spec §4 "Hooks").
import { assertHook, type HookName, type Hooks } from '../../protocol/eventHooks.ts'

type Hook = (event: never) => unknown

export interface EventHooks {
  /** Sets a hook; the answer takes it away again, and the last one set of those still there counts. */
  set<Name extends HookName>(name: Name, hook: Hooks[Name]): () => void
  get(name: HookName): Hook | undefined
}

export function createEventHooks(initial: Partial<Hooks>): EventHooks {
  let all = Object.entries<Hook>(initial)
  return {
    get: (name) => all.findLast(([set]) => set === name)?.[1],
    set(name, hook) {
      assertHook(name, hook)
      const own: [string, Hook] = [name, hook]
      all = [...all, own]
      return () => {
        all = all.filter((other) => other !== own)
      }
    },
  }
}
