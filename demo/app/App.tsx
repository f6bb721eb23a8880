// Shows what the session's state calls for: the app itself, or the page that says why not and what to do.
import { Authenticated, SignInAgainDialog, useAuth } from 'latchkey'
import { SignedOut, type SignedOutProps } from './gate/SignedOut.tsx'
import { Splash } from './gate/Splash.tsx'
import { Mark } from './parts/Brand.tsx'
import { Shell } from './shell/Shell.tsx'

const LEAVING = {
  login: 'Taking you to the sign-in page',
  logout: 'Signing you out',
  passthrough: 'Bringing your session over',
  environment: 'Taking you to your own environment',
  'change-password': 'Taking you to the password page',
}

export function App() {
  return (
    <Authenticated
      appName="Deskwell"
      mark={<Mark />}
      fallback={<Waiting />}
      unauthenticated={showSignedOut}
      expired={<SignInAgainDialog />}
    >
      <Shell />
    </Authenticated>
  )
}

const showSignedOut = ({ reason, cause }: SignedOutProps) => <SignedOut reason={reason} cause={cause} />

function Waiting() {
  const state = useAuth()
  return <Splash text={state.status === 'redirecting' ? LEAVING[state.to] : 'Checking your session'} />
}
