// What this tab remembers across a navigation: sign-in attempts, departures, the redirect-loop counter (contract §5).
import { LARGEST_ATTEMPT_COUNT, LARGEST_NAVIGATION_COUNT, NAVIGATION_WINDOW_MS } from '../constants.ts'
import { tabKey } from '../protocol/storageKeys.ts'
import type { StoragePort } from './platform.ts'

/** Everything of one tab, in one entry of session storage. */
interface Stored {
  /** Attempts and departures by their state key; checked by whoever takes one. */
  attempts: Record<string, unknown>
  /** Instants of automatic navigations. */
  navigations: number[]
  /** The hidden frame failed in this browser session. */
  isFrameDoomed: boolean
  /** What is done once in a browser session and has been done. */
  marks: string[]
}

export interface Records {
  /** Keeps an attempt under its state key; false when the browser refuses to store it. */
  keepAttempt(state: string, attempt: object): boolean
  /** Takes the attempt out: a second call finds nothing. */
  takeAttempt(state: string): unknown
  /** Counts an automatic navigation; false when there were too many. */
  countNavigation(nowMs: number): boolean
  forgetNavigations(): void
  /** Marks what is done once in a browser session; false when it was done before, or cannot be remembered. */
  markOnce(what: string): boolean
  isFrameDoomed(): boolean
  setFrameDoomed(isDoomed: boolean): void
}

export function createRecords(storage: StoragePort, clientId: string): Records {
  const key = tabKey(clientId)
  // Stands in for a storage that is denied or full; attempts are not kept here, they must survive leaving the page.
  let memory: Stored | undefined

  const read = (): Stored => memory ?? parse(storage.get(key))
  const write = (stored: Stored): boolean => {
    const isStored = isEmpty(stored) ? (storage.remove(key), true) : storage.set(key, JSON.stringify(stored))
    memory = isStored ? undefined : { ...stored, attempts: {} }
    return isStored
  }
  const change = (part: Partial<Stored>) => write({ ...read(), ...part })

  return {
    keepAttempt(state, attempt) {
      const older = Object.entries(read().attempts).slice(1 - LARGEST_ATTEMPT_COUNT)
      // A full storage gets a second try without our own older attempts; other people's entries are never touched.
      return (
        change({ attempts: { ...Object.fromEntries(older), [state]: attempt } }) ||
        change({ attempts: { [state]: attempt } })
      )
    },
    takeAttempt(state) {
      const { attempts } = read()
      if (!Object.hasOwn(attempts, state)) return undefined
      const { [state]: taken, ...others } = attempts
      change({ attempts: others })
      return taken
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
    markOnce(what) {
      const { marks } = read()
      return !marks.includes(what) && change({ marks: [...marks, what] })
    },
    isFrameDoomed: () => read().isFrameDoomed,
    setFrameDoomed(isFrameDoomed) {
      if (read().isFrameDoomed !== isFrameDoomed) change({ isFrameDoomed })
    },
  }
}

function isEmpty({ attempts, navigations, isFrameDoomed, marks }: Stored): boolean {
  return Object.keys(attempts).length + navigations.length + marks.length === 0 && !isFrameDoomed
}

// Each member by itself: one that an older version or a stranger wrote wrongly counts as absent.
function parse(text: string | undefined): Stored {
  const value = parseRecord(text)
  const attempts = value['attempts']
  const navigations = value['navigations']
  const marks = value['marks']
  return {
    attempts: isRecord(attempts) ? attempts : {},
    navigations: Array.isArray(navigations)
      ? navigations.filter((atMs): atMs is number => Number.isFinite(atMs))
      : [],
    isFrameDoomed: value['isFrameDoomed'] === true,
    marks: Array.isArray(marks) ? marks.filter((mark): mark is string => typeof mark === 'string') : [],
  }
}

function parseRecord(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
