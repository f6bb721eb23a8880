'use client'
// Shows what happened, newest first: the steps of explain() and the observations of the devtools.
import { type ReactNode, useState } from 'react'
import { Section, TimeOfDay } from './sections.tsx'
import type { EventView, Snapshot } from './snapshot.ts'

/** How many are drawn until the user asks for all, because the panel renders every second. */
const FEW = 15

export function TimelineSection({ snapshot: { events } }: { snapshot: Snapshot }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const shown = events.slice(isWhole ? 0 : -FEW).toReversed()
  return (
    <Section title={`Timeline (${events.length})`}>
      {events.length === 0 && <p className="latchkey-dt-soft">Nothing has happened yet.</p>}
      <ol className="latchkey-dt-events" aria-label="Events, newest first">
        {shown.map((event, index) => (
          <Event key={`${event.atMs} ${events.length - index}`} event={event} />
        ))}
      </ol>
      {events.length > FEW && (
        <button type="button" onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the last ${FEW}` : `Show all ${events.length}`}
        </button>
      )}
    </Section>
  )
}

function Event({ event }: { event: EventView }) {
  const { atMs, step, outcome, detail, errorCode, remedy } = event
  return (
    <li>
      <TimeOfDay atMs={atMs} />
      <div>
        <strong>{step}</strong> <span data-outcome={outcome}>{outcome}</span>
        {detail !== undefined && <span className="latchkey-dt-soft"> · {detail}</span>}
        {errorCode !== undefined && <span className="latchkey-dt-soft"> · {errorCode}</span>}
        {remedy !== undefined && <p className="latchkey-dt-soft">{remedy}</p>}
      </div>
    </li>
  )
}
