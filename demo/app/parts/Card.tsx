// A framed part of a screen with its own heading.
import { type ReactNode, useId } from 'react'
import { breakable } from './breakable.ts'

export interface CardProps {
  title: string
  /** One sentence below the title. */
  about?: ReactNode
  /** Stands at the end of the heading's line. */
  aside?: ReactNode
  /** Buttons below the content. */
  actions?: ReactNode
  className?: string
  children?: ReactNode
}

export function Card({ title, about, aside, actions, className = '', children }: CardProps) {
  const headingId = useId()
  return (
    <section className={`card ${className}`} aria-labelledby={headingId}>
      <div className="card-head">
        <div>
          <h2 id={headingId}>{title}</h2>
          {about !== undefined && <p className="soft">{breakable(about)}</p>}
        </div>
        {aside}
      </div>
      {children}
      {actions !== undefined && <div className="actions">{actions}</div>}
    </section>
  )
}
