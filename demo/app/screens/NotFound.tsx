// An address inside the app that leads nowhere; the address itself stays as it is.
import { Link } from '../parts/Link.tsx'
import { PageHead } from '../parts/PageHead.tsx'

export function NotFound() {
  return (
    <>
      <PageHead
        title="There is nothing here"
        about="This address does not belong to any screen of Deskwell."
      />
      <Link to="/" className="button button-primary">
        Go to Home
      </Link>
    </>
  )
}
