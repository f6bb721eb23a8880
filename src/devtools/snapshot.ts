// Reads a session into plain facts without secrets, for the panel and the support bundle.
import { RENEW_MARGIN_MS } from '../base/sessionConstants.ts'
import { AuthError } from '../base/errors.ts'
import { memberOf, parseJson, recordOf, textsOf } from '../base/json.ts'
import { redact } from '../protocol/redaction.ts'
import { metadataKey, sessionMarkerKey } from '../protocol/storageKeys.ts'
import type { Auth } from '../session/auth.ts'
import { type Internals, internalsOf } from '../session/internals.ts'
import type { AuthState } from '../session/state.ts'
import type { ExplainStep } from '../session/timeline.ts'
import { UNIQUE_SESSION_STEP } from '../session/realtimePort.ts'

/** Events that are shown. */
export const LARGEST_EVENT_COUNT = 200

/** The facts of a session at one time. */
export type Snapshot = ReturnType<typeof readSnapshot>

/** Reads the current facts. `own` are events that the session itself does not record. */
export function readSnapshot(auth: Auth, own: readonly ExplainStep[]) {
  const session = internalsOf(auth)
  const { platform, settings, timeline, tokens } = session
  const state = auth.getState()
  const steps = timeline.steps()
  const presence = session.connection.presence()
  const user = state.status === 'authenticated' ? state.user : undefined
  const tabs = textsOf(memberOf(parseJson(platform.localStorage.get(sessionMarkerKey(settings))), 'tabs'))
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
    events: [...steps, ...own]
      .toSorted((a, b) => a.atMs - b.atMs)
      .slice(-LARGEST_EVENT_COUNT)
      .map((step) => viewStep(step, tokens.secrets())),
    deadlines: viewDeadlines(session, state),
    tabs: {
      own: session.marker.tabId,
      all: tabs,
      summary: `${tabs.length} ${tabs.length === 1 ? 'tab holds' : 'tabs hold'} the session`,
      leader: presence === undefined ? 'none' : presence.isLeading() ? 'this tab' : 'another tab',
    },
    channel: {
      status: state.realtime,
      isJoined: presence !== undefined,
      uniqueSession: steps.findLast(({ step }) => step === UNIQUE_SESSION_STEP)?.detail ?? 'off',
      onlineCount: presence?.occupants().length,
    },
    settings: viewSettings(session),
  }
}

// `redact` is a safety net: no secret is recorded.
const viewStep = ({ detail, error, ...step }: ExplainStep, secrets: readonly string[]) => ({
  ...step,
  detail: detail === undefined ? undefined : String(redact(detail, secrets)),
  errorCode: error?.code,
  remedy: error?.remedy,
})

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

/** The checked configuration as text: with defaults and the provider's endpoints, without keys and tokens. */
function viewSettings({ settings, platform, server: current }: Internals): Readonly<Record<string, string>> {
  const { server, initToken, realtime, ...others } = settings
  const metadata = parseJson(platform.localStorage.get(metadataKey(settings)))
  const endpoints = Object.entries(recordOf(memberOf(metadata, 'document'))).filter(
    ([name, value]) => name.endsWith('_endpoint') && typeof value === 'string',
  )
  const isBound = current.known()?.binding?.isBound()
  const shown = {
    'server.protocol': server.protocol,
    'server.id': server.id,
    ...Object.fromEntries(endpoints.map(([name, value]) => [`server.${name}`, value])),
    ...(isBound !== undefined && { 'server.bound': isBound }),
    ...others,
    authHost: server.authHost,
    initToken: initToken === undefined ? undefined : 'set',
    realtime: realtime && ('open' in realtime ? 'a transport of the app’s own' : 'messaging service'),
    ...(realtime && { 'realtime.isProtected': realtime.isProtected }),
  }
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, textOf(value)]))
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (value === undefined) return 'not set'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object')
    return (Array.isArray(value) ? value : Object.keys(value!)).join(', ') || 'none'
  // A query may contain keys.
  return (value as string | number).toString().replace(/[?#].*$/, '')
}
