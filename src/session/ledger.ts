// Keeps sign-in attempts for the way back, counts automatic navigations, marks what is done once (contract §5).
import { ATTEMPT_LIFETIME_MS } from '../constants.ts'
import { LARGEST_ATTEMPT_COUNT, LARGEST_NAVIGATION_COUNT, NAVIGATION_WINDOW_MS } from '../sessionConstants.ts'
import type { Records } from './records.ts'

export interface Ledger {
  /** Keeps an attempt under its state key; false when the browser refuses to store it. */
  keepAttempt(state: string, attempt: object): boolean
  /** Drops what was left for more than ten minutes ago and never came back. */
  forgetOld(nowMs: number): void
  /** Counts an automatic navigation; false when there were too many. */
  countNavigation(nowMs: number): boolean
  forgetNavigations(): void
  /** Marks what is about to be done; false when that cannot be remembered. */
  mark(what: string): boolean
  /** Whether that was marked before in this browser session. */
  isMarked(what: string): boolean
}

export function createLedger({ read, change }: Pick<Records, 'read' | 'change'>): Ledger {
  const mark = (what: string) => change({ marks: [...read().marks.filter((other) => other !== what), what] })
  return {
    mark,
    keepAttempt(state, attempt) {
      const older = Object.entries(read().attempts).slice(1 - LARGEST_ATTEMPT_COUNT)
      // A full storage gets a second try without our own older attempts; other people's entries are never touched.
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
      if (young.length < all.length) change({ attempts: Object.fromEntries(young) })
    },
    countNavigation(nowMs) {
      const recent = read().navigations.filter((atMs) => Math.abs(nowMs - atMs) < NAVIGATION_WINDOW_MS)
      if (recent.length >= LARGEST_NAVIGATION_COUNT) return false
      change({ navigations: [...recent, nowMs] })
      return true
    },
    forgetNavigations() {
      if (read().navigations.length > 0) change({ navigations: [] })
    },
    isMarked: (what) => read().marks.includes(what),
  }
}
