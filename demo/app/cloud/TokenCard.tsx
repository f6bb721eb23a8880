// Shows an access token of the cloud provider when it is asked for, and forgets it as soon as it is hidden.
import { useCloudAccessToken } from 'latchkey'
import { useState } from 'react'
import { Card } from '../parts/Card.tsx'
import { Field } from '../parts/Field.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { FactsLoading } from '../parts/Facts.tsx'
import { Icon } from '../parts/Icon.tsx'

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
      <form
        hidden={isReading}
        onSubmit={(event) => {
          event.preventDefault()
          setShown((before) => ({ id: accountId.trim(), round: (before?.round ?? 0) + 1 }))
        }}
      >
        {isAdministrator && (
          <Field
            label="Account"
            hint="Empty for your own; administrators may name any account of the link map"
            value={accountId}
            placeholder="cumulus-0004"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setAccountId(event.target.value)}
          />
        )}
        {shown && <Token key={shown.round} id={shown.id} />}
        <div className="actions">
          <button type="submit" className="button">
            {shown ? 'Read it again' : 'Show the token'}
          </button>
          {shown && (
            <button type="button" className="button" onClick={() => setShown(undefined)}>
              Hide it
            </button>
          )}
        </div>
      </form>
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
    const title = error.status === 404 ? 'There is no such cloud account' : 'The token could not be read'
    return <ErrorNotice error={error} title={title} />
  }
  const copy = async () => {
    if (!token) return
    await navigator.clipboard.writeText(token.reveal())
    setCopied(true)
  }
  return (
    <div className="secret" role="status" aria-busy={isFetching} aria-label="Access token">
      <code>{token ? token.reveal() : 'Reading…'}</code>
      <button type="button" className="button-icon" aria-label="Copy the token" onClick={() => void copy()}>
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>
    </div>
  )
}
