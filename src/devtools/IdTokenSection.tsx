'use client'
// Shows which checks the last ID token has passed, never what stood in it.
import type { ReactNode } from 'react'
import { Section } from './parts.tsx'
import type { Snapshot } from './snapshot.ts'

/** Nothing in a page that has read no ID token: it has the session from another tab, or from a server without ID tokens. */
export function IdTokenSection({ snapshot: { idToken } }: { snapshot: Snapshot }): ReactNode {
  if (idToken.length === 0) return null
  return (
    <Section title="ID token">
      <ol aria-label="Checks of the ID token">
        {idToken.map(({ name, isPassed }) => (
          <li key={name} className="latchkey-dt-row" data-outcome={isPassed ? 'done' : 'failed'}>
            <span>{name}</span>
            <span>{isPassed ? 'passed' : 'failed'}</span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
