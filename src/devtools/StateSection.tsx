'use client'
// Shows the state of the session, the steps of start-up, the signed-in user, and which checks the last ID token has passed.
import type { ReactNode } from 'react'
import { Facts, Section } from './parts.tsx'
import type { Snapshot, StartUpStep } from './snapshot.ts'

const STATES = ['initializing', 'authenticated', 'unauthenticated', 'redirecting', 'failed'] as const

const OUTCOMES: Record<StartUpStep['outcome'], string> = {
  waiting: 'not reached',
  started: 'under way',
  done: 'done',
  skipped: 'skipped',
  failed: 'failed',
}

export function StateSection({ snapshot }: { snapshot: Snapshot }): ReactNode {
  const { status, why, startUp, user, isOnline, isTokenExpired } = snapshot
  return (
    <Section title="State">
      <ol className="latchkey-dt-states" aria-label="States">
        {STATES.map((state) => (
          <li key={state} aria-current={state === status ? 'true' : undefined}>
            {state}
          </li>
        ))}
      </ol>
      {why !== undefined && <p>{why}</p>}
      {!isOnline && <p>offline</p>}
      {isTokenExpired && <p>the token’s life is over, and no renewal got through</p>}
      {user && <Facts facts={user} />}
      <p className="latchkey-dt-soft">Start-up:</p>
      <ol aria-label="Start-up">
        {startUp.map(({ name, outcome }) => (
          <li key={name} className="latchkey-dt-row" data-outcome={outcome}>
            <span>{name}</span>
            <span className={outcome === 'waiting' ? 'latchkey-dt-soft' : undefined}>
              {OUTCOMES[outcome]}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

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
