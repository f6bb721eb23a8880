// Restores the user's URL: through the app's router if the app passes one, else by the `popstate` event.
import { withoutForeignAnswer } from '../../protocol/address.ts'
import type { Settings } from '../../protocol/config.ts'
import type { Platform } from '../platform/platform.ts'

/** The user's path, without other clients' codes. */
export function currentPath({
  platform,
  settings,
}: {
  platform: Pick<Platform, 'address'>
  settings: Pick<Settings, 'server'>
}): string {
  const address = platform.address()
  return withoutForeignAnswer(address, settings.server.readAnswer).slice(new URL(address).origin.length)
}

export function createPlace({ replaceAddress }: Pick<Platform, 'replaceAddress'>) {
  let navigate: ((to: string) => void) | undefined
  /** The router does not know it yet. */
  let restored: string | undefined
  const tell = async () => {
    // Not in the commit that mounts the provider: the router mounts with it.
    await Promise.resolve()
    if (!restored || !navigate) return
    navigate(restored.slice(new URL(restored).origin.length))
    restored = undefined
  }
  return {
    /** The URL changes at once, so that no other script reads a code in it. */
    restore(address: string) {
      restored = address
      replaceAddress(address, navigate !== undefined)
      void tell()
    },
    /** Sets the app's router. It shows restored URLs from now on, and the last one before. */
    routeBy(next: typeof navigate) {
      navigate = next
      void tell()
    },
  }
}
