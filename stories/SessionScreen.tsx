// The screen of the session stories: everything an app can show of a session, written as an app would write it.
import { useAccessTokenExpiry, useAuth, useLogin, useLogout, useRenew } from 'latchkey'
import type { ReactNode } from 'react'

const WHY: Readonly<Record<string, string>> = {
  none: 'You are not signed in.',
  'signed-out': 'You signed out.',
  idle: 'You were signed out, because nothing had happened for a while.',
  'session-clash': 'You were signed out here, because you signed in with another browser.',
  expired: 'Your session has ended.',
  cancelled: 'You cancelled the sign-in.',
}

/** Who is signed in, why not, where the page is going, or what went wrong. */
export function SessionScreen(): ReactNode {
  const session = useAuth()
  return (
    <main>
      <h1>Your session</h1>
      {!session.isOnline && <p role="status">You are offline. What you see may be old.</p>}
      {session.isTokenExpired && (
        <p role="status">The server cannot be reached. What you see and type here stays.</p>
      )}
      {session.status === 'authenticated' && <SignedIn />}
      {session.status === 'unauthenticated' && (
        <>
          <p>{WHY[session.reason]}</p>
          {session.cause && <Fault message={session.cause.message} remedy={session.cause.remedy} />}
          <SignIn />
        </>
      )}
      {session.status === 'redirecting' && <p role="status">One moment: on the way to {session.to}.</p>}
      {session.status === 'failed' && (
        <>
          <Fault message={session.error.message} remedy={session.error.remedy} />
          <button type="button" onClick={session.retry}>
            Try again
          </button>
        </>
      )}
    </main>
  )
}

function SignedIn() {
  const session = useAuth()
  const renew = useRenew()
  const logout = useLogout()
  const expiresAtMs = useAccessTokenExpiry()
  if (session.status !== 'authenticated') return null
  const { userId, firmId, sessionId, impersonatorId } = session.user
  return (
    <>
      {impersonatorId !== undefined && (
        <p role="status">
          You are {impersonatorId}, working as {userId}.
        </p>
      )}
      <dl>
        <dt>User</dt>
        <dd>{userId}</dd>
        <dt>Firm</dt>
        <dd>{firmId}</dd>
        <dt>Session</dt>
        <dd>{sessionId}</dd>
        <dt>Token expires at</dt>
        <dd>{expiresAtMs === undefined ? 'unknown' : new Date(expiresAtMs).toISOString().slice(11, 19)}</dd>
        <dt>Real time</dt>
        <dd>{session.realtime}</dd>
      </dl>
      {renew.error && <Fault message={renew.error.message} remedy={renew.error.remedy} />}
      {logout.error && <Fault message={logout.error.message} remedy={logout.error.remedy} />}
      <button type="button" disabled={renew.isPending} onClick={() => renew.mutate({ force: true })}>
        {renew.isPending ? 'Renewing' : 'Renew now'}
      </button>{' '}
      <button type="button" onClick={() => logout.mutate()}>
        Sign out
      </button>
    </>
  )
}

function SignIn() {
  const { mutate, error } = useLogin()
  return (
    <>
      {error && <Fault message={error.message} remedy={error.remedy} />}
      <button type="button" onClick={() => mutate()}>
        Sign in
      </button>
    </>
  )
}

function Fault({ message, remedy }: { message: string; remedy: string | undefined }) {
  return (
    <p role="alert">
      <strong>{message}.</strong> {remedy}
    </p>
  )
}
