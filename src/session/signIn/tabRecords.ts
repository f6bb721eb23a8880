// What this tab remembers across a navigation: sign-in attempts, automatic navigations, what is done once.
import { ATTEMPT_LIFETIME_MS } from '../../constants.ts'
import { recordOf } from '../../json.ts'
import type { Claims } from '../../protocol/claims.ts'
import type { FurtherParameters } from '../../protocol/loginParameters.ts'
import type { Client } from '../../protocol/storageKeys.ts'
import { parseParameters } from '../../protocol/credentials.ts'
import {
  LARGEST_ATTEMPT_COUNT,
  LARGEST_NAVIGATION_COUNT,
  NAVIGATION_WINDOW_MS,
} from '../../sessionConstants.ts'
import type { StoragePort } from '../platform/platform.ts'
import { createTabStorage } from './tabStorage.ts'

export type TabRecords = ReturnType<typeof createTabRecords>

export function createTabRecords(storage: StoragePort, client: Client) {
  const stored = createTabStorage(storage, client)
  const { read, change } = stored
  // A server whose sessions die at once would send the user round for ever.
  let successful: readonly number[] = []
  const recentNavigations = (nowMs: number) =>
    read().navigations.filter((atMs) => Math.abs(nowMs - atMs) < NAVIGATION_WINDOW_MS)

  return {
    ...stored,
    /** Keeps an attempt under its state key; false when the browser refuses to store it. */
    keepAttempt(state: string, attempt: object) {
      const older = withoutFirst(read().attempts)
      // A full storage gets a second try without latchkey's older attempts; other entries are never touched.
      return (
        change({ attempts: { ...Object.fromEntries(older), [state]: attempt } }) ||
        change({ attempts: { [state]: attempt } })
      )
    },
    /**
     * Keeps of an attempt by what its answer is recognised, and no secret: of a hidden frame, or of a window. A server may
     * answer the first request that it has seen, long after nobody waits for it.
     */
    keepTrace(state: string, attempt: object) {
      change({ attempts: Object.fromEntries([...withoutFirst(read().attempts), [state, traceOf(attempt)]]) })
    },
    /** The browser comes back from the logout page without the state. */
    markBare(state: string) {
      const { attempts } = read()
      change({ attempts: { ...attempts, [state]: { ...recordOf(attempts[state]), isBare: true } } })
    },
    /** Drops what is secret of attempts older than ten minutes, and navigations that no longer count; whether others stay. */
    forgetOld(nowMs: number) {
      const { attempts, navigations } = read()
      const isOld = (attempt: Record<string, unknown>) =>
        attempt['isOver'] !== true && nowMs - Number(attempt['createdAtMs']) > ATTEMPT_LIFETIME_MS
      const all = Object.entries(attempts).map(([state, value]) => [state, recordOf(value)] as const)
      const recent = recentNavigations(nowMs)
      const isAwaiting = all.some(([, attempt]) => attempt['isOver'] !== true && !isOld(attempt))
      if (!all.some(([, attempt]) => isOld(attempt)) && recent.length === navigations.length)
        return isAwaiting
      const next: Record<string, unknown> = Object.fromEntries(
        all.map(([state, attempt]) => [state, isOld(attempt) ? traceOf(attempt) : attempt]),
      )
      change({ attempts: next, navigations: recent })
      return isAwaiting
    },
    /** Somebody signed in: frames are tried again. */
    allowSilentSignIn() {
      if (read().silentSignIn) change({ silentSignIn: undefined })
    },
    /** Counts an automatic navigation; false when there were too many. */
    countNavigation(nowMs: number) {
      change({ navigations: [...successful, ...read().navigations] })
      successful = []
      const recent = recentNavigations(nowMs)
      if (recent.length >= LARGEST_NAVIGATION_COUNT) return false
      change({ navigations: [...recent, nowMs] })
      return true
    },
    /** The redirects before have led to a session. Should it end in this page by itself, they count all the same. */
    madeProgress() {
      const { navigations } = read()
      if (navigations.length === 0) return
      successful = [...successful, ...navigations]
      change({ navigations: [] })
    },
    /** The user has opened the page: what was counted before has nothing to do with it. */
    forgetNavigations() {
      if (read().navigations.length > 0) change({ navigations: [] })
    },
    /** Marks what is about to be done; false when that cannot be remembered. */
    mark: (what: string) => change({ marks: [...read().marks.filter((other) => other !== what), what] }),
    /** Whether that was marked before in this browser session. */
    isMarked: (what: string) => read().marks.includes(what),
    unmark(what: string) {
      const { marks } = read()
      if (marks.includes(what)) change({ marks: marks.filter((other) => other !== what) })
    },
    /** The page is left with this user's data on the disk: whoever comes back is compared with them. */
    keepUser(claims: Claims | undefined) {
      if (!claims) return
      const { userId, firmId, impersonatorId, aud } = claims
      change({ user: { userId, firmId, impersonatorId, aud } })
    },
    /** Whose page left before, once. */
    takeUser() {
      const user = parseUser(read().user)
      if (user) change({ user: undefined })
      return user
    },
    /** What the server was asked at the switch to an organization that this tab works in. */
    switched: () => parseParameters(read().switched),
    keepSwitched(parameters: FurtherParameters | undefined) {
      if (read().switched !== undefined || parameters) change({ switched: parameters })
    },
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
  const { authHost, redirectUri, returnTo, createdAtMs, departure, isBare } = recordOf(attempt)
  return { authHost, redirectUri, returnTo, createdAtMs, departure, isBare, isOver: true }
}

function parseUser(value: unknown): Claims | undefined {
  const { userId, firmId, impersonatorId, aud } = recordOf(value)
  const isId = (id: unknown) => typeof id === 'string' || typeof id === 'number'
  const isUser = isId(userId) && [firmId, impersonatorId].every((id) => id === undefined || isId(id))
  // The audience is compared as text, whatever it is.
  return isUser ? ({ userId, firmId, impersonatorId, aud } as Claims) : undefined
}
