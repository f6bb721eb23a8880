// The heading of a screen, and one sentence that says what it is for.
import type { ReactNode } from 'react'

export function PageHead({ title, about, aside }: { title: string; about?: ReactNode; aside?: ReactNode }) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {aside}
      {about !== undefined && <p className="soft">{about}</p>}
    </div>
  )
}
