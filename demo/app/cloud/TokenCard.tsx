// Shows an access token of the cloud provider when it is asked for, and forgets it as soon as it is hidden.
import { useCloudAccessToken } from 'latchkey'
import { useState } from 'react'
import { Button, IconButton } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { FactsLoading } from '../parts/Facts.tsx'
import { Field, Form } from '../parts/Form.tsx'
import { Notice } from '../parts/Notice.tsx'

export interface TokenCardProps {
  isAdministrator: boolean
  /** Who may name an account is not known yet: nothing is shown that would move then. */
  isReading: boolean
}

export function TokenCard({ isAdministrator, isReading }: TokenCardProps) {
  const [accountId, setAccountId] = useState('')
  const [shown, setShown] = useState<{ id: string; round: number }>()
  return (
    <Card
      title="Access token"
      about="For calls to the cloud provider. It is read when you ask for it and kept nowhere."
    >
      {isReading && <FactsLoading count={2} label="Reading what you may do" />}
      <Form
        hidden={isReading}
        onSubmit={() => setShown({ id: accountId.trim(), round: (shown?.round ?? 0) + 1 })}
      >
        {isAdministrator && (
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
  } = useCloudAccessToken(id === '' ? undefined : id, {
    refetchOnWindowFocus: false,
  })
  const [isCopied, setCopied] = useState(false)
  if (error) {
    if (error.status !== 404) return <ErrorNotice error={error} title="The token could not be read" />
    return <Notice title={id === '' ? 'No cloud account is linked' : 'There is no such cloud account'} />
  }
  const copy = async () => {
    if (!token) return
    await navigator.clipboard.writeText(token.reveal())
    setCopied(true)
  }
  return (
    <div className="secret" role="status" aria-busy={isFetching} aria-label="Access token">
      <code>{token ? token.reveal() : 'Reading…'}</code>
      <IconButton icon={isCopied ? 'check' : 'copy'} label="Copy the token" onClick={() => void copy()} />
    </div>
  )
}
