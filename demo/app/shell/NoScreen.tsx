// In the place of a screen: an address that leads nowhere, or calls that this server does not have. The address stays as it is.
import type { ReactNode } from 'react'
import { Link } from '../parts/Link.tsx'
import { PageHead } from '../parts/PageHead.tsx'

export function NoScreen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <PageHead title={title} about={children} />
      <Link to="/" className="button button-primary">
        Go to Home
      </Link>
    </>
  )
}
