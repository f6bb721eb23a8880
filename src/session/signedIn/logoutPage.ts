// Leaves for the server's logout page, now or as soon as the server is there; settles a logout that is owed when a page opens. Loads when one begins or is owed.
import { AuthError } from '../../base/errors.ts'
import type { Credentials, Granted } from '../../protocol/credentials.ts'
import { readJwt } from '../../protocol/claims.ts'
import { asAuthError, failureOf } from '../../protocol/signIn.ts'
import type { SignedOutReason } from '../../protocol/signedOutReasons.ts'
import type { OwedLogout } from '../../protocol/storedSession.ts'
import { logoutFailed, sessionKept } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import type { Flow } from '../http/reachability.ts'
import { submitBrowserForm } from '../platform/browserLater.ts'
import type { ReasonedDeparture } from '../sessionEvent.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'

/** A logout on its way to the server. */
export interface Leaving {
  readonly departure: ReasonedDeparture
  /** What the session held that is being ended. */
  readonly credentials?: Credentials | undefined
  /** When it began. Absent: as it is stored. */
  readonly atMs?: number | undefined
}

/** Leaves with a form; by the address where the page's policy allows none. */
export type Submit = (url: string, form: Readonly<Record<string, string>>, address: string) => void

/** What of it is there from the beginning. */
interface Logout {
  go(leaving: Leaving, submit: Submit): void
  owe(leaving: Leaving): void
  stopWaiting(): AbortSignal
}

/** Revokes the tokens that outlive the logout page, or all where it is out of reach: 9 s at most. Resolves with what leaves. */
export async function prepareLogout(
  context: Context,
  logout: Logout,
  leaving: Leaving & { flow: Flow },
): Promise<() => void> {
  await revoke(context, leaving.credentials)
  const away = await failureOf(leaving.flow.check())
  if (away) await revoke(context, leaving.credentials, false)
  return () => leave(context, logout, leaving, away)
}

async function revoke(
  { server }: Pick<Context, 'server'>,
  credentials: Credentials | undefined,
  isPageNext = true,
): Promise<void> {
  if (credentials)
    await server
      .known()
      ?.revoke?.(credentials, isPageNext)
      .catch(() => {})
}

/** Where the server is away, as soon as it is there: the browser would show its own error page. */
function leave(context: Context, logout: Logout, leaving: Leaving, cause: AuthError | undefined): void {
  const { reason, environmentUrl } = leaving.departure
  if (!cause) {
    context.timeline.record('log out', 'started', reason)
    return go(context, logout, leaving)
  }
  logout.owe(leaving)
  context.store.change({ type: 'absent', reason, cause })
  if (environmentUrl === undefined) tellWhenThere(context, logout, leaving)
  else whenThere(context, logout, () => go(context, logout, leaving))
}

function go({ platform }: Context, logout: Logout, leaving: Leaving): void {
  const { submitForm = submitBrowserForm } = platform
  logout.go(leaving, (url, form, address) =>
    submitForm(url, form, () => {
      platform.warn(`Add ${new URL(url).origin} to form-action of the page's CSP`)
      platform.navigate(address)
    }),
  )
}

/** Goes to the logout page for an owed logout, with what names the session there. */
function tell(context: Context, logout: Logout, leaving: Leaving): void {
  context.store.change({ type: 'redirecting', to: 'logout' })
  context.timeline.record('owed logout', 'started', 'to the logout page')
  go(context, logout, leaving)
}

function tellWhenThere(context: Context, logout: Logout, leaving: Leaving): void {
  whenThere(context, logout, async () => {
    // The first time it could not be reached.
    await revoke(context, leaving.credentials)
    if (!isOver(context)) tell(context, logout, leaving)
  })
}

function whenThere(context: Context, logout: Logout, work: () => unknown): void {
  void context.reachability
    .untilThere(logout.stopWaiting(), () => !isOver(context))
    .then((isThere) => isThere && !isOver(context) && work())
}

/** Another page has been at the logout page meanwhile, or is on its way; or a user has signed in, or is about to. */
function isOver({ tokens, store, pendingLogout, page }: Context): boolean {
  const isToldElsewhere = pendingLogout.isSettled() || pendingLogout.read()?.isSent === true
  return isToldElsewhere || page().aborted || Boolean(tokens.current) || store.state.status === 'redirecting'
}

/** A server's machines do not agree to the second. */
const CLOCKS_APART_MS = 5_000

/** What became of a logout that was owed when the page opened. */
export interface PendingOutcome {
  reason: SignedOutReason
  is: 'redirecting' | 'away' | 'sent before'
  /** What the user has to know: why the server cannot be told now, or, once, that it has not confirmed the logout. */
  cause?: AuthError | undefined
}

/** Each pending logout visits the logout page once, so a server that never redirects back locks no user out. */
export async function settleOwedLogout(
  pending: OwedLogout,
  flow: Flow,
  context: Context,
  { logout, otherTabs }: { logout: Logout; otherTabs: Pick<OtherTabs, 'tellEnded'> },
): Promise<PendingOutcome | undefined> {
  const { platform, timeline, store, tabRecords, marker, pendingLogout, page, server, tokenEndpoint } =
    context
  const { reason, force, isSent } = pending
  const skip = (is: PendingOutcome['is'], why: string) => {
    timeline.record('owed logout', 'skipped', why)
    return { reason, is }
  }
  // The server may have its session still: by a redirect it would let the same user in again.
  const waitForUser = (why: string) => {
    const isSaid = pending.isSaid || pending.hasNoPage
    if (!isSaid) pendingLogout.keep({ ...pending, isSaid: true })
    return { ...skip('sent before', why), cause: isSaid ? undefined : logoutFailed(undefined) }
  }
  if (isSent) return waitForUser('the logout page was asked for before')
  // The page that began it may have been gone before its hooks had ended.
  marker.forget()
  otherTabs.tellEnded(reason, [])
  const cause = await failureOf(flow.check())
  // Another page has been at the logout page meanwhile.
  if (pendingLogout.isSettled()) return undefined
  if (cause) {
    tellWhenThere(context, logout, { departure: { reason, force } })
    const why = cause.code === 'offline' ? 'the browser is offline' : 'the server is away'
    return { ...skip('away', why), cause }
  }
  // The last provider has unmounted, or the user has clicked on the sign-in button meanwhile.
  const isLeft = () => page().aborted || store.state.status === 'redirecting'
  if (isLeft()) return { reason, is: 'redirecting' }
  // This page has no ID token of the session: the hidden frame gets one. Nobody is signed in by it.
  const found = (await server.get()).isLogoutHinted
    ? await tokenEndpoint.askFrame(page()).catch(asAuthError)
    : undefined
  if (pendingLogout.isSettled()) return undefined
  if (isLeft()) return { reason, is: 'redirecting' }
  const isGone = found instanceof AuthError && found.code === 'login-required' && tokenEndpoint.doFramesWork()
  const isOfNow = found && !(found instanceof AuthError) && isSignedInSince(found, pending, platform.now())
  if (isGone || isOfNow) {
    skip('sent before', isGone ? 'the server has no session any more' : 'the user has signed in there since')
    pendingLogout.settle()
    return undefined
  }
  if (!tabRecords.countNavigation(platform.now())) return waitForUser('too many navigations in a short time')
  tell(context, logout, {
    departure: { reason, force },
    credentials: found instanceof AuthError ? undefined : found,
  })
  return { reason, is: 'redirecting' }
}

/** How much older the credentials are than the logout; `NaN` where the server does not say. Each difference is of one clock, the server's or ours. */
function ageBeyondLogoutMs({ memory, accessToken }: Granted, { atMs }: OwedLogout, nowMs: number): number {
  const { iat, auth_time } = readJwt(memory['idToken'] ?? accessToken) ?? {}
  return (Number(iat) - Number(auth_time)) * 1000 - (nowMs - atMs)
}

const isSignedInSince = (granted: Granted, pending: OwedLogout, nowMs: number) =>
  ageBeyondLogoutMs(granted, pending, nowMs) < -CLOCKS_APART_MS

/**
 * A user came back from the sign-in page. If they gave their credentials before an unconfirmed logout, the server's session let them in:
 * the logout is owed again, and these tokens are revoked.
 *
 * @throws AuthError `logout-failed`, `session-kept`
 */
export function settleBySignIn(
  granted: Granted,
  pending: OwedLogout,
  context: Pick<Context, 'platform' | 'pendingLogout' | 'server'>,
): void {
  const { platform, pendingLogout } = context
  const nowMs = platform.now()
  const isOld = nowMs >= pending.atMs && ageBeyondLogoutMs(granted, pending, nowMs) > CLOCKS_APART_MS
  // A server without a logout page cannot be asked again: the user sees it, and decides.
  if (isOld && !pending.isTold) {
    void revoke(context, granted)
    const { hasNoPage } = pending
    pendingLogout.keep({ ...pending, isSent: hasNoPage === true, isTold: hasNoPage })
    throw hasNoPage ? sessionKept() : logoutFailed(undefined)
  }
  pendingLogout.settle()
}
