// The place of a screen whose calls this server does not have.
import { Nothing } from '../cloud/Nothing.tsx'
import { Card } from '../parts/Card.tsx'
import { Link } from '../parts/Link.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import '../cloud/cloud.css'

export function NotSupported({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} />
      <Card title="Not with this server">
        <Nothing
          icon="info"
          title={`This server does not have: ${title}`}
          text="Only the firm’s own authorization server does. Everything about signing in works the same here."
        >
          <Link to="/" className="button">
            Go to the home screen
          </Link>
        </Nothing>
      </Card>
    </>
  )
}
