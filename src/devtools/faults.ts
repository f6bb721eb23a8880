// Causes faults on request, for developing an app: each is one that users may meet.
import { memberOf, numberOf, parseJson } from '../base/json.ts'
import { isLoopback } from '../protocol/origin.ts'
import { makeAnnouncementBody, makePresenceId, NIL_DEVICE } from '../protocol/presence.ts'
import { sessionMarkerKey } from '../protocol/storageKeys.ts'
import type { Auth } from '../session/auth.ts'
import { browserTools } from '../session/platform/browserTools.ts'
import type { Presence } from '../session/realtimePort.ts'
import { internalsOf } from '../session/internals.ts'

/** One button of the panel. */
export interface Fault {
  readonly name: string
  readonly about: string
  /** Absent if the fault cannot be switched off. */
  readonly isOn?: boolean
  /** Why it is unavailable now. */
  readonly blocker?: string | undefined
  cause(): unknown
}

/** The faults of one session. They stay on while the panel is closed, until the page is left. */
export type Faults = ReturnType<typeof createFaults>

/** Whether the page is served from localhost, as in development. */
export function isDevelopment(auth: Auth): boolean {
  return isLoopback(new URL(internalsOf(auth).platform.address()).hostname)
}

const OTHER_BROWSER = 'de5c0001-0000-4000-8000-000000000001'

export function createFaults(auth: Auth) {
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
  const realtimeBlocker = () => {
    if (!session.connection.presence()) return 'No channel is joined.'
    return settings.realtime ? undefined : 'Only the tabs of this browser are connected.'
  }
  const clashBlocker = () => {
    if (!settings.uniqueSession) return 'uniqueSession is off.'
    if (user()?.impersonatorId !== undefined) return 'An impersonated session never yields.'
    if (user()?.sessionId === undefined) return 'The token names no session.'
    if (!settings.realtime) return 'No realtime in the config: the tabs of one browser are one session.'
    if (isConnectionCut()) return 'Real time is dropped.'
    return settings.realtime.isProtected === false
      ? 'Strangers could send this: real time has no getToken.'
      : undefined
  }

  const expireToken = () => {
    say('token expired')
    session.tokens.expire()
    session.store.notify()
  }
  const toggleOffline = () => {
    isOffline = !isOffline
    say(isOffline ? 'network switched off' : 'network switched on')
    Object.assign(platform, {
      isOnline: isOffline ? () => false : isOnline,
      fetch: isOffline ? () => Promise.reject(new TypeError('Failed to fetch')) : fetch,
    })
    const emit = platform.emit ?? browserTools.emit
    emit(isOffline ? 'offline' : 'online')
  }
  /** Messages that arrive while the connection is cut are lost. */
  const toggleRealtime = () => {
    const presence = session.connection.presence()
    if (!presence) return
    const { connection } = presence
    if (cut && isConnectionCut()) {
      say('real time restored')
      connection.listen = cut.listen
      cut = undefined
      connection.listen({ type: 'state', state: 'connected' })
    } else {
      say('real time dropped')
      cut = { presence, listen: connection.listen }
      connection.listen = () => {}
      cut.listen({ type: 'state', state: 'offline', reason: 'dropped by the devtools' })
    }
  }
  /** Simulates a sign-in of the same user in another browser. */
  const clash = async () => {
    await session.connection.join()
    const presence = session.connection.presence()
    const { userId } = user() ?? {}
    if (!presence || userId === undefined) return
    say('signed in with another browser')
    // Another session conflicts only if it is newer than this one.
    const marker = parseJson(platform.localStorage.get(sessionMarkerKey(settings)))
    const announcement = {
      authHost: settings.authHost,
      clientId: settings.clientId,
      sessionId: `devtools-${platform.now()}-another-browser`,
      agentId: OTHER_BROWSER,
      impersonatorId: undefined,
      logout: false,
      since: Math.max(platform.now(), numberOf(memberOf(memberOf(marker, 'began'), 'sinceMs')) ?? 0) + 1_000,
    }
    presence.connection.listen({
      type: 'message',
      channel: `auth-session-${userId}`,
      body: makeAnnouncementBody(announcement),
      publisher: makePresenceId({ type: '1', device: NIL_DEVICE, agentId: OTHER_BROWSER }),
      cursor: `devtools ${platform.now()}`,
    })
  }

  return {
    /** The faults that are on. */
    current: () => ({ isOffline, isConnectionCut: isConnectionCut() }),
    /** The buttons as they are now. */
    buttons(): readonly Fault[] {
      const nobody = user() ? undefined : 'Nobody is signed in.'
      const isCut = isConnectionCut()
      return [
        { name: 'Expire token', about: 'The next call renews it.', blocker: nobody, cause: expireToken },
        {
          name: isOffline ? 'Go online' : 'Go offline',
          about: 'For the session, and for all that listen to the browser.',
          isOn: isOffline,
          cause: toggleOffline,
        },
        {
          name: isCut ? 'Restore real time' : 'Drop real time',
          about: 'In this tab.',
          isOn: isCut,
          blocker: nobody ?? realtimeBlocker(),
          cause: toggleRealtime,
        },
        {
          name: 'Clash',
          about: 'Sign in with another browser.',
          blocker: nobody ?? clashBlocker(),
          cause: clash,
        },
      ]
    },
  }
}
