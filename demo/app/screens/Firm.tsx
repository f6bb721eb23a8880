// The firm, and the cloud provider it uses.
import { useUpdateFirm, useUser } from 'latchkey'
import { useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Form } from '../parts/Form.tsx'
import { Notice } from '../parts/Notice.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { ADMINISTRATORS_KNOW, Reading } from '../parts/Reading.tsx'
import { isAdministrator, type Person, usePerson } from '../person.ts'
import '../cloud/cloud.css'

const PROVIDERS = [
  ['cumulus', 'Cumulus'],
  ['nimbus', 'Nimbus'],
] as const

export function Firm() {
  const person = usePerson()
  const firm = person.data?.firm
  return (
    <>
      <PageHead
        title="Firm"
        about="What the server knows of your firm, and the cloud provider its staff work with."
      />
      <div className="screen-columns">
        <Card title="Your firm" about="From GET /api/userinfo">
          <Reading of={person} what="your firm" count={4} forbidden={ADMINISTRATORS_KNOW}>
            {({ firm: { id, name, city, cloudProviderId } }) => (
              <Facts
                facts={[
                  ['Name', name ?? 'unknown'],
                  ['City', city ?? 'unknown'],
                  ['Firm', <code key="id">{id}</code>],
                  ['Cloud', cloudProviderId ?? 'none chosen yet'],
                ]}
              />
            )}
          </Reading>
        </Card>
        {firm && <ProviderCard key={firm['id']} firm={firm} />}
      </div>
    </>
  )
}

function ProviderCard({ firm: { id = '', cloudProviderId = '' } }: Pick<Person, 'firm'>) {
  const [choice, setChoice] = useState(cloudProviderId)
  const update = useUpdateFirm()
  const isReadOnly = !isAdministrator(useUser())
  const isMissing = update.error?.code === 'cloud-provider-id-required'
  return (
    <Card title="Cloud provider" about={`PUT /api/firms/${id}; administrators only`}>
      {isReadOnly && (
        <p className="soft" id="provider-reason">
          You can see this, and an administrator of your firm can change it.
        </p>
      )}
      <Form onSubmit={() => update.mutate({ id, cloudProviderId: choice })}>
        <label className="field">
          Provider
          <select
            value={choice}
            disabled={isReadOnly}
            aria-invalid={isMissing}
            aria-describedby={isReadOnly ? 'provider-reason' : isMissing ? 'provider-fault' : undefined}
            onChange={(event) => {
              update.reset()
              setChoice(event.target.value)
            }}
          >
            <option value="">Choose one…</option>
            {PROVIDERS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          {isMissing && (
            <span className="fault" id="provider-fault" role="alert">
              Choose a provider first.
            </span>
          )}
        </label>
        <div className="actions">
          <Button
            type="submit"
            tone="primary"
            disabled={isReadOnly}
            isBusy={update.isPending}
            aria-describedby={isReadOnly ? 'provider-reason' : undefined}
          >
            {update.isPending ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </Form>
      {update.error && !isMissing && <ErrorNotice error={update.error} title="The provider was not saved" />}
      {update.isSuccess && <Notice tone="good" title="The provider is saved" />}
    </Card>
  )
}
