// The administrator's consent: whether it is given, giving it in a popup, taking it back.
import { Authenticated, useAdminConsent, useGrantAdminConsent, useRevokeAdminConsent } from 'latchkey'
import { useState } from 'react'
import { PopupNotice } from '../cloud/PopupNotice.tsx'
import { KnownBadge } from '../parts/Badge.tsx'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Field, Form } from '../parts/Form.tsx'
import { Nothing, Notice } from '../parts/Notice.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { ADMINISTRATORS_KNOW, Reading } from '../parts/Reading.tsx'
import { isAdministrator } from '../person.ts'
import { dayAndTime } from '../words.ts'
import '../cloud/cloud.css'

export function AdminConsent() {
  const consent = useAdminConsent()
  const isGranted = consent.data?.['granted'] === true
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
            <KnownBadge isKnown={consent.data !== undefined} tone={isGranted ? 'good' : 'warn'}>
              {isGranted ? 'Granted' : 'Not granted'}
            </KnownBadge>
          }
        >
          <Reading of={consent} what="the consent" count={3} forbidden={ADMINISTRATORS_KNOW}>
            {({ domain, grantedBy, grantedAt }) => (
              <>
                {isGranted ? (
                  <Facts
                    facts={[
                      ['Domain', String(domain)],
                      ['Granted by', String(grantedBy)],
                      ['On', dayAndTime(grantedAt)],
                    ]}
                  />
                ) : (
                  <Nothing
                    icon="consent"
                    title="Nobody has consented yet"
                    text="Until then your staff cannot link their accounts to the firm's organisation."
                  />
                )}
                <Authenticated
                  allow={isAdministrator}
                  forbidden={
                    <Notice title="You can see this, and an administrator of your firm can change it" />
                  }
                >
                  <ChangeConsent isGranted={isGranted} />
                </Authenticated>
              </>
            )}
          </Reading>
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
  const takeBack = () => {
    grant.reset()
    revoke.mutate()
  }
  return (
    <>
      <Form onSubmit={openGrant}>
        <Field
          label="Domain"
          hint="Empty for the domain of your firm"
          value={domain}
          placeholder="firm.example"
          onChange={(event) => setDomain(event.target.value)}
        />
        <div className="actions">
          <Button type="submit" tone="primary" isBusy={isBusy}>
            {isGranted ? 'Consent again' : 'Grant consent'}
          </Button>
          {isGranted && (
            <Button tone="danger" isBusy={isBusy} onClick={takeBack}>
              {revoke.isPending ? 'Revoking…' : 'Revoke consent'}
            </Button>
          )}
        </div>
      </Form>
      <PopupNotice
        popup={grant}
        done="Consent is granted"
        unchanged="Nothing was changed"
        onRetry={openGrant}
      />
      {revoke.error && <ErrorNotice error={revoke.error} title="Consent could not be taken back" />}
      {revoke.isSuccess && <Notice tone="good" title="Consent was taken back" />}
    </>
  )
}
