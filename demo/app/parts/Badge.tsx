// A word or two that classify the thing beside them.
import type { ReactNode } from 'react'

export type Tone = 'plain' | 'good' | 'warn' | 'bad'

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}
