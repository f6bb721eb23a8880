// The screen of the session stories: everything that an app can show of a session, in an app's own code.
import { useAccessTokenExpiry, useAuth, useLogin, useLogout, useRenew } from 'latchkey'
import type { ReactNode } from 'react'
import { Brand } from '../demo/app/parts/Brand.tsx'
import { Facts } from '../demo/app/parts/Facts.tsx'

const WHY: Readonly<Record<string, string>> = {
  none: 'You are not signed in.',
  'signed-out': 'You signed out.',
  idle: 'You were signed out, because nothing had happened for a while.',
  'session-clash': 'You were signed out here, because you signed in with another browser.',
  expired: 'Your session has ended.',
  cancelled: 'You cancelled the sign-in.',
}

/** The signed-in user, the reason for being signed out, the redirect in progress, or the error. */
export function SessionScreen(): ReactNode {
  const session = useAuth()
  return (
    <main className="card gate-card">
      <Brand />
      <h1>Your session</h1>
      {!session.isOnline && (
        <p className="notice" role="status">
          You are offline. What you see may be old.
        </p>
      )}
      {session.isTokenExpired && (
        <p className="notice" role="status">
          The server cannot be reached. What you see and type here stays.
        </p>
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
          <div className="actions">
            <button type="button" className="button button-primary" onClick={session.retry}>
              Try again
            </button>
          </div>
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
        <p className="notice" role="status">
          You are {impersonatorId}, working as {userId}.
        </p>
      )}
      <Facts
        facts={[
          ['User', userId],
          ['Firm', firmId],
          ['Session', String(sessionId)],
          [
            'Token expires at',
            expiresAtMs === undefined ? 'unknown' : new Date(expiresAtMs).toISOString().slice(11, 19),
          ],
          ['Real time', session.realtime],
        ]}
      />
      {renew.error && <Fault message={renew.error.message} remedy={renew.error.remedy} />}
      {logout.error && <Fault message={logout.error.message} remedy={logout.error.remedy} />}
      <div className="actions">
        <button
          type="button"
          className="button button-primary"
          disabled={renew.isPending}
          onClick={() => renew.mutate({ force: true })}
        >
          {renew.isPending ? 'Renewing' : 'Renew now'}
        </button>
        <button type="button" className="button" onClick={() => logout.mutate()}>
          Sign out
        </button>
      </div>
    </>
  )
}

function SignIn() {
  const { mutate, error } = useLogin()
  return (
    <>
      {error && <Fault message={error.message} remedy={error.remedy} />}
      <div className="actions">
        <button type="button" className="button button-primary" onClick={() => mutate()}>
          Sign in
        </button>
      </div>
    </>
  )
}

function Fault({ message, remedy }: { message: string; remedy: string | undefined }) {
  return (
    <p className="notice" role="alert">
      <span>
        <strong>{message}.</strong> {remedy}
      </span>
    </p>
  )
}
