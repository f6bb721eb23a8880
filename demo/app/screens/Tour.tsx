// The guided tour: every capability with a way to try it, and what has been tried already.
import { serverHas } from '../auth.ts'
import { Badge } from '../parts/Badge.tsx'
import { Card } from '../parts/Card.tsx'
import { Link } from '../parts/Link.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { type Stop, TOUR } from '../tour/stops.ts'
import { markTried, useTried } from '../tour/tried.ts'

/** The stops that this server can show. */
const PARTS = TOUR.map(({ title, stops }) => ({
  title,
  stops: stops.filter(({ needs }) => serverHas(needs)),
}))
const COUNT = PARTS.flatMap(({ stops }) => stops).length

export function Tour() {
  const tried = useTried()
  return (
    <>
      <PageHead
        title="Guided tour"
        about="Everything latchkey does, each with a way to try it. The buttons do the real thing with your session."
        aside={
          <Badge
            tone={tried.length === COUNT ? 'good' : 'plain'}
          >{`${tried.length} of ${COUNT} tried`}</Badge>
        }
      />
      <div className="tour">
        {PARTS.map(({ title, stops }) => (
          <Card key={title} title={title}>
            <ul className="stops">
              {stops.map((stop) => (
                <StopItem key={stop.id} stop={stop} isTried={tried.includes(stop.id)} />
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  )
}

function StopItem({ stop: { id, title, about, action: Action }, isTried }: { stop: Stop; isTried: boolean }) {
  const onTry = () => markTried(id)
  return (
    <li>
      <div className="stop-head">
        <h3>{title}</h3>
        <span className={isTried ? undefined : 'untried'}>
          <Badge tone="good">Tried</Badge>
        </span>
      </div>
      <p className="soft">{about}</p>
      {'screen' in Action ? (
        <div className="try">
          <Link to={Action.screen} className="button" onFollow={onTry}>
            {Action.label}
          </Link>
        </div>
      ) : (
        <Action onTry={onTry} />
      )}
    </li>
  )
}
