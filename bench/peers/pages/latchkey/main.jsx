// This library as its quick start sets it up, with a button in place of the automatic sign-in, or signing in at once.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { AuthProvider, createAuth, useAuth } from 'latchkey'
import { config, Desk, offer, show } from '../../page/offer.jsx'

const isAtOnce = config.way === 'atOnce'
const queryClient = new QueryClient()
const auth = createAuth({
  authHost: config.origin,
  clientId: config.clientId,
  scopes: ['openid', 'profile', 'offline_access'],
  autoRefreshToken: true,
  autoLogin: isAtOnce,
  verifyFirstVisit: !isAtOnce,
  // The bench turns the clock, which must not look like a person who has left.
  autoLogout: false,
  ...(config.way === 'worker' && {
    sessionWorker: (options) =>
      new SharedWorker(new URL('latchkey/worker', import.meta.url), { ...options, type: 'module' }),
  }),
})
offer({ ask: () => auth.getAccessToken(), renew: () => auth.renew({ force: true }) })

function Screen() {
  const { status, login } = useAuth()
  return <Desk status={status} signIn={login} />
}

show(
  <QueryClientProvider client={queryClient}>
    <AuthProvider auth={auth}>
      <Screen />
    </AuthProvider>
  </QueryClientProvider>,
)
