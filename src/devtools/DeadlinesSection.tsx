'use client'
// Shows what will happen automatically, and when.
import type { ReactNode } from 'react'
import { Section, TimeOfDay } from './parts.tsx'
import type { Snapshot } from './snapshot.ts'

/** Returns the time left: `4:59`, `1:04:05`; `over` when it has passed. */
function countDown(atMs: number, nowMs: number): string {
  const seconds = Math.ceil((atMs - nowMs) / 1000)
  if (seconds <= 0) return 'over'
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

export function DeadlinesSection({ snapshot }: { snapshot: Snapshot }): ReactNode {
  const { deadlines, atMs: nowMs } = snapshot
  return (
    <Section title="Deadlines">
      <ul>
        {deadlines.map(({ name, atMs, note }) => (
          <li key={name} className="latchkey-dt-row">
            <span>{name}</span>
            {atMs === undefined ? (
              <span className="latchkey-dt-soft">{note}</span>
            ) : (
              <span>
                <strong>{countDown(atMs, nowMs)}</strong>{' '}
                <TimeOfDay className="latchkey-dt-soft" atMs={atMs} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
