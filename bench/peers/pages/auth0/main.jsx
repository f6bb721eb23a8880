// auth0-react as its README sets it up: tokens in memory; renewed through hidden frames, or by refresh tokens.
import { Auth0Provider, useAuth0 } from '@auth0/auth0-react'
import { useEffect } from 'react'
import { config, Desk, offer, show } from '../../page/offer.jsx'

function Screen() {
  const { isLoading, isAuthenticated, loginWithRedirect, getAccessTokenSilently } = useAuth0()
  useEffect(() => {
    offer({
      ask: () => getAccessTokenSilently(),
      renew: () => getAccessTokenSilently({ cacheMode: 'off' }),
    })
  }, [getAccessTokenSilently])
  const status = isLoading ? 'initializing' : isAuthenticated ? 'authenticated' : 'unauthenticated'
  return <Desk status={status} signIn={loginWithRedirect} />
}

show(
  <Auth0Provider
    domain={config.origin}
    clientId={config.clientId}
    authorizationParams={{ redirect_uri: `${location.origin}/`, scope: 'openid profile' }}
    {...(config.mode === 'refresh' && { useRefreshTokens: true, useRefreshTokensFallback: true })}
  >
    <Screen />
  </Auth0Provider>,
)
