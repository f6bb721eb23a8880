// The guided tour: every capability with a way to try it, and every other screen.
import type { ReactNode } from 'react'
import { serverHas } from '../auth.ts'
import { Card } from '../parts/Card.tsx'
import { Link } from '../parts/Link.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { TOUR } from '../tour/stops.ts'
import { SCREENS } from './list.ts'

export function Tour() {
  return (
    <>
      <PageHead
        title="Guided tour"
        about="Everything latchkey does, each with a way to try it. The buttons do the real thing with your session."
      />
      <div className="tour">
        {TOUR.map(({ title, stops }) => (
          <Part key={title} title={title}>
            {stops
              .filter(({ needs }) => serverHas(needs))
              .map((stop) => (
                <Stop key={stop.title} title={stop.title} about={stop.about}>
                  <stop.action />
                </Stop>
              ))}
          </Part>
        ))}
        <Part title="Screens">
          {SCREENS.filter(({ about, needs }) => about !== undefined && serverHas(needs)).map(
            ({ path, title, about }) => (
              <Stop key={path} title={title} about={about}>
                <div className="try">
                  <Link to={path} className="button">
                    Go there
                  </Link>
                </div>
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

function Stop({ title, about, children }: { title: string; about: string | undefined; children: ReactNode }) {
  return (
    <li>
      <h3>{title}</h3>
      <p className="soft">{about}</p>
      {children}
    </li>
  )
}
