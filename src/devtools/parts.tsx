'use client'
// The building blocks of the panel: a collapsible section, facts, a badge.
import type { ReactNode } from 'react'

/** Colour of a badge. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad'

export function Section({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <details open>
      <summary>
        <h3>{title}</h3>
      </summary>
      {children}
    </details>
  )
}

export function Facts({ facts }: { facts: Readonly<Record<string, string>> }): ReactNode {
  return (
    <dl className="latchkey-dt-facts">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  return (
    <span className="latchkey-dt-badge" data-tone={tone}>
      {children}
    </span>
  )
}
