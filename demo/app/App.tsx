// Shows what the session's state calls for: the app itself, or the page that says why not and what to do.
import { useAuth } from 'latchkey'
import { Failed } from './gate/Failed.tsx'
import { SignedOut } from './gate/SignedOut.tsx'
import { Splash } from './gate/Splash.tsx'
import { Shell } from './shell/Shell.tsx'

const LEAVING = {
  login: 'Taking you to the sign-in page',
  logout: 'Signing you out',
  passthrough: 'Bringing your session over',
  environment: 'Taking you to your own environment',
  'change-password': 'Taking you to the password page',
}

export function App() {
  const state = useAuth()
  switch (state.status) {
    case 'initializing':
      return <Splash text="Checking your session" />
    case 'redirecting':
      return <Splash text={LEAVING[state.to]} />
    case 'unauthenticated':
      return <SignedOut reason={state.reason} cause={state.cause} isOnline={state.isOnline} />
    case 'failed':
      return (
        <Failed
          error={state.error}
          retry={state.retry}
          retryAtMs={state.retryAtMs}
          isOnline={state.isOnline}
        />
      )
    case 'authenticated':
      return <Shell />
  }
}
