// Restores the place where the user was: through the app's router where the app passes one, else by the event that routers listen to.
import { withoutForeignAnswer } from '../../protocol/address.ts'
import type { Settings } from '../../protocol/config.ts'
import type { Platform } from '../platform/platform.ts'

/** Where the user is, without the codes of others. */
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
  /** Not yet told to the router. */
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
    /** From now on the app's router shows the restored place; also one that was restored before. */
    routeBy(next: typeof navigate) {
      navigate = next
      void tell()
    },
  }
}
