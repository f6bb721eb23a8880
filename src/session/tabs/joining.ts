// How a page that starts up gets the session of the other tabs, or gets one from the server for all that wait.
import { LOCK_WAIT_MS } from '../../constants.ts'
import { loginRequired } from '../../errors.ts'
import type { Granted } from '../../protocol/credentials.ts'
import { sessionName } from '../../protocol/identity.ts'
import type { SignInWay } from '../sessionEvent.ts'
import type { TabChannel } from './tabChannel.ts'

export type Joining = ReturnType<typeof createJoining>

/** Half a second each: longer than an exchange takes, and no wait for ever for a tab that died in one. */
const COPY_ASK_COUNT = 4

/** A session that a tab cannot name. */
const UNKNOWN = ''

type Enter = (granted: Granted, via: SignInWay) => Promise<void>

export function createJoining() {
  // For each start-up under way: the sessions that have ended since it began.
  const endedMeanwhile = new Set<Set<string>>()

  const watch = async <Result>(work: (ended: ReadonlySet<string>) => Promise<Result>) => {
    const ended = new Set<string>()
    endedMeanwhile.add(ended)
    try {
      return await work(ended)
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
    takeOver: (take: () => Promise<Granted | undefined>, enter: Enter): Promise<boolean> =>
      watch(async (ended) => {
        const granted = await take()
        if (!granted) return false
        if (isOneOf(ended, granted)) throw loginRequired()
        await enter(granted, 'tab')
        return true
      }),
    /**
     * `isCopy`: another tab is sending the code that this one came with, and has the session in a moment.
     *
     * @throws AuthError `login-required` when the session was signed out in another tab while it was on its way here
     */
    join: (
      channel: Pick<TabChannel, 'ask' | 'once'>,
      work: () => Promise<Granted>,
      enter: Enter,
      { isCopy = false }: { isCopy?: boolean } = {},
    ): Promise<void> =>
      watch(async (ended) => {
        let offered = await channel.ask()
        const askCount = isCopy ? COPY_ASK_COUNT : 1
        for (let count = 1; !offered && count < askCount; count += 1) offered = await channel.ask()
        let granted = offered
        let via: SignInWay = 'tab'
        // Many tabs restored at once: the first asks the server, the others take it from there.
        if (!offered && ended.size === 0) {
          const ask = () => {
            via = 'silent'
            return work()
          }
          // It sends no refresh token: what another tab may be waiting for is its own affair.
          await channel.once(ask, (got) => void (granted = got), LOCK_WAIT_MS)
        }
        if (granted ? isOneOf(ended, granted) : ended.size > 0) throw loginRequired()
        if (granted) await enter(granted, via)
      }),
  }
}

function isOneOf(ended: ReadonlySet<string>, { session, claims }: Granted): boolean {
  if (ended.size === 0) return false
  // Where the server names no session, one that this tab has just got cannot be told from the one that ended.
  const name = session ?? (claims.sessionId === undefined ? UNKNOWN : sessionName(claims, ''))
  return name === UNKNOWN || ended.has(UNKNOWN) || ended.has(name)
}
