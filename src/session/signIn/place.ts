// Restores the place where the user was: through the app's router where the app passes one, else by the event that routers listen to.
import type { Platform } from '../platform/platform.ts'

export function createPlace({ replaceAddress }: Pick<Platform, 'replaceAddress'>) {
  let navigate: ((to: string) => void) | undefined
  /** Not yet told to the router. */
  let restored: string | undefined
  const tell = () => {
    // Not in the commit that mounts the provider: the router mounts with it.
    void Promise.resolve().then(() => {
      if (restored === undefined || !navigate) return
      const { pathname, search, hash } = new URL(restored)
      restored = undefined
      navigate(pathname + search + hash)
    })
  }
  return {
    /** The URL changes at once, so that nobody reads a code in it. */
    restore(address: string) {
      restored = address
      replaceAddress(address, navigate ? 'silently' : undefined)
      tell()
    },
    /** From now on the app's router shows the restored place; also one that was restored before. Returns the function that ends it. */
    routeBy(next: (to: string) => void): () => void {
      navigate = next
      tell()
      return () => {
        if (navigate === next) navigate = undefined
      }
    },
  }
}
