// No sign-in: the cost of a page with React before any library is added.
import { Desk, show } from '../../page/offer.jsx'

show(<Desk status="unauthenticated" signIn={() => {}} />)
