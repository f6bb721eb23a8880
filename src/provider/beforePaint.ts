'use client'
// What a component does and reads before the browser paints it, so that no frame shows what is no longer true.
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { isBrowser } from '../session/platform/browserPlatform.ts'

// A layout effect, so that nothing is painted between two users. Servers warn about layout effects.
export const useBeforePaint = isBrowser ? useLayoutEffect : useEffect

/**
 * React's `useSyncExternalStore`, and right before the first paint of a screen that an `<Activity>` had hidden: React itself
 * subscribes, and compares, only after it. Whatever shows something of a user reads it with this one.
 */
export const useStoreBeforePaint: typeof useSyncExternalStore = (subscribe, read, readFirst) => {
  const value = useSyncExternalStore(subscribe, read, readFirst)
  const [, update] = useState<unknown>()
  useBeforePaint(() => {
    if (!Object.is(read(), value)) update({})
  })
  return value
}
