// The password and the session: changed in a popup or on the server's page, and what this browser is signed in with.
import { useAccessTokenExpiry, useChangePassword, useLogout } from 'latchkey'
import { appConfig } from 'virtual:app-config'
import { serverHas } from '../auth.ts'
import { PopupNotice } from '../cloud/PopupNotice.tsx'
import { SessionFacts } from '../home/SessionFacts.tsx'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Nothing } from '../parts/Notice.tsx'
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
          <Button tone="primary" isBusy={change.isPending} onClick={open}>
            Change my password
          </Button>
          <Button isBusy={change.isPending} onClick={() => change.mutate({ how: 'navigation' })}>
            Change it on the server’s page
          </Button>
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
        <Button tone="danger" isBusy={logout.isPending} onClick={() => logout.mutate()}>
          {logout.isPending ? 'Signing out…' : 'Sign out of this browser'}
        </Button>
      }
    >
      <SessionFacts more={[['Token until', dayAndTime(expiresAtMs)]]} />
      {logout.error && <ErrorNotice error={logout.error} />}
    </Card>
  )
}
