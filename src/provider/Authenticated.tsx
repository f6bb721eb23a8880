'use client'
// Shows its content to signed-in users alone, and keeps it mounted for as long as the same user is signed in (contract §2 "State").
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { AuthError } from '../errors.ts'
import { recordOf } from '../json.ts'
import { textOf } from '../protocol/messages.ts'
import { userText } from '../protocol/userText.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import type { AuthState, Status } from '../session/state.ts'
import { isBrowser } from '../session/platform/browserPlatform.ts'
import { useAuthObject } from './context.ts'
import { addSignInPage } from './signInPages.ts'

type SignedOut = Extract<Status, { status: 'unauthenticated' }>
type Failed = Pick<Extract<Status, { status: 'failed' }>, 'error' | 'retry' | 'retryAtMs'>

// Before the toaster, whose effects look at it, shows why the session ended. Servers know no layout.
const useBeforeToasts = isBrowser ? useLayoutEffect : useEffect

/** Props of `Authenticated`. */
export interface AuthenticatedProps {
  /** What is for signed-in users alone. */
  children?: ReactNode
  /** Shown until it is known who is signed in, and while the browser leaves the page. Default: nothing. */
  fallback?: ReactNode
  /** Shown to those who are not signed in. Default: a sentence and a button that signs in. */
  unauthenticated?: ReactNode | ((state: SignedOut, signIn: () => void) => ReactNode)
  /** Shown when start-up or a sign-in failed. Default: a sentence, when it is tried again, and a button. */
  failed?: ReactNode | ((failure: Failed) => ReactNode)
  /**
   * Leave for the sign-in page by itself when nobody is signed in, counted by the redirect-loop breaker. Never after a
   * logout or a sign-in that the user cancelled. Default false: nothing leaves the page without a click.
   */
  login?: boolean | undefined
}

/**
 * Gates its children: they mount when a user is signed in, stay mounted through renewals, offline times and other tabs'
 * work, and go, before anything is painted, when the session has ended or another user signed in. That holds for a page
 * that comes back from the back/forward cache too.
 *
 * @throws AuthError `no-provider`
 * @example
 * <Authenticated fallback={<Splash />}>
 *   <Firms />
 * </Authenticated>
 */
export function Authenticated(props: AuthenticatedProps): ReactNode {
  const { children, fallback = null, unauthenticated, failed, login = false } = props
  const auth = useAuthObject()
  const state = useSyncExternalStore(auth.subscribe, auth.getState, auth.getState)
  const [failure, setFailure] = useState<{ of: AuthState; error: AuthError }>()
  const isSignedOut = state.status === 'unauthenticated'
  const mayLeave = login && isSignedOut && state.isOnline && /^(none|expired)$/.test(state.reason)
  const fail = (error: unknown) => {
    if (error instanceof AuthError) setFailure({ of: state, error })
  }
  const signIn = () => void auth.login().catch(fail)

  const isOursSignedOut = unauthenticated === undefined || unauthenticated === null
  useBeforeToasts(() => (isOursSignedOut ? addSignInPage(auth) : undefined), [auth, isOursSignedOut])

  useEffect(() => {
    if (!mayLeave) return
    // Counted, like start-up's own sign-in; gates that ask at the same time share one.
    const asking = internalsOf(auth).loginByItself()
    asking.catch((error: unknown) => setFailure({ of: state, error: error as AuthError }))
  }, [auth, mayLeave, state])

  if (state.status === 'authenticated') {
    const { userId, firmId, impersonatorId } = state.user
    // Another user's screens are other screens.
    return <Fragment key={JSON.stringify([userId, firmId, impersonatorId])}>{children}</Fragment>
  }
  if (state.status === 'failed') return show(state)
  if (failure?.of === state) return show({ error: failure.error, retry: signIn })
  if (!isSignedOut || mayLeave) return fallback
  if (typeof unauthenticated === 'function') return unauthenticated(state, signIn)
  return (
    unauthenticated ?? (
      <Plain auth={auth} text="signedOut" said={refusalOf(state)} label="signIn" onClick={signIn} />
    )
  )

  function show({ error, retry, retryAtMs }: Failed): ReactNode {
    if (typeof failed === 'function') return failed({ error, retry, retryAtMs })
    return failed ?? <Plain auth={auth} text={error} retryAtMs={retryAtMs} label="tryAgain" onClick={retry} />
  }
}

interface PlainProps {
  auth: Auth
  text: 'signedOut' | AuthError
  /** What the server said when it refused the sign-in. */
  said?: string | undefined
  retryAtMs?: number | undefined
  label: 'signIn' | 'tryAgain'
  onClick(): void
}

function Plain({ auth, text, said, retryAtMs, label, onClick }: PlainProps): ReactNode {
  const { messages } = internalsOf(auth).settings
  const say = (name: Parameters<typeof textOf>[1]) => textOf(messages, name)
  return (
    <div role={text === 'signedOut' && said === undefined ? undefined : 'alert'}>
      <p>{text === 'signedOut' ? say(text) : userText(text, say)}</p>
      {said !== undefined && <p>{said}</p>}
      {retryAtMs !== undefined && <CountDown auth={auth} untilMs={retryAtMs} />}
      <button type="button" onClick={onClick}>
        {say(label)}
      </button>
    </div>
  )
}

/** When it is tried again, second by second; a screen reader says it when it is asked, not every second. */
function CountDown({ auth, untilMs }: { auth: Auth; untilMs: number }): ReactNode {
  const { settings, platform } = internalsOf(auth)
  const [nowMs, setNowMs] = useState(platform.now)
  useEffect(() => {
    let cancel = () => {}
    const tick = () => {
      const now = platform.now()
      setNowMs(now)
      // When the number changes; not at all once it is 0.
      if (now < untilMs) cancel = platform.setTimer(tick, (untilMs - now) % 1000 || 1000)
    }
    tick()
    return () => cancel()
  }, [platform, untilMs])
  const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1000))
  const text = textOf(settings.messages, 'tryingAgainIn', { seconds })
  return text === '' ? null : <p role="timer">{text}</p>
}

/** The server's own words for a refused sign-in, cleaned when they came. */
function refusalOf(state: AuthState): string | undefined {
  if (state.status !== 'unauthenticated' || state.reason !== 'cancelled') return undefined
  const { error_description: said } = recordOf(state.cause?.body)
  return typeof said === 'string' ? said : undefined
}
