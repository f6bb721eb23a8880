// The app after oidc-spa's first script: tokens in memory, a session restored through a hidden frame.
import { oidcSpa } from 'oidc-spa/react-spa'
import { config, Desk, offer, show } from '../../page/offer.jsx'

const { bootstrapOidc, useOidc, getOidc, OidcInitializationGate } = oidcSpa.createUtils()
void bootstrapOidc({ implementation: 'real', issuerUri: config.origin, clientId: config.clientId })

offer({
  ask: async () => (await getOidc({ assert: 'user logged in' })).getAccessToken(),
  renew: async () => (await getOidc({ assert: 'user logged in' })).renewTokens(),
})

function Screen() {
  const { isUserLoggedIn, login } = useOidc()
  return <Desk status={isUserLoggedIn ? 'authenticated' : 'unauthenticated'} signIn={login} />
}

show(
  <OidcInitializationGate>
    <Screen />
  </OidcInitializationGate>,
)
