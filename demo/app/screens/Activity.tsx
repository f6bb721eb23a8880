// Everything the session did in this tab, step by step, for whoever has to find out why.
import { useState } from 'react'
import { Card } from '../parts/Card.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { Steps } from '../parts/Steps.tsx'
import { useTimeline } from '../useTimeline.ts'

export function Activity() {
  const steps = useTimeline()
  const [isFaultsOnly, setFaultsOnly] = useState(false)
  const shown = isFaultsOnly ? steps.filter(({ outcome }) => outcome === 'failed') : steps
  return (
    <>
      <PageHead
        title="Activity"
        about="What the session did in this tab, and why. It holds no token and no code, so it can be sent to support as it is."
      />
      <Card
        title={`${shown.length} ${shown.length === 1 ? 'step' : 'steps'}`}
        aside={
          <label className="check">
            <input
              type="checkbox"
              checked={isFaultsOnly}
              onChange={(event) => setFaultsOnly(event.target.checked)}
            />
            Faults only
          </label>
        }
      >
        {shown.length === 0 ? (
          <p className="empty">Nothing has gone wrong in this tab.</p>
        ) : (
          <Steps steps={shown} />
        )}
      </Card>
    </>
  )
}
