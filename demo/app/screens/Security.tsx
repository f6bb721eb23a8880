// The password and the session: changed in a popup or on the server's page, and what this browser is signed in with.
import { useAccessTokenExpiry, useChangePassword, useLogout, useUser } from 'latchkey'
import { appConfig } from 'virtual:app-config'
import { serverHas } from '../auth.ts'
import { Nothing } from '../cloud/Nothing.tsx'
import { PopupNotice } from '../cloud/PopupNotice.tsx'
import { atWork } from '../parts/atWork.ts'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Facts } from '../parts/Facts.tsx'
import { LongId } from '../parts/LongId.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { dayAndTime } from '../words.ts'
import '../cloud/cloud.css'

export function Security() {
  return (
    <>
      <PageHead title="Security" about="Your password, and the session in this browser." />
      <div className="screen-columns">
        {serverHas('changePassword') ? <PasswordCard /> : <PasswordElsewhere />}
        <SessionsCard />
      </div>
    </>
  )
}

function PasswordCard() {
  const change = useChangePassword()
  const isLeaving = change.variables?.how === 'navigation'
  const open = () => change.mutate({ how: 'popup' })
  return (
    <Card
      title="Password"
      about="It is changed on the pages of the authorization server; this app never sees it."
      actions={
        <>
          <button
            type="button"
            className="button button-primary"
            {...atWork(change.isPending)}
            onClick={open}
          >
            Change my password
          </button>
          <button
            type="button"
            className="button"
            {...atWork(change.isPending)}
            onClick={() => change.mutate({ how: 'navigation' })}
          >
            Change it on the server’s page
          </button>
        </>
      }
    >
      <p className="soft">
        In this demo everybody’s password is <code>demo-password</code> to begin with.
      </p>
      {!isLeaving && (
        <PopupNotice
          popup={change}
          done="Your password is changed"
          unchanged="You are done on the password page"
          onRetry={open}
        />
      )}
    </Card>
  )
}

function PasswordElsewhere() {
  return (
    <Card title="Password">
      <Nothing
        icon="security"
        title="This server does not have: Change of password"
        text="It is changed on the provider’s own pages."
      />
    </Card>
  )
}

function SessionsCard() {
  const user = useUser()
  const expiresAtMs = useAccessTokenExpiry()
  const logout = useLogout()
  return (
    <Card
      title="This session"
      about={
        appConfig.realtime
          ? 'One session per person: signing in elsewhere ends this one.'
          : 'All tabs of this browser share it.'
      }
      actions={
        <button
          type="button"
          className="button button-danger"
          {...atWork(logout.isPending)}
          onClick={() => logout.mutate()}
        >
          {logout.isPending ? 'Signing out…' : 'Sign out of this browser'}
        </button>
      }
    >
      <Facts
        facts={[
          ['User', <code key="user">{user.userId}</code>],
          [
            'Session',
            user.sessionId === undefined ? (
              'unknown'
            ) : (
              <LongId key="session" of="session" value={String(user.sessionId)} />
            ),
          ],
          ['Token until', dayAndTime(expiresAtMs)],
          ...(user.impersonatorId === undefined
            ? []
            : ([['Acted by', <code key="impersonator">{user.impersonatorId}</code>]] as const)),
        ]}
      />
      {logout.error && <ErrorNotice error={logout.error} />}
    </Card>
  )
}
