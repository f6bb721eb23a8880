// Shows an access token of the cloud provider when it is asked for, and forgets it as soon as it is hidden.
import { useCloudAccessToken, useUser } from 'latchkey'
import { useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Field, Form } from '../parts/Form.tsx'
import { CopyButton } from '../parts/LongId.tsx'
import { Notice } from '../parts/Notice.tsx'
import { isAdministrator } from '../person.ts'

export function TokenCard() {
  const user = useUser()
  const [accountId, setAccountId] = useState('')
  const [shown, setShown] = useState<{ id: string; round: number }>()
  return (
    <Card
      title="Access token"
      about="For calls to the cloud provider. It is read when you ask for it and kept nowhere."
    >
      <Form onSubmit={() => setShown({ id: accountId.trim(), round: (shown?.round ?? 0) + 1 })}>
        {isAdministrator(user) && (
          <Field
            label="Account"
            hint="Empty for your own; administrators may name any account of the link map"
            value={accountId}
            placeholder="cumulus-0004"
            onChange={(event) => setAccountId(event.target.value)}
          />
        )}
        {shown && <Token key={shown.round} id={shown.id} />}
        <div className="actions">
          <Button type="submit">{shown ? 'Read it again' : 'Show the token'}</Button>
          {shown && <Button onClick={() => setShown(undefined)}>Hide it</Button>}
        </div>
      </Form>
    </Card>
  )
}

function Token({ id }: { id: string }) {
  const {
    data: token,
    error,
    isFetching,
  } = useCloudAccessToken(id || undefined, {
    refetchOnWindowFocus: false,
  })
  if (error) {
    if (error.status !== 404) return <ErrorNotice error={error} title="The token could not be read" />
    return <Notice title={id === '' ? 'No cloud account is linked' : 'There is no such cloud account'} />
  }
  return (
    <div className="secret" role="status" aria-busy={isFetching} aria-label="Access token">
      <code>{token ? token.reveal() : 'Reading…'}</code>
      {token && <CopyButton label="Copy the token" text={token.reveal()} />}
    </div>
  )
}
