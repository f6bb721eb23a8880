// What developers are told about the setup of their app; loads later.
import { afterFailure, isSwitchedOff, type SilentSignIn } from '../protocol/tabRecords.ts'
import type { Context } from './context.ts'
import type { Platform } from './platform/platform.ts'

/** Warns developers that the response to a sign-in is missing. Of two auth objects that both redirect, only one gets a response. */
export function tellNotBack({ shared, tell }: Pick<Platform, 'shared' | 'tell'>): void {
  if (Object.keys(shared().returns).length > 0) return
  tell?.(
    'A sign-in of this tab has not come back: other code (a router, a service worker) took ?code=… out of the URL. ' +
      'Call auth.start() before your router.',
  )
}

/** Tells developers that no sign-in can come back to this page. */
export function tellOtherOrigin({ tell }: Pick<Platform, 'tell'>): void {
  tell?.(
    'redirectUri has another origin than this page: sign-ins come back there. Open the app there, or set redirectUri to this origin.',
  )
}

/** The browser blocks the server's cookies in frames: switches frames off for a while, and warns developers. @param before this tab's record of earlier frames */
export function learnOfFrames(
  { platform, tabRecords, tokenEndpoint, server }: Context,
  before: SilentSignIn | undefined,
): void {
  const nowMs = platform.now()
  // No frame was asked.
  if (before && isSwitchedOff(before, nowMs)) return
  if (server.known()?.silentCheck?.silence?.expected()) return
  tokenEndpoint.forgetFrames()
  tabRecords.change({ silentSignIn: afterFailure(before, nowMs, true) })
  platform.tell?.(
    'The browser keeps the cookies of the server from frames: a reload needs the sign-in page. Serve both from one site.',
  )
}

const warned = new WeakSet<object>()

/**
 * @param mounted the `subscribe` of each auth object on the page, those of another copy of latchkey too: it gives access to no token
 * @param insideOf returns the internals of an auth object of this copy
 */
export function warnOfOthers<Auth extends { subscribe: object }>(
  auth: Auth,
  mounted: ReadonlySet<object>,
  insideOf: (auth: Auth) => Pick<Context, 'settings' | 'platform'> | undefined,
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
