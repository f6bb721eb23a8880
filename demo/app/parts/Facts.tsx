// Names and values in two columns; one below the other where there is no room.
import type { ReactNode } from 'react'
import { breakable } from './breakable.ts'

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{breakable(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Grey bars in the shape of facts that are on their way. */
export function FactsLoading({ count, label }: { count: number; label: string }) {
  return (
    <div className="facts" role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index}>
          <span className="bar bar-short" />
          <span className="bar" />
        </div>
      ))}
    </div>
  )
}
