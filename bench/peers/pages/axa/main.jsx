// axa's react-oidc as its README sets it up: tokens in its service worker, or in session storage.
import { OidcClient, OidcProvider, useOidc } from '@axa-fr/react-oidc'
import { config, Desk, offer, show } from '../../page/offer.jsx'

offer({
  ask: async () => (await OidcClient.get().getValidTokenAsync()).tokens.accessToken,
  renew: () => OidcClient.get().renewTokensAsync(),
})

function Screen() {
  const { isAuthenticated, login } = useOidc()
  return <Desk status={isAuthenticated ? 'authenticated' : 'unauthenticated'} signIn={() => login('/')} />
}

const Nothing = () => null

show(
  <OidcProvider
    configuration={{
      client_id: config.clientId,
      redirect_uri: `${location.origin}/authentication/callback`,
      silent_redirect_uri: `${location.origin}/authentication/silent-callback`,
      scope: 'openid profile offline_access',
      authority: config.origin,
      ...(config.way === 'serviceWorker' && { service_worker_relative_url: '/OidcServiceWorker.js' }),
    }}
    loadingComponent={Nothing}
    authenticatingComponent={Nothing}
    callbackSuccessComponent={Nothing}
  >
    <Screen />
  </OidcProvider>,
)
