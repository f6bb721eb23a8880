// The password: changed in a popup or on the server's page.
import { useChangePassword } from 'latchkey'
import { PopupNotice } from '../cloud/PopupNotice.tsx'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import '../cloud/cloud.css'

export function Security() {
  return (
    <>
      <PageHead title="Security" about="Your password." />
      <div className="screen-columns">
        <PasswordCard />
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
