// What this tab remembers across a navigation: sign-in attempts, automatic navigations, what is done once.
import { ATTEMPT_LIFETIME_MS } from '../../constants.ts'
import type { Client } from '../../protocol/storageKeys.ts'
import {
  LARGEST_ATTEMPT_COUNT,
  LARGEST_NAVIGATION_COUNT,
  NAVIGATION_WINDOW_MS,
} from '../../sessionConstants.ts'
import type { StoragePort } from '../platform/platform.ts'
import { createTabStorage, type TabStorage } from './tabStorage.ts'

export interface TabRecords extends TabStorage {
  /** Keeps an attempt under its state key; false when the browser refuses to store it. */
  keepAttempt(state: string, attempt: object): boolean
  /** Drops attempts older than ten minutes, and navigations that no longer count. */
  forgetOld(nowMs: number): void
  /** Somebody signed in: frames are tried again. */
  allowSilentSignIn(): void
  /** Counts an automatic navigation; false when there were too many. */
  countNavigation(nowMs: number): boolean
  /** Marks what is about to be done; false when that cannot be remembered. */
  mark(what: string): boolean
  /** Whether that was marked before in this browser session. */
  isMarked(what: string): boolean
}

export function createTabRecords(storage: StoragePort, client: Client): TabRecords {
  const stored = createTabStorage(storage, client)
  const { read, change } = stored
  // A sign-in does not end the count: a server whose sessions die at once would send the user round for ever.
  const recentNavigations = (nowMs: number) =>
    read().navigations.filter((atMs) => Math.abs(nowMs - atMs) < NAVIGATION_WINDOW_MS)

  return {
    ...stored,
    keepAttempt(state, attempt) {
      const older = Object.entries(read().attempts).slice(1 - LARGEST_ATTEMPT_COUNT)
      // A full storage gets a second try without latchkey's older attempts; other entries are never touched.
      return (
        change({ attempts: { ...Object.fromEntries(older), [state]: attempt } }) ||
        change({ attempts: { [state]: attempt } })
      )
    },
    forgetOld(nowMs) {
      const all = Object.entries(read().attempts)
      const isOld = (attempt: unknown) =>
        nowMs - Number((Object(attempt) as { createdAtMs?: unknown }).createdAtMs) > ATTEMPT_LIFETIME_MS
      const young = all.filter(([, attempt]) => !isOld(attempt))
      const navigations = recentNavigations(nowMs)
      if (young.length < all.length || navigations.length < read().navigations.length)
        change({ attempts: Object.fromEntries(young), navigations })
    },
    allowSilentSignIn() {
      if (read().silentSignIn) change({ silentSignIn: undefined })
    },
    countNavigation(nowMs) {
      const recent = recentNavigations(nowMs)
      if (recent.length >= LARGEST_NAVIGATION_COUNT) return false
      change({ navigations: [...recent, nowMs] })
      return true
    },
    mark: (what) => change({ marks: [...read().marks.filter((other) => other !== what), what] }),
    isMarked: (what) => read().marks.includes(what),
  }
}
