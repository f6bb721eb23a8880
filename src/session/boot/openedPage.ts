// Reads the state as the page opens, once, and makes the steps of start-up from it.
import { CODE_LIFETIME_MS } from '../../base/constants.ts'
import { loginRequired } from '../../base/errors.ts'
import { memberOf } from '../../base/json.ts'
import { hasAnswer } from '../../protocol/address.ts'
import type { Granted } from '../../protocol/credentials.ts'
import type { CountingSession } from '../../protocol/storedSession.ts'
import { type Attempt, type AuthorizationAnswer, isInstant } from '../../protocol/signIn.ts'
import { codeLock } from '../../protocol/storageKeys.ts'
import { isOpen } from '../../protocol/tabRecords.ts'
import { notAuthenticated } from '../../base/sessionErrors.ts'
import type { Context } from '../context.ts'
import { untilSeen } from '../signedIn/lifecycle.ts'
import type { Logout } from '../signedIn/logout.ts'
import type { Feature } from '../feature.ts'
import type { Flow } from '../http/reachability.ts'
import type { SignInWay } from '../sessionEvent.ts'
import type { Session } from '../signedIn/session.ts'
import { joinSession } from '../tabs/joining.ts'
import type { OtherTabs } from '../tabs/otherTabs.ts'
import { takeCallback } from '../signIn/callback.ts'
import { loadLater, withLater } from '../laterFile.ts'

export interface OpenedPageParts {
  session: Pick<Session, 'signal' | 'send' | 'logIn'>
  /** The session that the page before in this tab has left. */
  betweenPages: {
    arrive(isWanted: boolean, counting: CountingSession | undefined): () => Promise<Granted | undefined>
  }
  otherTabs: Pick<OtherTabs, 'open'>
  logout: Pick<Logout, 'settlePending'>
  features: readonly Feature[]
}

export type OpenedPage = Readonly<ReturnType<typeof openPage>>

export function openPage(
  context: Context,
  { session, otherTabs, betweenPages, logout, features }: OpenedPageParts,
  { page, isNewPage, isOvertaken }: { page: AbortSignal; isNewPage: boolean; isOvertaken(): boolean },
) {
  const { platform, settings, server, caches, tabRecords, marker, record, pendingLogout, tokenEndpoint } =
    context
  const { autoLogin } = settings
  const disposed = context.disposal()
  /** Begins a session. @throws AuthError `not-authenticated` after a click or `dispose()` */
  const enter = async (granted: Granted, via: SignInWay): Promise<void> => {
    disposed.throwIfAborted()
    if (isOvertaken()) {
      if (via !== 'tab') context.revoke(granted)
      throw notAuthenticated()
    }
    await session.send({ type: 'granted', granted, via })
  }
  const hadSession = marker.isThere()
  const counting = record.now()
  const tab = tabRecords.read()
  const isOver = record.watch(counting)
  let isCopy = false
  let left: Granted | undefined
  const callback = takeCallback(context, features, isNewPage, { tab, counting })
  // When a session expires in another tab, only the marker is removed.
  const isWanted = hadSession && callback?.type !== 'answer' && callback?.type !== 'logout'
  const takeLeft = betweenPages.arrive(isWanted, counting)
  const flow = context.reachability.begin()
  // A server sent the browser back: with the response to our own request, or with an unexpected one.
  const isAnswered = callback ?? hasAnswer(platform.address())
  const openedBy = isNewPage && !isAnswered && platform.isOpenedByUser(settings.authHost)
  if (openedBy) {
    // Earlier redirects were no loop.
    if (tab.navigations.length > 0) tabRecords.change({ navigations: [] })
  }
  // Not if the user typed an address or reloaded: they have left the sign-in page.
  else if (!callback && Object.values(tab.attempts).some((one) => isOpen(one, platform.now())))
    void withLater(platform, ({ tellNotBack }) => tellNotBack(platform))

  return {
    autoLogin,
    timeline: context.timeline,
    /** The response to our own request, taken from the URL. */
    callback,
    /** Resolves to the error of a response without a usable code. @throws AuthError when the server's metadata cannot be loaded */
    async refusal(answer: AuthorizationAnswer) {
      const refusal = await (await server.get(true)).answerError(answer, { isSilent: false })
      // After a refused step-up, the session continues in its organization.
      if (refusal && memberOf(callback, 'stepUp') === undefined) tabRecords.keepSwitched(undefined)
      return refusal
    },
    async exchange(
      { code, state, further }: AuthorizationAnswer,
      attempt: Attempt,
      stepUp: unknown,
    ): Promise<void> {
      // The sign-in page found a session that the frame had not.
      const isFound = hadSession && !stepUp && isInstant(attempt, platform.now())
      await caches.show('exchange code', async () => {
        // A duplicated tab, or another auth object of the page, has the same code; only the first sends it.
        if (!code || !(await platform.takeLock(codeLock(settings, state), CODE_LIFETIME_MS))) {
          isCopy = true
          throw loginRequired()
        }
        const granted = await tokenEndpoint.exchange(code, attempt, page)
        if (stepUp) (await loadLater(platform)).validateReturn(granted, stepUp, context)
        granted.answer = further
        await enter(granted, 'redirect')
        if (server.known()?.organization?.scope)
          void withLater(platform, (file) => file.keepOrganization(context))
      })
      // After an automatic redirect frames stay off: the next page load would wait for one in vain.
      if (!attempt.isAutomatic) tabRecords.allowSilentSignIn()
      if (isFound) void withLater(platform, (file) => file.learnOfFrames(context, tab.silentSignIn))
    },
    async honourPendingLogout() {
      // It counted as the page opened: no logout is pending. A later one is noticed when the session begins.
      left = await takeLeft()
      return left ? undefined : logout.settlePending(flow)
    },
    /** Finds a session in another tab or at the server, and begins it. */
    findSession: (): Promise<void> =>
      caches.show('verify session', async () => {
        const found = left
        left = undefined
        if (found) return enter(found, 'tab')
        return joinSession(context, otherTabs, page, { isCopy, isOver, enter })
      }),
    /** The browser is back from the logout page. */
    settlePendingLogout() {
      // A provider may let the user decline; a server of the contract obeys `force`.
      const mayAsk = settings.server.authHost === undefined
      pendingLogout.settle(mayAsk)
      const confirm = async () => (await tokenEndpoint.isSignedOut(page)) && pendingLogout.settle()
      if (mayAsk) confirm().catch(() => {})
    },
    /** Without a flow, checks again that the server can be reached. */
    login: (known: Flow | undefined) => session.logIn({ isAutomatic: true, flow: known }),
    features,
    flow,
    /** The user has clicked meanwhile: sign-in or sign-out. */
    isOvertaken: () => page.aborted || isOvertaken(),
    hadSession,
    /** The user came back, by the back button, from an automatic redirect of this tab to the sign-in page. */
    hasTurnedBack: openedBy === 'back' && tabRecords.hasLeftByItself(platform.now()),
    whenSeen: () => untilSeen(platform, page),
    /** Without a sign of a session, the sign-in page finds one as well as a frame does. */
    isFirstVisit:
      !hadSession &&
      !isAnswered &&
      autoLogin &&
      !settings.verifyFirstVisit &&
      !settings.initToken &&
      // `latchkey/early` has opened a frame already, while the app's files were loading.
      !platform.early?.frame &&
      // A tab with an attempt is back, even if a service worker dropped the response. Leaving again would loop.
      Object.keys(tabRecords.read().attempts).length === 0,
  }
}
