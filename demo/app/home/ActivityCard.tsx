// The last few steps of the session, with the way to all of them.
import { Card } from '../parts/Card.tsx'
import { Link } from '../parts/Link.tsx'
import { Steps } from '../parts/Steps.tsx'
import { useTimeline } from '../useTimeline.ts'

const SHOWN_COUNT = 5

export function ActivityCard() {
  const steps = useTimeline()
  return (
    <Card
      title="Activity"
      className="bare"
      about="Why the session is as it is"
      aside={<Link to="/activity">Show all {steps.length}</Link>}
    >
      {/* Of each kind the newest. */}
      <Steps
        steps={steps
          .filter(({ step }, index) => steps.findLastIndex((other) => other.step === step) === index)
          .slice(-SHOWN_COUNT)}
      />
    </Card>
  )
}
