// The firm, and the cloud provider it uses.
import { useUpdateFirm, useUserInfo } from 'latchkey'
import { useState } from 'react'
import { GoodNotice } from '../cloud/GoodNotice.tsx'
import { ReadNotice } from '../cloud/ReadNotice.tsx'
import { type FirmFacts, readFirm } from '../cloud/readFirm.ts'
import { useIsAdministrator } from '../cloud/useIsAdministrator.ts'
import { atWork } from '../parts/atWork.ts'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Facts, FactsLoading } from '../parts/Facts.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import '../cloud/cloud.css'

const PROVIDERS = [
  ['cumulus', 'Cumulus'],
  ['nimbus', 'Nimbus'],
] as const

export function Firm() {
  const { data: firm, error, isPending, isFetching, refetch } = useUserInfo({ select: readFirm })
  return (
    <>
      <PageHead
        title="Firm"
        about="What the server knows of your firm, and the cloud provider its staff work with."
      />
      <div className="screen-columns">
        <Card title="Your firm" about="From GET /api/userinfo">
          {isPending && <FactsLoading count={4} label="Reading your firm" />}
          {error && (
            <ReadNotice
              error={error}
              title="Your firm could not be read"
              forbidden="Ask an administrator of your firm."
              isBusy={isFetching}
              onRetry={() => void refetch()}
            />
          )}
          {firm && (
            <Facts
              facts={[
                ['Name', firm.name],
                ['City', firm.city],
                ['Firm', <code key="id">{firm.id}</code>],
                ['Cloud', firm.cloudProviderId ?? 'none chosen yet'],
              ]}
            />
          )}
        </Card>
        {firm && <ProviderCard key={firm.id} firm={firm} />}
      </div>
    </>
  )
}

function ProviderCard({ firm }: { firm: FirmFacts }) {
  const [choice, setChoice] = useState(firm.cloudProviderId ?? '')
  const update = useUpdateFirm()
  const isReadOnly = useIsAdministrator() === false
  const isMissing = update.error?.code === 'cloud-provider-id-required'
  return (
    <Card title="Cloud provider" about={`PUT /api/firms/${firm.id}; administrators only`}>
      {isReadOnly && (
        <p className="soft" id="provider-reason">
          You can see this, and an administrator of your firm can change it.
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate({ id: firm.id, cloudProviderId: choice })
        }}
      >
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
            {PROVIDERS.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          {isMissing && (
            <span className="fault" id="provider-fault" role="alert">
              {update.error?.message}
            </span>
          )}
        </label>
        <div className="actions">
          <button
            type="submit"
            className="button button-primary"
            disabled={isReadOnly}
            {...atWork(update.isPending)}
            aria-describedby={isReadOnly ? 'provider-reason' : undefined}
          >
            {update.isPending ? 'Saving…' : 'Save'}
          </button>
        </div>
      </form>
      {update.error && !isMissing && <ErrorNotice error={update.error} title="The provider was not saved" />}
      {update.isSuccess && <GoodNotice title="The provider is saved" />}
    </Card>
  )
}
