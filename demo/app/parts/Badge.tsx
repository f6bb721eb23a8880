// A word or two that classify the thing beside them.
import type { ReactNode } from 'react'

export type Tone = 'plain' | 'good' | 'warn' | 'bad'

interface BadgeProps {
  tone?: Tone
  children: ReactNode
}

export function Badge({ tone = 'plain', children }: BadgeProps) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}

/** Keeps its place until it is known what it says. */
export function KnownBadge({ isKnown, ...badge }: BadgeProps & { isKnown: boolean }) {
  return (
    <span className="badge-place" data-known={isKnown}>
      <Badge {...badge} />
    </span>
  )
}
