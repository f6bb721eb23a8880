// How a page that starts up gets the session of the other tabs, or gets one from the server for all that wait.
import { LOCK_WAIT_MS } from '../../constants.ts'
import { loginRequired } from '../../errors.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { sessionName } from '../../protocol/identity.ts'
import type { Context } from '../context.ts'
import type { SignInWay } from '../sessionEvent.ts'
import type { Hold } from './renewOnce.ts'
import type { TabChannel } from './tabChannel.ts'

export type Joining = ReturnType<typeof createJoining>

/** Half a second each: together longer than the exchange of a code takes. A tab that died in one is not waited for any longer. */
const COPY_ASK_COUNT = 4

/** A session that a tab cannot name. */
const UNKNOWN = ''

type Enter = (granted: Granted, via: SignInWay) => Promise<void>
type Others = Pick<TabChannel, 'ask' | 'renewOnce'>

export function createJoining({ revoke }: Pick<Context, 'revoke'>) {
  // For each start-up under way: the sessions that have ended since it began.
  const endedMeanwhile = new Set<Set<string>>()

  /** Enters with the session that `get` brings, unless it has ended in another tab meanwhile; false when it brings none. */
  const enterWith = async (
    get: (ended: ReadonlySet<string>) => Promise<{ granted: Granted; via: SignInWay } | undefined>,
    enter: Enter,
  ): Promise<boolean> => {
    const ended = new Set<string>()
    endedMeanwhile.add(ended)
    try {
      const got = await get(ended)
      if (!got) return false
      if (isOneOf(ended, got.granted)) {
        if (got.via !== 'tab') revoke(got.granted)
        throw loginRequired()
      }
      await enter(got.granted, got.via)
      return true
    } finally {
      endedMeanwhile.delete(ended)
    }
  }

  return {
    /** Another tab has ended these sessions; none: it knew of none. */
    hearEnded(sessions: readonly string[]) {
      const names = sessions.length > 0 ? sessions : [UNKNOWN]
      for (const ended of endedMeanwhile) for (const name of names) ended.add(name)
    },
    /**
     * Takes over the session that the page before has left; false when there is none.
     *
     * @throws AuthError `login-required` when it was signed out in another tab meanwhile
     */
    takeOver: (take: () => Promise<Granted | undefined>, enter: Enter) =>
      enterWith(async () => {
        const granted = await take()
        return granted && { granted, via: 'tab' }
      }, enter),
    /**
     * Many tabs restored at once: the first asks the server by `work`, the others take it from there. `isCopy`: another tab is
     * sending the code that this one came with, and has the session in a moment.
     *
     * @throws AuthError `login-required` when the session was signed out in another tab while it was on its way here
     */
    join: (channel: Others, work: () => Promise<Granted>, enter: Enter, isCopy = false) =>
      enterWith(async (ended) => {
        let granted: Granted | undefined
        const askCount = isCopy ? COPY_ASK_COUNT : 1
        for (let count = 0; !granted && count < askCount; count += 1) granted = await channel.ask()
        let via: SignInWay = 'tab'
        const hold: Hold = (got, isFetched) => {
          granted = got
          if (isFetched) via = 'silent'
        }
        // Only the frame is asked, and no refresh token is sent: the lock is waited for shortly, then done without.
        if (!granted && ended.size === 0) await channel.renewOnce(work, hold, LOCK_WAIT_MS)
        if (granted) return { granted, via }
        if (ended.size > 0) throw loginRequired()
        return undefined
      }, enter),
  }
}

function isOneOf(ended: ReadonlySet<string>, { session, claims }: Granted): boolean {
  if (ended.size === 0) return false
  // Where the server names no session, one that this tab has just got cannot be told from the one that ended.
  const name = session ?? (claims.sessionId === undefined ? UNKNOWN : sessionName(claims, ''))
  return name === UNKNOWN || ended.has(UNKNOWN) || ended.has(name)
}
