// The entry of session storage for everything that must survive a navigation.
import { type Client, tabKey } from '../../protocol/storageKeys.ts'
import { isEmptyTab, parseTab, type StoredTab } from '../../protocol/tabRecords.ts'
import type { StoragePort } from '../platform/platform.ts'

export function createTabStorage(storage: StoragePort, client: Client) {
  const key = tabKey(client)
  // Replaces a storage that is denied or full. Without attempts, which this page does not need.
  let memory: StoredTab | undefined

  const read = () => memory ?? parseTab(storage.get(key))
  const change = (part: Partial<StoredTab>, before = read()) => {
    const stored = { ...before, ...part }
    const isStored = isEmptyTab(stored)
      ? (storage.remove(key), true)
      : storage.set(key, JSON.stringify(stored))
    memory = isStored ? undefined : { ...stored, attempts: {} }
    return isStored
  }
  return {
    read,
    /** Changes some members of `before`, read in the same task; false when the browser refuses to store them. */
    change,
    /** Removes an attempt and returns it. */
    takeAttempt(state: string) {
      const { attempts } = read()
      if (!Object.hasOwn(attempts, state)) return undefined
      const { [state]: taken, ...others } = attempts
      change({ attempts: others })
      return taken
    },
  }
}
