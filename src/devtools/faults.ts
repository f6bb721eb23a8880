// Causes faults on request, for developing an app: each is one that users may meet.
import type { User } from '../protocol/claims.ts'
import { isLoopback } from '../protocol/origin.ts'
import { makeAnnouncementBody, makePresenceId, NIL_DEVICE } from '../protocol/presence.ts'
import { sessionMarkerKey } from '../protocol/storageKeys.ts'
import type { Auth } from '../session/auth.ts'
import { browserTools } from '../session/platform/browserTools.ts'
import type { Presence } from '../session/realtimePort.ts'
import { internalsOf } from '../session/internals.ts'

/** The faults of one session. They stay on while the panel is closed, until the page is left. */
type Faults = ReturnType<typeof createFaults>

const faultsOfSessions = new WeakMap<Auth, Faults>()

/** Returns the faults of a session: always the same object. */
export function faultsOf(auth: Auth): Faults {
  const faults = faultsOfSessions.get(auth) ?? createFaults(auth)
  faultsOfSessions.set(auth, faults)
  return faults
}

/** Whether the page is served from localhost, as in development. */
export function isDevelopment(auth: Auth): boolean {
  return isLoopback(new URL(internalsOf(auth).platform.address()).hostname)
}

const OTHER_BROWSER = 'de5c0001-0000-4000-8000-000000000001'

function createFaults(auth: Auth) {
  const session = internalsOf(auth)
  const { platform, settings, timeline } = session
  const { fetch, isOnline } = platform
  let isOffline = false
  let cut: { presence: Presence; listen: Presence['connection']['listen'] } | undefined

  const say = (what: string) => timeline.record('devtools', 'done', what)
  const isConnectionCut = () =>
    cut !== undefined && cut.presence.connection === session.connection.presence()?.connection
  const user = () => {
    const state = auth.getState()
    return state.status === 'authenticated' ? state.user : undefined
  }
  /** When this session began, as stored. Another session must be newer to conflict. */
  const sinceMs = () => {
    const began = /"sinceMs":(\d+)/.exec(platform.localStorage.get(sessionMarkerKey(settings)) ?? '')?.[1]
    return Math.max(platform.now(), Number(began ?? 0)) + 1_000
  }
  const lineBlocker = () => {
    if (!session.connection.presence()) return 'No channel is joined.'
    return settings.realtime ? undefined : 'Only the tabs of this browser are connected.'
  }
  const clashBlocker = ({ impersonatorId, sessionId }: User) => {
    if (!settings.uniqueSession) return 'uniqueSession is off.'
    if (impersonatorId !== undefined) return 'An impersonated session never yields.'
    if (sessionId === undefined) return 'The token names no session.'
    if (!settings.realtime) return 'No realtime in the config: the tabs of one browser are one session.'
    if (isConnectionCut()) return 'Real time is dropped.'
    return settings.realtime.isProtected === false
      ? 'Strangers could send this: real time has no getToken.'
      : undefined
  }

  return {
    /** Which faults are on, and why one is unavailable now; `undefined` if it is available. */
    view() {
      const who = user()
      const nobody = who ? undefined : 'Nobody is signed in.'
      return {
        isOffline,
        isConnectionCut: isConnectionCut(),
        blockers: {
          expireToken: nobody,
          realtimeCut: nobody ?? lineBlocker(),
          clash: who ? clashBlocker(who) : nobody,
        },
      }
    },
    /** Makes the access token of this tab expired: the next call renews it. */
    expireToken() {
      say('token expired')
      session.tokens.expire()
      session.store.notify()
    },
    /** Makes the browser look offline to the session and to everything that listens to it. */
    setOffline(next: boolean) {
      isOffline = next
      say(next ? 'network switched off' : 'network switched on')
      Object.assign(platform, {
        isOnline: next ? () => false : isOnline,
        fetch: next ? () => Promise.reject(new TypeError('Failed to fetch')) : fetch,
      })
      const emit = platform.emit ?? browserTools.emit
      emit(next ? 'offline' : 'online')
    },
    /** Disconnects real time in this tab. Messages that arrive meanwhile are lost. */
    setRealtimeCut(next: boolean) {
      const presence = session.connection.presence()
      if (!presence || next === isConnectionCut()) return
      say(next ? 'real time dropped' : 'real time restored')
      if (next) {
        const { listen } = presence.connection
        cut = { presence, listen }
        presence.connection.listen = () => {}
        listen({ type: 'state', state: 'offline', reason: 'dropped by the devtools' })
      } else if (cut) {
        presence.connection.listen = cut.listen
        cut = undefined
        presence.connection.listen({ type: 'state', state: 'connected' })
      }
    },
    /** Simulates a sign-in of the same user in another browser. */
    async clash() {
      await session.connection.join()
      const presence = session.connection.presence()
      const { userId } = user() ?? {}
      if (!presence || userId === undefined) return
      say('signed in with another browser')
      const announcement = {
        authHost: settings.authHost,
        clientId: settings.clientId,
        sessionId: `devtools-${platform.now()}-another-browser`,
        agentId: OTHER_BROWSER,
        impersonatorId: undefined,
        logout: false,
        since: sinceMs(),
      }
      presence.connection.listen({
        type: 'message',
        channel: `auth-session-${userId}`,
        body: makeAnnouncementBody(announcement),
        publisher: makePresenceId({ type: '1', device: NIL_DEVICE, agentId: OTHER_BROWSER }),
        cursor: `devtools ${platform.now()}`,
      })
    },
  }
}
