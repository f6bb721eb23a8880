// The guided tour: what no other screen shows, with a way to try it, and every other screen.
import type { ReactNode } from 'react'
import { serverHas } from '../auth.ts'
import { Card } from '../parts/Card.tsx'
import { Link } from '../parts/Link.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { Stop, TOUR } from '../tour/stops.tsx'
import { SCREENS } from './list.ts'

export function Tour() {
  return (
    <>
      <PageHead
        title="Guided tour"
        about="What no other screen shows, and every other screen. The buttons do the real thing with your session."
      />
      <div className="tour">
        {TOUR.map(([part, stops]) => (
          <Part key={part} title={part}>
            {stops.map((Each) => (
              <Each key={Each.name} />
            ))}
          </Part>
        ))}
        <Part title="Screens">
          {SCREENS.filter(({ about, needs }) => about !== undefined && serverHas(needs)).map(
            ({ path, title, about }) => (
              <Stop key={path} title={title} about={about}>
                <Link to={path} className="button">
                  Go to {title}
                </Link>
              </Stop>
            ),
          )}
        </Part>
      </div>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <ul className="stops">{children}</ul>
    </Card>
  )
}
