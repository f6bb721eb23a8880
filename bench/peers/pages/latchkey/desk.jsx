// The content of both pages of this library, whatever server they use.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { AuthProvider, useAuth } from 'latchkey'
import { config, Desk, offer, show } from '../../page/offer.jsx'

/** As in the quick start. */
export const options = {
  clientId: config.clientId,
  scopes: ['openid', 'profile', 'offline_access'],
  autoRefreshToken: true,
  ...(config.mode === 'button' && { autoLogin: false }),
  // The bench advances the clock, which must not look like an idle user; not where it counts the work of a reload.
  ...(!window.countedWork && { autoLogout: false }),
}

function Screen() {
  const { status, login } = useAuth()
  return <Desk status={status} signIn={login} />
}

const queryClient = new QueryClient()

export function showDesk(auth) {
  offer({
    ask: () => auth.getAccessToken(),
    renew: () => auth.renew({ force: true }),
    call: () => auth.fetch.native('/api'),
    signOut: () => auth.logout(),
  })
  show(
    <QueryClientProvider client={queryClient}>
      <AuthProvider auth={auth}>
        <Screen />
      </AuthProvider>
    </QueryClientProvider>,
  )
}
