// keycloak-js, which has no React package: check-sso through a hidden frame, as its guide recommends, and minimal state around it.
import Keycloak from 'keycloak-js'
import { useEffect, useState } from 'react'
import { config, Desk, offer, show } from '../../page/offer.jsx'

const keycloak = new Keycloak({ oidcProvider: config.origin, clientId: config.clientId })
const starting = keycloak.init({
  onLoad: 'check-sso',
  silentCheckSsoRedirectUri: `${location.origin}/silent-check-sso.html`,
  // This frame exists only on a Keycloak server.
  checkLoginIframe: false,
})

offer({
  async ask() {
    await keycloak.updateToken(30)
    return keycloak.token
  },
  renew: () => keycloak.updateToken(-1),
})

function Screen() {
  const [status, setStatus] = useState('initializing')
  useEffect(() => {
    void starting.then((isAuthenticated) => setStatus(isAuthenticated ? 'authenticated' : 'unauthenticated'))
  }, [])
  return <Desk status={status} signIn={() => keycloak.login()} />
}

show(<Screen />)
