// The administrator's consent: whether it is given, giving it in a popup, taking it back.
import { Authenticated, useAdminConsent, useGrantAdminConsent, useRevokeAdminConsent } from 'latchkey'
import { useState } from 'react'
import { GoodNotice } from '../cloud/GoodNotice.tsx'
import { Nothing } from '../cloud/Nothing.tsx'
import { PopupNotice } from '../cloud/PopupNotice.tsx'
import { ReadNotice } from '../cloud/ReadNotice.tsx'
import { isAdministrator } from '../cloud/isAdministrator.ts'
import { atWork } from '../parts/atWork.ts'
import { Badge } from '../parts/Badge.tsx'
import { Card } from '../parts/Card.tsx'
import { Field } from '../parts/Field.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Facts, FactsLoading } from '../parts/Facts.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { dayAndTime } from '../words.ts'
import '../cloud/cloud.css'

export function AdminConsent() {
  const { data: consent, error, isPending, isFetching, refetch } = useAdminConsent()
  const isGranted = consent?.['granted'] === true
  return (
    <>
      <PageHead
        title="Admin consent"
        about="An administrator consents once for the whole firm, so that its staff can use the cloud provider from here."
      />
      <div className="screen-columns">
        <Card
          title="Consent of your firm"
          about="GET /cloudprovider/adminconsent/status"
          aside={
            <span className="badge-place" data-known={consent !== undefined}>
              <Badge tone={isGranted ? 'good' : 'warn'}>{isGranted ? 'Granted' : 'Not granted'}</Badge>
            </span>
          }
        >
          {isPending && <FactsLoading count={3} label="Reading the consent" />}
          {error && (
            <ReadNotice
              error={error}
              title="The consent could not be read"
              forbidden="Ask an administrator of your firm."
              isBusy={isFetching}
              onRetry={() => void refetch()}
            />
          )}
          {consent &&
            (isGranted ? (
              <Facts
                facts={[
                  ['Domain', String(consent['domain'])],
                  ['Granted by', String(consent['grantedBy'])],
                  ['On', dayAndTime(consent['grantedAt'])],
                ]}
              />
            ) : (
              <Nothing
                icon="consent"
                title="Nobody has consented yet"
                text="Until then your staff cannot link their accounts to the firm's organisation."
              />
            ))}
          {consent && (
            <Authenticated
              allow={isAdministrator}
              forbidden={
                <GoodNotice
                  title="You can see this, and an administrator of your firm can change it"
                  tone="plain"
                />
              }
            >
              <ChangeConsent isGranted={isGranted} />
            </Authenticated>
          )}
        </Card>
      </div>
    </>
  )
}

function ChangeConsent({ isGranted }: { isGranted: boolean }) {
  const [domain, setDomain] = useState('')
  const grant = useGrantAdminConsent()
  const revoke = useRevokeAdminConsent()
  const isBusy = grant.isPending || revoke.isPending
  const openGrant = () => {
    revoke.reset()
    grant.mutate(domain.trim() === '' ? undefined : { domain: domain.trim() })
  }
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          openGrant()
        }}
      >
        <Field
          label="Domain"
          hint="Empty for the domain of your firm"
          value={domain}
          placeholder="firm.example"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setDomain(event.target.value)}
        />
        <div className="actions">
          <button type="submit" className="button button-primary" {...atWork(isBusy)}>
            {isGranted ? 'Consent again' : 'Grant consent'}
          </button>
          {isGranted && (
            <button
              type="button"
              className="button button-danger"
              {...atWork(isBusy)}
              onClick={() => {
                grant.reset()
                revoke.mutate()
              }}
            >
              {revoke.isPending ? 'Revoking…' : 'Revoke consent'}
            </button>
          )}
        </div>
      </form>
      <PopupNotice
        popup={grant}
        done="Consent is granted"
        unchanged="Nothing was changed"
        onRetry={openGrant}
      />
      {revoke.error && <ErrorNotice error={revoke.error} title="Consent could not be taken back" />}
      {revoke.isSuccess && <GoodNotice title="Consent was taken back" />}
    </>
  )
}
