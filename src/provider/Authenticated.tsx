'use client'
// Shows its content only to signed-in users, and keeps it mounted while the same user is signed in.
import { type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { AuthError } from '../base/errors.ts'
import { recordOf } from '../base/json.ts'
import { isAllowed, type User } from '../protocol/claims.ts'
import { serversWords } from '../protocol/httpError.ts'
import { identityOf } from '../protocol/identity.ts'
import type { MessageName } from '../protocol/messages.ts'
import { REASONS } from '../protocol/signedOutReasons.ts'
import { signInText } from '../protocol/userText.ts'
import { holderOf } from '../queries/keys.ts'
import type { Auth } from '../session/auth.ts'
import { fetchLaterFile, internalsOf } from '../session/internals.ts'
import { loadLater } from '../session/laterFile.ts'
import type { WaitForUser } from '../session/signedIn/caches.ts'
import { type AuthState, isExpired, type Status } from '../session/state.ts'
import {
  addExpiredScreen,
  signInPages,
  useAuthObject,
  useBeforePaint,
  usePlatform,
  useSay,
  useStoreBeforePaint,
} from './context.ts'
import { type ForbiddenContent, GateContext, OwnScreen, showForbidden } from './forbidden.tsx'
import { Renewed, TreeContext } from './tree.tsx'

/** The time limit of a sign-in window. */
const CALLS_WAIT_IN_SECONDS = 600

type SignedOut = Extract<Status, { status: 'unauthenticated' }>
type Failed = Pick<Extract<Status, { status: 'failed' }>, 'error' | 'retry' | 'retryAtMs'>

/** Props of `Authenticated`. */
export interface AuthenticatedProps {
  /** Content for signed-in users. */
  children?: ReactNode
  /** Shown while the browser leaves the page, and during start-up below an `eager` provider. Default: nothing. */
  fallback?: ReactNode
  /** The app's name, above the text of latchkey's own screens and the dialog. Default: that of the gate around this one. */
  appName?: string | undefined
  /** The app's mark, such as an `<svg>`, before its name. Default: that of the gate around this one. */
  mark?: ReactNode
  /** Shown when signed out. Default: a sentence and a sign-in button. */
  unauthenticated?: ReactNode | ((state: SignedOut, signIn: () => void) => ReactNode)
  /**
   * Shown when start-up or a sign-in has failed. Default: a sentence, the time until the next attempt, a button, and for developers
   * the error's message, remedy and code.
   */
  failed?: ReactNode | ((failure: Failed) => ReactNode)
  /**
   * Redirect to the sign-in page automatically when signed out, within the limit for redirect loops. Never after a
   * logout or a cancelled sign-in. Default false: only a click leaves the page.
   */
  login?: boolean | undefined
  /**
   * Returns whether the user may see the content; only `true` counts. It hides components and protects no data: that is the
   * server's work. Default: every signed-in user.
   */
  allow?: ((user: User) => boolean) | undefined
  /**
   * Shown over the children when the user's session has expired, such as `<SignInAgainDialog />`. They stay mounted then, with
   * what was typed, until a user signs in: the same user continues, for another user they are remounted. Default: none.
   */
  expired?: ReactNode
  /**
   * How long calls of that user wait behind `expired` for the sign-in: then they go out, or reject when another user signs in.
   * Default 600; 0: they reject at once.
   */
  callsWaitInSeconds?: number | undefined
  /**
   * Shown to a signed-in user whom `allow` refuses, and by `useForbidden` below when a call of theirs was refused: only then
   * there is an `error`. Default: a sentence, and the server's words.
   */
  forbidden?: ForbiddenContent
}

/**
 * Shows its children only to a signed-in user. They stay mounted during renewals and while offline. They unmount before the
 * next paint when the session ends or another user signs in, also on a page restored from the back/forward cache.
 *
 * @throws AuthError `no-provider`
 * @example
 * <Authenticated fallback={<Splash />}>
 *   <Firms />
 * </Authenticated>
 */
export function Authenticated(props: AuthenticatedProps): ReactNode {
  // `holderOf` reads from the auth object; a compiler memo would miss its change.
  'use no memo'
  const {
    children,
    fallback = null,
    unauthenticated,
    failed,
    login = false,
    allow,
    forbidden,
    expired,
    callsWaitInSeconds = CALLS_WAIT_IN_SECONDS,
  } = props
  const around = useContext(GateContext)
  const { appName = around.appName, mark = around.mark } = props
  const auth = useAuthObject()
  const state = useStoreBeforePaint(
    auth.subscribe,
    auth.getState,
    internalsOf(auth)?.firstState ?? auth.getState,
  )
  const [failure, setFailure] = useState<{ of: AuthState; error: AuthError }>()
  /** The user whose content is shown. */
  const [shown, setShown] = useState<User>()
  const gate = useMemo(() => ({ forbidden, appName, mark, shown }), [forbidden, appName, mark, shown])
  const isSignedOut = state.status === 'unauthenticated'
  const holder = holderOf(auth)
  // Not for a user who signed in and out while this gate was hidden.
  const isKept = expired && holder && shown && identityOf(shown) === identityOf(holder)
  const mayLeave = login && isSignedOut && !isKept && REASONS[state.reason].mayReturn
  const fail = (error: unknown) => {
    if (error instanceof AuthError) setFailure({ of: state, error })
  }
  const signIn = () => void auth.login().catch(fail)

  const tree = useContext(TreeContext)
  const willBeKept = Boolean(expired && shown)
  // No layout effect: React ends those behind a Suspense fallback, and what waits there is kept too.
  useEffect(() => {
    const leaveTree = tree?.addGate()
    const leaveCaches = internalsOf(auth)?.caches.attach({ isKept: () => willBeKept })
    const removeWait = willBeKept && callsWaitInSeconds > 0 && addWait(auth, callsWaitInSeconds)
    // `expired` may be a `<SignInAgainDialog>`, whose click opens a window.
    if (willBeKept) fetchLaterFile(auth)
    return () => {
      leaveTree?.()
      leaveCaches?.()
      if (removeWait) removeWait()
    }
  }, [auth, tree, willBeKept, callsWaitInSeconds])

  const isOursSignedOut = unauthenticated === undefined || unauthenticated === null
  // The toaster reads it in its effects.
  useBeforePaint(() => (isOursSignedOut ? signInPages.add(auth) : undefined), [auth, isOursSignedOut])

  useEffect(() => {
    if (!mayLeave) return
    // Counted like the automatic sign-in of start-up. Several gates share one redirect.
    const asking = internalsOf(auth).loginByItself()
    asking.catch((error: unknown) => setFailure({ of: state, error: error as AuthError }))
  }, [auth, mayLeave, state])

  const hasExpired = Boolean(expired)
  useBeforePaint(() => (hasExpired ? addExpiredScreen(auth) : undefined), [auth, hasExpired])

  if (state.status === 'authenticated') {
    const { user } = state
    const mayEnter = isAllowed(allow, user)
    const key = identityOf(user)
    const next = mayEnter ? user : undefined
    if (expired && next !== shown) setShown(next)
    // A key per user: another user must not see the state of these components.
    return withKey(key + mayEnter, within(mayEnter ? children : showForbidden(forbidden, user)))
  }
  if (isKept) return withKey(identityOf(shown) + true, within(children), within(expired))
  if (state.status === 'failed') return show(state)
  if (failure?.of === state) return show({ error: failure.error, retry: signIn })
  if (!isSignedOut || mayLeave) return fallback
  if (typeof unauthenticated === 'function') return unauthenticated(state, signIn)
  return unauthenticated ?? within(<SignedOutScreen state={state} onClick={signIn} />)

  /** `useForbidden` below shows the same screen, with the app's name and mark. */
  function within(content: ReactNode): ReactNode {
    return <GateContext.Provider value={gate}>{content}</GateContext.Provider>
  }

  function show({ error, retry, retryAtMs }: Failed): ReactNode {
    if (typeof failed === 'function') return failed({ error, retry, retryAtMs })
    return failed ?? within(<FailedScreen error={error} retry={retry} retryAtMs={retryAtMs} />)
  }
}

/** From now on, calls of an expired session wait for its user. Returns the function for the gate's unmount. */
function addWait(auth: Auth, seconds: number): () => void {
  const internals = internalsOf(auth)
  const gates = (internals.caches.gates ??= new Set())
  const gate = { seconds }
  gates.add(gate)
  const wait: WaitForUser = async (calls) => {
    const longest = Math.max(0, ...[...gates].map((one) => one.seconds))
    const { untilBack } = await loadLater(internals.platform)
    await untilBack(auth, internals, longest * 1000, calls)
  }
  internals.caches.untilBack = () => (gates.size > 0 && isExpired(auth.getState()) ? wait : undefined)
  return () => void gates.delete(gate)
}

/** Always the same structure, so that showing `over` does not remount the content. */
const withKey = (key: string, content: ReactNode, over: ReactNode = null): ReactNode => (
  <>
    <Renewed of={key}>{content}</Renewed>
    {over}
  </>
)

/** Signed out: why, and the way in. */
function SignedOutScreen({ state, onClick }: { state: SignedOut; onClick(): void }): ReactNode {
  const say = useSay()
  const text = REASONS[state.reason].gateText
  const said = refusalOf(state)
  return (
    <OwnScreen isAlert={text !== 'notSignedIn'} title={say(text)}>
      {said !== undefined && <p role="alert">{said}</p>}
      <MainButton label="signIn" onClick={onClick} />
    </OwnScreen>
  )
}

function FailedScreen({ error, retry, retryAtMs }: Failed): ReactNode {
  const say = useSay()
  return (
    <OwnScreen isAlert title={say('signInFailed')}>
      <p className="latchkey-problem">{signInText(error, say)}</p>
      {retryAtMs !== undefined && <CountDown key={retryAtMs} untilMs={retryAtMs} />}
      <MainButton label="tryAgain" onClick={retry} />
      <details>
        <summary>{say('whatHappened')}</summary>
        {[error.message, error.remedy, serversWords(error, 'error_description')].map(
          (line) => line && <p key={line}>{line}</p>,
        )}
        <p>
          <code>{error.code}</code>
        </p>
      </details>
    </OwnScreen>
  )
}

function MainButton({ label, onClick }: { label: MessageName; onClick(): void }): ReactNode {
  const say = useSay()
  return (
    <button type="button" className="latchkey-button latchkey-main" onClick={onClick}>
      {say(label)}
    </button>
  )
}

/** Counts down to the next attempt. Screen readers read it on request, not every second. */
function CountDown({ untilMs }: { untilMs: number }): ReactNode {
  const platform = usePlatform()
  const say = useSay()
  const [nowMs, setNowMs] = useState(platform.now)
  const leftMs = Math.max(0, untilMs - nowMs)
  useEffect(() => {
    // Wake when the number changes; stop at 0.
    if (leftMs > 0) return platform.setTimer(() => setNowMs(platform.now()), leftMs % 1000 || 1000)
  }, [platform, leftMs])
  const seconds = Math.ceil(leftMs / 1000)
  const text = say('tryingAgainIn', { seconds })
  return text === '' ? null : <p role="timer">{text}</p>
}

/** Returns the server's description of a refused sign-in; it was cleaned when it arrived. */
function refusalOf({ reason, cause }: SignedOut): string | undefined {
  if (!REASONS[reason].showsRefusal) return undefined
  const { error_description: said } = recordOf(cause?.body)
  return typeof said === 'string' ? said : undefined
}
