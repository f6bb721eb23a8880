// The place of a screen whose calls only a server with the firm's contract has.
import { Card } from '../parts/Card.tsx'
import { Link } from '../parts/Link.tsx'
import { Nothing } from '../parts/Notice.tsx'
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
          text={
            <>
              Its calls are the firm’s own contract, which no standard has. Everything about signing in works
              the same here. The demo on the firm’s own server has this screen: <code>npm run demo</code>.
            </>
          }
        >
          <Link to="/" className="button">
            Go to the home screen
          </Link>
        </Nothing>
      </Card>
    </>
  )
}
