// This tab's records across navigations: sign-in attempts, automatic navigations, once-per-tab marks.
import { recordOf } from '../../base/json.ts'
import type { Claims, Id } from '../../protocol/claims.ts'
import { sameId } from '../../protocol/identity.ts'
import type { FurtherParameters } from '../../protocol/loginParameters.ts'
import { type Client, metadataKey, stepsKey } from '../../protocol/storageKeys.ts'
import { type Credentials, type Granted, parseParameters } from '../../protocol/credentials.ts'
import { LARGEST_NAVIGATION_COUNT } from '../../base/sessionConstants.ts'
import {
  isAwaited,
  isOpen,
  parseUser,
  recentNavigations,
  traceOf,
  withoutFirst,
} from '../../protocol/tabRecords.ts'
import type { StoragePort } from '../platform/platform.ts'
import { createTabStorage } from './tabStorage.ts'

export type TabRecords = ReturnType<typeof createTabRecords>

export function createTabRecords(storage: StoragePort, client: Client) {
  const stored = createTabStorage(storage, client)
  const { read, change } = stored

  return {
    ...stored,
    /** Stores an attempt under its state key; false when the browser refuses. */
    keepAttempt(state: string, attempt: object) {
      const attempts = { ...Object.fromEntries(withoutFirst(read().attempts)), [state]: attempt }
      if (change({ attempts })) return true
      // The storage is full: the older attempts go, and what can be fetched or done without.
      for (const key of [metadataKey(client), stepsKey(client)]) storage.remove(key)
      return change({ attempts: { [state]: attempt } })
    },
    /** Identifies the response to an attempt of a frame or popup, without a secret: it may come to this page, much later. */
    keepTrace(state: string, attempt: object) {
      change({ attempts: Object.fromEntries([...withoutFirst(read().attempts), [state, traceOf(attempt)]]) })
    },
    /** The logout page will redirect back without the state. */
    markBare(state: string) {
      const { attempts } = read()
      change({ attempts: { ...attempts, [state]: { ...recordOf(attempts[state]), isBare: true } } })
    },
    /** Removes the secrets of attempts older than ten minutes, and old navigations. Returns whether an attempt is still open. */
    forgetOld(nowMs: number) {
      const tab = read()
      const { attempts } = tab
      const all = Object.entries(attempts)
      const old = all.filter(([, attempt]) => isAwaited(attempt) && !isOpen(attempt, nowMs))
      const traces = old.map(([state, attempt]): [string, unknown] => [state, traceOf(attempt)])
      const navigations = recentNavigations(tab, nowMs)
      if (old.length > 0 || navigations.length < tab.navigations.length)
        change({ attempts: { ...attempts, ...Object.fromEntries(traces) }, navigations }, tab)
      return all.some(([, attempt]) => isOpen(attempt, nowMs))
    },
    /** Whether this tab has redirected to the sign-in page automatically, and no response has come. */
    hasLeftByItself: (nowMs: number) =>
      Object.values(read().attempts).some(
        (one) => recordOf(one)['isAutomatic'] === true && isOpen(one, nowMs),
      ),
    /** Tries frames again: after a sign-in that the user asked for, or a response of a frame. */
    allowSilentSignIn: () => void change({ silentSignIn: undefined }),
    /** Counts an automatic navigation; false when there were too many. */
    countNavigation(nowMs: number) {
      const recent = recentNavigations(read(), nowMs)
      if (recent.length >= LARGEST_NAVIGATION_COUNT) return false
      change({ navigations: [...recent, nowMs] })
      return true
    },
    /** Marks something as done; false when the browser refuses to store it. */
    mark: (what: string) => change({ marks: [...read().marks.filter((other) => other !== what), what] }),
    isMarked: (what: string) => read().marks.includes(what),
    /** Before a navigation: stores the user whose data is on this page, for comparison with the user who comes back. */
    keepUser(claims: Claims | undefined) {
      if (!claims) return
      const { userId, firmId, impersonatorId, aud } = claims
      change({ user: { userId, firmId, impersonatorId, aud } })
    },
    /** Returns that user, once. */
    takeUser() {
      const user = parseUser(read().user)
      change({ user: undefined })
      return user
    },
    /** The parameters of the switch to the organization that this tab works in. */
    switched: () => parseParameters(recordOf(read().switched)['parameters']),
    keepSwitched(parameters: FurtherParameters | undefined, claims?: Claims) {
      change({ switched: parameters && { parameters, firm: claims?.firmId } })
    },
    /**
     * A user is signed in: returns the user whose data the page before has left, once. The next page of this tab asks for the same
     * organization, unless the server did not grant it: each reload would ask for it again.
     */
    enter(granted: Granted, isOffered: boolean) {
      const tab = read()
      const { parameters, firm } = recordOf(tab.switched)
      const { claims } = granted
      const before = sameId(firm as Id | undefined, claims.firmId) ? parseParameters(parameters) : undefined
      if (before && !isOffered) granted.switched ??= { parameters: before, from: [] }
      const { switched } = granted
      if (tab.user !== undefined || tab.switched !== undefined || switched)
        change(
          {
            user: undefined,
            switched: switched && { parameters: switched.parameters, firm: claims.firmId },
          },
          tab,
        )
      return parseUser(tab.user)
    },
  }
}

/** The parameters of the switch that led to this session, or to the one before a reload. */
export const switchedBefore = (
  { current }: { readonly current: (Credentials & Pick<Granted, 'switched'>) | undefined },
  tabRecords: Pick<TabRecords, 'switched'>,
): FurtherParameters | undefined => (current ? current.switched?.parameters : tabRecords.switched())
