// A storage in memory that can fail as browsers' storage does.
import type { StoragePort } from '../session/platform/platform.ts'

/** `denied`: no access at all. `throws`: reading works, writing and removing fail. `full`: values cannot grow. */
export type StorageFault = 'denied' | 'throws' | 'full'

/** A storage that a test controls. */
export interface FakeStorage extends StoragePort {
  /** How it fails; `undefined` if it works. */
  fault: StorageFault | undefined
  /** All stored entries, also those that the app cannot read. */
  entries(): Record<string, string>
  /** Clears everything, as when the user clears the site data. */
  clear(): void
}

/**
 * Creates a storage with the given entries. Set its `fault` to make it full or denied.
 *
 * @example
 * const sessionStorage = createFakeStorage({ draft: 'x' })
 */
export function createFakeStorage(initial: Readonly<Record<string, string>> = {}): FakeStorage {
  const values = new Map(Object.entries(initial))
  const storage: FakeStorage = {
    fault: undefined,
    get: (key) => (storage.fault === 'denied' ? undefined : values.get(key)),
    set(key, value) {
      const isGrowing = value.length > (values.get(key)?.length ?? -1)
      if (storage.fault === 'full' ? isGrowing : storage.fault !== undefined) return false
      values.set(key, value)
      return true
    },
    remove(key) {
      if (storage.fault === undefined || storage.fault === 'full') values.delete(key)
    },
    entries: () => Object.fromEntries(values),
    clear: () => values.clear(),
  }
  return storage
}
