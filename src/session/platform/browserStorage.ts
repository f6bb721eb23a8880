// The storages of a real page, which never throw.
import type { StoragePort } from './platform.ts'

/** `open` names the storage: even that may throw where site data is blocked. */
export function createBrowserStorage(open: () => Storage): StoragePort {
  const guarded = <Result>(use: (storage: Storage) => Result, otherwise: Result): Result => {
    try {
      return use(open())
    } catch {
      return otherwise
    }
  }
  return {
    get: (key) => guarded((storage) => storage.getItem(key) ?? undefined, undefined),
    set: (key, value) =>
      guarded((storage) => {
        storage.setItem(key, value)
        return storage.getItem(key) === value
      }, false),
    remove: (key) => guarded((storage) => storage.removeItem(key), undefined),
  }
}
