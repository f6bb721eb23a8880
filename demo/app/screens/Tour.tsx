// The guided tour: every capability with a way to try it.
import { serverHas } from '../auth.ts'
import { Card } from '../parts/Card.tsx'
import { Link } from '../parts/Link.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { type Stop, TOUR } from '../tour/stops.ts'

export function Tour() {
  return (
    <>
      <PageHead
        title="Guided tour"
        about="Everything latchkey does, each with a way to try it. The buttons do the real thing with your session."
      />
      <div className="tour">
        {TOUR.map(({ title, stops }) => (
          <Card key={title} title={title}>
            <ul className="stops">
              {stops
                .filter(({ needs }) => serverHas(needs))
                .map((stop) => (
                  <StopItem key={stop.title} stop={stop} />
                ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  )
}

function StopItem({ stop: { title, about, action: Action } }: { stop: Stop }) {
  return (
    <li>
      <h3>{title}</h3>
      <p className="soft">{about}</p>
      {'screen' in Action ? (
        <div className="try">
          <Link to={Action.screen} className="button">
            {Action.label}
          </Link>
        </div>
      ) : (
        <Action />
      )}
    </li>
  )
}
