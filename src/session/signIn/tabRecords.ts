// What this tab remembers across a navigation: sign-in attempts, automatic navigations, what is done once.
import { ATTEMPT_LIFETIME_MS } from '../../constants.ts'
import { recordOf } from '../../json.ts'
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
  /**
   * Keeps of an attempt by what its answer is recognised, and no secret: of a hidden frame, or of a window. A server may
   * answer the first request that it has seen, long after nobody waits for it.
   */
  keepTrace(state: string, attempt: object): void
  /** Drops what is secret of attempts older than ten minutes, and navigations that no longer count. */
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
      const older = withoutFirst(read().attempts)
      // A full storage gets a second try without latchkey's older attempts; other entries are never touched.
      return (
        change({ attempts: { ...Object.fromEntries(older), [state]: attempt } }) ||
        change({ attempts: { [state]: attempt } })
      )
    },
    keepTrace(state, attempt) {
      change({ attempts: Object.fromEntries([...withoutFirst(read().attempts), [state, traceOf(attempt)]]) })
    },
    forgetOld(nowMs) {
      const { attempts, navigations } = read()
      const isOld = (attempt: Record<string, unknown>) =>
        attempt['isOver'] !== true && nowMs - Number(attempt['createdAtMs']) > ATTEMPT_LIFETIME_MS
      const all = Object.entries(attempts).map(([state, value]) => [state, recordOf(value)] as const)
      const recent = recentNavigations(nowMs)
      if (!all.some(([, attempt]) => isOld(attempt)) && recent.length === navigations.length) return
      const next: Record<string, unknown> = Object.fromEntries(
        all.map(([state, attempt]) => [state, isOld(attempt) ? traceOf(attempt) : attempt]),
      )
      change({ attempts: next, navigations: recent })
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

/** Room for one more: what nobody waits for goes first, then the oldest. */
function withoutFirst(attempts: Readonly<Record<string, unknown>>): [string, unknown][] {
  const all = Object.entries(attempts)
  const isOver = ([, attempt]: [string, unknown]) => recordOf(attempt)['isOver'] === true
  return [...all.filter(isOver), ...all.filter((one) => !isOver(one))].slice(1 - LARGEST_ATTEMPT_COUNT)
}

/** Without `clientId` nobody takes it for an attempt whose code may be sent. */
function traceOf(attempt: object): object {
  const { authHost, redirectUri, returnTo, createdAtMs, departure } = recordOf(attempt)
  return { authHost, redirectUri, returnTo, createdAtMs, departure, isOver: true }
}
