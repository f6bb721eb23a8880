// Shows latchkey's notices: the idle countdown, why a session ended, offline, another user's link, mutations that failed.
import type { Mutation, QueryClient } from '@tanstack/react-query'
import { IDLE_WARNING_MS } from '../base/sessionConstants.ts'
import { identityOf } from '../protocol/identity.ts'
import { parseClash, shortAgentName } from '../protocol/eventHooks.ts'
import type { MessageName } from '../protocol/messages.ts'
import { REASONS } from '../protocol/signedOutReasons.ts'
import { signInText, userText } from '../protocol/userText.ts'
import { expiredScreens, type Say, signInPages } from '../provider/context.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import type { AuthState } from '../session/state.ts'
import type { ToastRequest } from './toast.ts'
import { toastQueue } from './toastQueue.ts'

const IDLE = 'latchkey idle'
const ENDING = 'latchkey ending'
const ENDED = 'latchkey ended'
const OFFLINE = 'latchkey offline'
const LINK = 'latchkey link'

/** The last shown state, so that a remounted toaster does not repeat its notice. */
const lastSeen = new WeakMap<Auth, AuthState>()
/** Whose countdown to the session's end the user has closed. */
const closedEndings = new WeakSet<Auth>()

/** The user who has begun a mutation. */
const begunBy = new WeakMap<Mutation, string>()

/** Shows the notices of an auth object; returns the function that stops. `hasButton`: that of a session's end may have one. */
export function showNotices(auth: Auth, say: Say, hasButton: boolean): () => void {
  const session = internalsOf(auth)
  let seen = lastSeen.get(auth)

  /** The last minute: shown at once, above all others. */
  const countDown = (id: string, remainingMs: number, request: Omit<ToastRequest, 'id' | 'kind'>) => {
    const leftPart = remainingMs / IDLE_WARNING_MS
    if (isLastMinute(remainingMs))
      toastQueue.add({ ...request, id, kind: 'info', urgency: 0, durationMs: Infinity, leftPart })
    else toastQueue.close(id)
  }
  const showIdle = (state: AuthState) => {
    const { remainingMs = 0, stayActive } = (state.status === 'authenticated' && session.idle()) || {}
    const seconds = Math.ceil(remainingMs / 1000)
    countDown(IDLE, remainingMs, {
      text: say('idleCountdown', { seconds }),
      // A user who closes the countdown is not idle.
      ...(stayActive && { action: { label: say('idleStay'), onClick: stayActive }, onClose: stayActive }),
    })
  }
  /** The provider ends the session: there is no way to stay. */
  const showEnding = (state: AuthState) => {
    const endsAtMs = state.status === 'authenticated' ? state.sessionEndsAtMs : undefined
    const remainingMs = (endsAtMs ?? 0) - session.platform.now()
    if (!isLastMinute(remainingMs)) closedEndings.delete(auth)
    countDown(ENDING, closedEndings.has(auth) ? 0 : remainingMs, {
      text: say('sessionEnding', { seconds: Math.ceil(remainingMs / 1000) }),
      onClose() {
        closedEndings.add(auth)
        toastQueue.close(ENDING)
      },
    })
  }
  const showOffline = (state: AuthState) => {
    if (state.isOnline === (seen?.isOnline ?? true)) return
    if (state.isOnline) {
      toastQueue.close(OFFLINE)
      toastQueue.add({ id: `${OFFLINE} no more`, kind: 'success', text: say('backOnline') })
    } else
      toastQueue.add({ id: OFFLINE, kind: 'info', urgency: 1, text: say('offline'), durationMs: Infinity })
  }
  const showEnd = (state: AuthState) => {
    if (state.status !== 'unauthenticated' || seen?.status === 'unauthenticated') return
    const end = endOf(state, seen?.status === 'authenticated')
    const isSaid = signInPages.has(auth) && end === REASONS[state.reason].gateText
    // The gate's own screen, or a dialog over the page, already shows the reason.
    if (!end || isSaid || (end === 'sessionEnded' && expiredScreens.has(auth))) return
    const { browser, time } = whenAndWhere(state.cause?.body, session.platform.now())
    toastQueue.add({
      id: ENDED,
      kind: 'info',
      urgency: 1,
      text: say(end, { browser, time }),
      durationMs: Infinity,
      // `<Authenticated>` already shows a sign-in button.
      ...(hasButton &&
        !signInPages.has(auth) && {
          action: { label: say(end === 'sessionClash' ? 'signInHere' : 'signIn'), onClick: signIn },
        }),
    })
    // Also while no toaster is mounted: a page of the app for signed-out users may have none.
    const stopFollowing = auth.subscribe(() => {
      if (auth.getState().status === 'unauthenticated') return
      stopFollowing()
      toastQueue.close(ENDED)
    })
  }
  const signIn = () => {
    auth.login().catch((error: unknown) => toastQueue.add({ kind: 'error', text: signInText(error, say) }))
  }
  const look = () => {
    const state = auth.getState()
    if (state !== seen) {
      // The next user must not see the toasts of the previous one.
      if (seen?.status === 'authenticated' && !isSameUser(seen, state)) toastQueue.clear()
      showEnd(state)
      showOffline(state)
      seen = state
      lastSeen.set(auth, state)
    }
    showIdle(state)
    showEnding(state)
    if (session.takeOtherUsersLink()) toastQueue.add({ id: LINK, kind: 'info', text: say('otherUsersLink') })
  }

  look()
  const stop = auth.subscribe(look)
  return () => {
    stop()
    toastQueue.close(IDLE)
    toastQueue.close(ENDING)
  }
}

const isLastMinute = (remainingMs: number) => remainingMs > 0 && remainingMs <= IDLE_WARNING_MS

/** Returns browser and time of the other sign-in; with the date if it was more than 12 hours ago. */
function whenAndWhere(body: unknown, nowMs: number) {
  const { sinceMs = nowMs, agentId = '' } = parseClash(body) ?? {}
  const isOld = Math.abs(nowMs - sinceMs) > 12 * 3_600_000
  const clock = new Intl.DateTimeFormat(undefined, {
    timeStyle: 'short',
    ...(isOld && { dateStyle: 'medium' as const }),
  })
  return { browser: shortAgentName(agentId), time: clock.format(sinceMs) }
}

/** Returns the notice for the end of a session; none if the user signed out here, or was not signed in. */
function endOf(
  { reason, cause }: Extract<AuthState, { status: 'unauthenticated' }>,
  wasSignedIn: boolean,
): MessageName | undefined {
  if (cause?.code === 'identity-changed') return 'otherUser'
  const { notice, isOwed } = REASONS[reason]
  if (notice?.isForAll) return notice.name
  if (cause?.code === 'offline' && isOwed) return 'signedOutOffline'
  if (cause?.code === 'logout-failed') return 'logoutFailed'
  return wasSignedIn ? notice?.name : undefined
}

function isSameUser(before: Extract<AuthState, { status: 'authenticated' }>, after: AuthState): boolean {
  return after.status === 'authenticated' && identityOf(before.user) === identityOf(after.user)
}

/** Shows a toast for each failed mutation that asks for one; returns the function that stops. `meta.notify`: `true`, or a text. */
export function showFailedMutations(client: QueryClient, auth: Auth | undefined, say: Say): () => void {
  const who = () => {
    const state = auth?.getState()
    return state?.status === 'authenticated' ? identityOf(state.user) : ''
  }
  return client.getMutationCache().subscribe(({ type, mutation: found }) => {
    const mutation = found as Mutation | undefined
    const notify = mutation?.meta?.['notify']
    if (!mutation || (notify !== true && typeof notify !== 'string')) return
    const { status, error } = mutation.state
    if (status === 'pending' && !begunBy.has(mutation)) begunBy.set(mutation, who())
    if (type !== 'updated' || status !== 'error') return
    // The next user must not see the failures of the previous one.
    if ((begunBy.get(mutation) ?? who()) === who())
      toastQueue.add({ kind: 'error', text: notify === true ? userText(error, say) : notify })
    begunBy.delete(mutation)
  })
}
