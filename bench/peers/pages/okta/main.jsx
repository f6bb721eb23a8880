// okta-react as its README sets it up, without a router: tokens in local storage; or in memory, found again by a silent sign-in.
import { OktaAuth } from '@okta/okta-auth-js'
import { LoginCallback, Security, useOktaAuth } from '@okta/okta-react'
import { useEffect, useState } from 'react'
import { config, Desk, offer, show } from '../../page/offer.jsx'

const isInMemory = config.way === 'memory'
const oktaAuth = new OktaAuth({
  issuer: config.origin,
  clientId: config.clientId,
  redirectUri: `${location.origin}/login/callback`,
  scopes: ['openid', 'profile', 'offline_access'],
  ...(isInMemory && { tokenManager: { storage: 'memory' } }),
})

offer({
  ask: () => oktaAuth.getOrRenewAccessToken(),
  renew: () => oktaAuth.tokenManager.renew('accessToken'),
})

// A router would do this.
const isCallback = location.pathname === '/login/callback'

/** Asks the server once, through a hidden frame, when nothing is stored. */
function useFoundAgain(isToLook) {
  const [hasLooked, setHasLooked] = useState(!isInMemory || isCallback)
  useEffect(() => {
    if (!isToLook || hasLooked) return
    oktaAuth.token
      .getWithoutPrompt()
      .then(({ tokens }) => oktaAuth.tokenManager.setTokens(tokens))
      .catch(() => {})
      .finally(() => setHasLooked(true))
  }, [isToLook, hasLooked])
  return hasLooked
}

function Screen() {
  const { authState } = useOktaAuth()
  const hasLooked = useFoundAgain(authState?.isAuthenticated === false)
  const status =
    !authState || ((isCallback || !hasLooked) && !authState.isAuthenticated)
      ? 'initializing'
      : authState.isAuthenticated
        ? 'authenticated'
        : 'unauthenticated'
  return (
    <>
      {isCallback && <LoginCallback />}
      <Desk status={status} signIn={() => oktaAuth.signInWithRedirect()} />
    </>
  )
}

async function restoreOriginalUri() {
  history.replaceState({}, '', '/')
}

show(
  <Security oktaAuth={oktaAuth} restoreOriginalUri={restoreOriginalUri}>
    <Screen />
  </Security>,
)
