// No sign-in at all: what a page with React costs before any library is added.
import { Desk, show } from '../../page/offer.jsx'

show(<Desk status="unauthenticated" signIn={() => {}} />)
