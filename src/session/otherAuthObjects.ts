// Warns developers of two auth objects on one page that conflict.
import type { Settings } from '../protocol/config.ts'
import type { Platform } from './platform/platform.ts'

interface Inside {
  readonly settings: Pick<Settings, 'autoLogin'>
  readonly platform: Pick<Platform, 'warn'>
}

const warned = new WeakSet<object>()

/**
 * @param mounted the `subscribe` of each auth object on the page, those of another copy of latchkey too: it gives access to no token
 * @param insideOf returns the internals of an auth object of this copy
 */
export function warnOfOthers<Auth extends { subscribe: object }>(
  auth: Auth,
  mounted: ReadonlySet<object>,
  insideOf: (auth: Auth) => Inside | undefined,
): void {
  const { settings, platform } = insideOf(auth)!
  const others = [...mounted]
    .filter((one) => one !== auth.subscribe)
    .map((subscribe) => insideOf({ subscribe } as Auth))
  const isCopied = others.includes(undefined)
  const isRace = settings.autoLogin && others.some((one) => one?.settings.autoLogin)
  // StrictMode mounts twice.
  if (warned.has(auth) || !(isCopied || isRace)) return
  warned.add(auth)
  platform.warn(
    isCopied
      ? 'Two copies of latchkey are on this page. Find them with `npm ls latchkey`, and let your bundler or your micro front ends share one.'
      : 'Two auth objects with autoLogin are mounted. Share one.',
  )
}
