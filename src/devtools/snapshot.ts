// Reads a session into plain facts without secrets, for the panel and the support bundle.
import { RENEW_MARGIN_MS } from '../base/sessionConstants.ts'
import { AuthError } from '../base/errors.ts'
import { memberOf, parseJson, textsOf } from '../base/json.ts'
import { redact } from '../protocol/redaction.ts'
import { metadataKey, sessionMarkerKey } from '../protocol/storageKeys.ts'
import type { Auth } from '../session/auth.ts'
import type { Internals } from '../session/internals.ts'
import { internalsOf } from '../session/internals.ts'
import type { AuthState } from '../session/state.ts'
import type { ExplainStep } from '../session/timeline.ts'
import { UNIQUE_SESSION_STEP } from '../session/realtimePort.ts'
import { faultsOf } from './faults.ts'
import { viewSettings } from './settingsView.ts'

/** Events that are shown. */
export const LARGEST_EVENT_COUNT = 200

/** One event of the timeline. */
export interface EventView {
  readonly atMs: number
  readonly step: string
  readonly outcome: ExplainStep['outcome']
  readonly detail?: string | undefined
  readonly errorCode?: string | undefined
  readonly remedy?: string | undefined
}

/** The facts of a session at one time. */
export type Snapshot = ReturnType<typeof readSnapshot>

/** Reads the current facts. `own` are events that the session itself does not record. */
export function readSnapshot(auth: Auth, own: readonly EventView[]) {
  const session = internalsOf(auth)
  const { platform, settings, timeline } = session
  const state = auth.getState()
  const steps = timeline.steps().map((step) => viewStep(step, session.tokens.secrets()))
  const presence = session.connection.presence()
  const user = state.status === 'authenticated' ? state.user : undefined
  return {
    atMs: platform.now(),
    status: state.status,
    why: viewWhy(state),
    activity: session.refresh.isRunning() ? 'renewing' : undefined,
    isOnline: state.isOnline,
    isTokenExpired: state.isTokenExpired,
    user: user && {
      userId: String(user.userId),
      firmId: user.firmId === undefined ? 'none' : String(user.firmId),
      ...(user.impersonatorId !== undefined && { impersonatorId: String(user.impersonatorId) }),
      // On unprotected channels, anyone who knows the session id could end the session.
      sessionId: user.sessionId === undefined ? 'none' : 'set',
    },
    events: [...steps, ...own].toSorted((a, b) => a.atMs - b.atMs).slice(-LARGEST_EVENT_COUNT),
    deadlines: viewDeadlines(session, state),
    tabs: {
      own: session.marker.tabId,
      all: textsOf(memberOf(parseJson(platform.localStorage.get(sessionMarkerKey(settings))), 'tabs')),
      leader: presence === undefined ? 'none' : presence.connection.isLeading() ? 'this tab' : 'another tab',
    },
    channel: {
      status: state.realtime,
      isJoined: presence !== undefined,
      uniqueSession: steps.findLast(({ step }) => step === UNIQUE_SESSION_STEP)?.detail ?? 'off',
      onlineCount: presence?.occupants().length,
    },
    settings: viewSettings(settings, {
      metadata: platform.localStorage.get(metadataKey(settings)),
      isBound: session.server.known()?.binding?.isBound(),
    }),
    faults: faultsOf(auth).view(),
  }
}

function viewStep(
  { atMs, step, outcome, detail, error }: ExplainStep,
  secrets: readonly string[],
): EventView {
  return {
    atMs,
    step,
    outcome,
    // A safety net: no secret is recorded, and none would pass here.
    detail: detail === undefined ? undefined : String(redact(detail, secrets)),
    errorCode: error?.code,
    remedy: error?.remedy,
  }
}

function viewWhy(state: AuthState): string | undefined {
  switch (state.status) {
    case 'unauthenticated':
      return state.cause instanceof AuthError ? `${state.reason}: ${state.cause.message}` : state.reason
    case 'redirecting':
      return `to ${state.to}`
    case 'failed':
      return state.error.message
    case 'authenticated':
    case 'initializing':
      return undefined
  }
}

function viewDeadlines({ settings, platform, refresh, idle }: Internals, state: AuthState) {
  const signedIn = state.status === 'authenticated' ? state : undefined
  const failed = state.status === 'failed' ? state : undefined
  const remainingMs = idle()?.remainingMs
  const renewalNote = () => {
    if (refresh.isRunning()) return 'under way'
    if (settings.autoRefreshToken) return 'no timer is set'
    return `off: a call renews it when less than ${RENEW_MARGIN_MS / 1000} s are left`
  }
  /** `note` says why there is no time. */
  const deadline = (name: string, atMs: number | undefined, note: string) => ({
    name,
    atMs,
    note: atMs === undefined ? note : undefined,
  })
  const ofSession: typeof deadline = (name, atMs, note) =>
    signedIn ? deadline(name, atMs, note) : deadline(name, undefined, 'nobody is signed in')
  const idleAtMs = remainingMs === undefined ? undefined : platform.now() + remainingMs
  return [
    ofSession('Access token expires', signedIn?.expiresAtMs, 'the server told no lifetime'),
    ofSession('Renewal', refresh.plannedAtMs(), renewalNote()),
    ofSession('Idle logout', idleAtMs, settings.autoLogout ? 'not counting' : 'off'),
    ofSession('Session ends', signedIn?.sessionEndsAtMs, 'the provider named no end'),
    deadline('Start-up again', failed?.retryAtMs, failed ? 'with a click' : 'start-up has not failed'),
  ]
}
