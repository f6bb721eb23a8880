// What runs in a page while somebody is signed in: idle time, real time, the look for another environment.
import type { SignedOutReason } from '../../protocol/claims.ts'
import { idleLock } from '../../protocol/storageKeys.ts'
import { HOOK_TIMEOUT_MS } from '../../sessionConstants.ts'
import type { Context } from '../context.ts'
import { loadAppFetchFile } from '../http/lazyFetch.ts'
import { ours } from '../laterFile.ts'
import { type Connection, createConnection, type LeaveHow } from '../realtime/connection.ts'
import { NO_SERVICE, recordUniqueSession } from '../realtime/uniqueSessionStep.ts'
import type { SendEvent } from '../sessionEvent.ts'
import type { OpenTabs } from '../tabs/openTabs.ts'
import type { Bearer } from './bearer.ts'
import { createIdle, type Idle, type IdleOptions } from './idle.ts'
import type { SessionMarker } from './sessionMarker.ts'

/** A session ends within two waits: for the hooks of every tab, and for its caches. */
const LONGEST_END_MS = 2 * HOOK_TIMEOUT_MS

export const loadEnvironment = () => ours(import('./environment.ts'))

export interface RunningOptions {
  context: Context
  marker: SessionMarker
  tabs: OpenTabs
  bearer: Bearer
  idleOptions: Pick<IdleOptions, 'platform' | 'client' | 'timeoutMs'>
  send: SendEvent
}

export interface Running {
  readonly connection: Connection
  /** Idle time of the signed-in user; `undefined` while nobody is, or without autoLogout. */
  idle(): Idle | undefined
  /** A session began here, or a renewal brought another one of the same user; `isNew` when this tab got it from the server. */
  start(isNew: boolean): void
  /** Stops everything. Resolves when the user's other browsers have been told, a second later at the latest. */
  stop(how: LeaveHow): Promise<void>
}

/** Who gives way need not say so: the other session knows; and the server knows of one that expired. */
export const leaveHow = (reason: SignedOutReason): LeaveHow =>
  reason === 'session-clash' || reason === 'expired' ? 'over' : 'signed-out'

export function createRunning({ context, marker, tabs, bearer, idleOptions, send }: RunningOptions): Running {
  const { settings, platform, timeline, store, tokens } = context
  let idle: Idle | undefined
  let scope = new AbortController()
  const connection = createConnection({
    ...context,
    send,
    began: marker.since,
    announced: () =>
      tokens.holding && { claims: tokens.holding.claims, tokenSinceMs: tokens.holding.sinceMs },
  })

  /** Of the tabs that see the idle time end the first one; where tabs have no locks, each. */
  const isFirst = () => platform.takeLock(idleLock(settings, tokens.session() ?? ''), LONGEST_END_MS)

  /** After the user is in, and without making anything wait. */
  async function lookForEnvironment({ signal }: AbortController) {
    const { claims } = tokens.holding ?? {}
    const file = await loadEnvironment().catch(() => undefined)
    if (!file) return timeline.record('environment', 'failed', 'it could not be loaded')
    if (claims && !signal.aborted)
      await file.redirectToEnvironment({ ...context, claims, signal, call: bearer.call, send })
  }

  return {
    connection,
    idle: () => idle,
    start(isNew) {
      // So that the app's first own call seldom waits for it; one that comes sooner, or after a failure, asks for it itself.
      platform.whenIdle?.(() => void loadAppFetchFile().catch(() => {}))
      if (settings.autoLogout)
        idle ??= createIdle({
          ...idleOptions,
          onIdle: () => void send({ type: 'idle', isFirst }),
          onChange: store.notify,
        })
      if (settings.uniqueSession && !settings.realtime) recordUniqueSession(timeline, NO_SERVICE)
      if (connection.isWanted()) void connection.join()
      const mayRedirect = settings.redirectionsUrl !== undefined && settings.server.supports('environments')
      if (isNew && mayRedirect) void lookForEnvironment(scope)
      const others = tabs.open()
      if (isNew) void others?.signedIn()
    },
    stop(how) {
      scope.abort()
      scope = new AbortController()
      idle?.stop()
      idle = undefined
      return connection.leave(how)
    },
  }
}
