'use client'
// Shows what will happen automatically, and when.
import type { ReactNode } from 'react'
import { Section } from './parts.tsx'
import type { Snapshot } from './snapshot.ts'
import { clockTime, countDown, isoTime } from './times.ts'

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
                <time className="latchkey-dt-soft" dateTime={isoTime(atMs)}>
                  {clockTime(atMs)}
                </time>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
