// Web Locks of a real page (architecture rule 3).
import type { TabsPort } from './platform.ts'

/** `undefined` in old browsers and in pages that are not secure contexts, whatever the types say; Node 20 has no navigator. */
export function createBrowserLock(): TabsPort['lock'] {
  const { locks } = (globalThis.navigator ?? {}) as { locks?: LockManager }
  return (
    locks &&
    ((name, { signal, isOptional }, work) =>
      locks.request(
        name,
        // The browser refuses a signal together with ifAvailable.
        isOptional ? { ifAvailable: true } : { ...(signal && { signal }) },
        (lock) => work(lock !== null),
      ))
  )
}
