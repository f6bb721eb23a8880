// Both ends of a sign-in popup: the page that waits, and the popup that passes on the response; loads later.
import { AuthError } from '../../../base/errors.ts'
import { memberOf, recordOf } from '../../../base/json.ts'
import { furtherParameters } from '../../../protocol/address.ts'
import { asAuthError, type Attempt, type AuthorizationAnswer } from '../../../protocol/signIn.ts'
import { popupBlocked, popupClosed, popupCutOff, popupTimeout } from '../../../base/popupErrors.ts'
import { logoutFailed, notAuthenticated } from '../../../base/sessionErrors.ts'
import type { Context } from '../../context.ts'
import { tellBrowserOpener } from '../../platform/browserLater.ts'
import type { OpenedPopup } from '../../platform/browserPopup.ts'
import type { SendEvent } from '../../sessionEvent.ts'
import { endWith } from '../../signedIn/lifecycle.ts'
import { isExpired } from '../../state.ts'
import { watchWindow } from '../watchWindow.ts'
import { type BegunAttempt, type SignInRequest, strengthOf } from '../../signIn/signInRequest.ts'
import { validateOrRevoke, validateStrength, withRefreshToken } from '../stepUp.ts'

/** A sign-in in a popup, from the click on. */
export interface SignInPopup {
  /** Of the popup and its channel. */
  readonly name: string
  /** `undefined`: blocked. A step-up reuses the popup of the sign-in that it replaces. */
  readonly opened: OpenedPopup | undefined
  readonly request: SignInRequest
  /** Makes the attempt and its URL. */
  begin(): Promise<BegunAttempt>
  /** Receives the messages of the popup. */
  receive?(data: unknown): void
  /** Aborted when another sign-in replaces it: waiting callers then get `popup-closed`. A popup that only seemed closed may respond until then. */
  readonly replaced: AbortSignal
  /** Aborted by `dispose()` since the click. */
  readonly disposal: AbortSignal
}

const STEP = 'sign in in a window'

/** In the popup: passes the response to the waiting page, by the channel if the popup is cut off from its opener. */
export function handOver(
  { platform, settings }: Pick<Context, 'platform' | 'settings'>,
  name: string,
  address: string,
): void {
  if (!settings.server.readAnswer(address)) return
  const message = { type: 'signInAnswer', address }
  const tellOpener = platform.tellOpener ?? tellBrowserOpener
  tellOpener(message)
  const channel = platform.tabs().openChannel?.(name, () => {})
  channel?.post(message)
  channel?.close()
}

/** In the page: resolves when a user is signed in. The verifier stays in this page's memory: the code is useless to other pages. */
export function signInByPopup(context: Context, send: SendEvent, popup: SignInPopup): Promise<void> {
  const { platform, settings, store, timeline, server, tokenEndpoint, record, tabRecords } = context
  const { name, opened, replaced, disposal } = popup
  const { check } = popup.request
  return new Promise<void>((resolve, reject) => {
    let isSettled = false
    timeline.record(STEP, 'started')
    if (!opened) return fail(popupBlocked())
    if (disposal.aborted) return fail(disposal.reason as Error)
    if (replaced.aborted) return fail(popupClosed())
    let begun: BegunAttempt | undefined
    let isSignedIn = store.state.status === 'authenticated'
    /** Aborted when no message of the popup counts any more. */
    const over = new AbortController()
    const { signal } = over
    disposal.addEventListener('abort', () => end(disposal.reason as Error), { signal })
    replaced.addEventListener('abort', () => (isSettled ? over.abort() : end(popupClosed())))
    const channel = platform.tabs().openChannel?.(name, receive)
    endWith(signal, [store.subscribe(watch), () => channel?.close()])
    popup.receive = receive
    watchWindow({
      platform,
      popup: opened,
      signal,
      onClosed() {
        // Closed before it left its blank page.
        if (!begun) return end(popupClosed())
        // If it is only cut off, its response counts until the limit.
        fail(opened.port.isPageInFrame ? popupCutOff() : popupClosed())
      },
      onLate: () => end(popupTimeout()),
    })
    if (!signal.aborted) watch()
    if (signal.aborted) return
    popup.begin().then((made) => {
      if (signal.aborted) return
      begun = made
      tabRecords.keepTrace(made.state, { ...made.attempt, returnTo: undefined })
      opened.navigate(made.address)
    }, end)

    function fail(error: Error) {
      isSettled = true
      timeline.record(STEP, 'failed', error instanceof AuthError ? error : undefined)
      reject(error)
    }
    function end(error: Error) {
      over.abort()
      fail(error)
    }
    function succeed(why?: string) {
      isSettled = true
      timeline.record(STEP, 'done', why)
      resolve()
    }
    /** Only a response to this tab counts, from any sender, and only once. */
    function receive(message: unknown) {
      const address = memberOf(message, 'address')
      const found = typeof address === 'string' ? settings.server.readAnswer(address) : undefined
      if (signal.aborted || !begun || !found) return
      const answer = { ...found, further: furtherParameters(address as string) }
      const isOwn = answer.state === begun.state
      // A response to an earlier request of this tab (frame, popup or page): some servers respond to the first one they saw.
      const abandoned = recordOf(tabRecords.read().attempts[answer.state])
      if (!isOwn && abandoned['authHost'] !== settings.authHost) return
      tabRecords.takeAttempt(answer.state)
      const attempt = isOwn ? begun.attempt : undefined
      over.abort()
      context.caches
        .show(isOwn ? 'exchange code' : 'verify session', () => redeem(answer, attempt))
        .then(() => succeed(isOwn ? undefined : 'the answer was to an earlier request'), fail)
    }
    async function redeem(answer: AuthorizationAnswer, attempt: Attempt | undefined) {
      const refusal = await (await server.get()).answerError(answer, { isSilent: false })
      // Signed out: later sign-ins do not ask for that organization any more.
      if (refusal && !context.tokens.current) tabRecords.keepSwitched(undefined)
      if (refusal) throw refusal
      // A silent check could find the session that a logout was to end.
      if (!attempt && popup.request.isFresh) throw logoutFailed(undefined)
      const hasEnded = record.watch()
      const granted = attempt
        ? await tokenEndpoint.exchange(answer.code!, attempt, disposal)
        : // The code of an abandoned attempt is not sent: a silent check shows whether the user has signed in.
          withRefreshToken(
            await tokenEndpoint.askFrame(context.page(), true),
            check ? context.tokens.current : undefined,
          )
      disposal.throwIfAborted()
      // Signed out during the exchange: discard these tokens.
      validateOrRevoke(granted, context, () => {
        if (hasEnded(granted) || store.state.status === 'redirecting') throw popupClosed()
        const strength = strengthOf(popup.request)
        if (check) check(granted)
        else if (strength) validateStrength(granted, strength, context)
      })
      granted.answer = answer.further
      await send({ type: 'granted', granted, via: 'popup' })
    }
    function watch() {
      const { state } = store
      const { status } = state
      const isNew = status === 'authenticated' && !isSignedIn
      isSignedIn = status === 'authenticated'
      // The page itself leaves: no caller waits for the popup any more.
      if (status === 'redirecting') end(popupClosed())
      else if (check) {
        // A logout or another sign-in ends a step-up. A user who was signed out by time alone is back with the response.
        if (isNew || (status === 'unauthenticated' && !isExpired(state))) end(notAuthenticated())
      } else if (isNew) {
        over.abort()
        succeed('in another tab')
      }
    }
  }).catch((error: unknown) => {
    throw asAuthError(error)
  })
}
