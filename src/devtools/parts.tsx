'use client'
// The building blocks of the panel: a collapsible section, facts, a badge, a time of day.
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

export function TimeOfDay({ atMs, className }: { atMs: number; className?: string }): ReactNode {
  const at = new Date(atMs)
  return (
    <time className={className} dateTime={at.toISOString()}>
      {at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false })}
    </time>
  )
}
