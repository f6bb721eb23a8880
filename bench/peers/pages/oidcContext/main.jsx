// react-oidc-context as its README sets it up: the user in session storage, or in memory and restored by a silent sign-in.
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { useEffect, useState } from 'react'
import { AuthProvider, hasAuthParams, useAuth } from 'react-oidc-context'
import { config, Desk, offer, show } from '../../page/offer.jsx'

const isInMemory = config.mode === 'memory'

const userManager = new UserManager({
  authority: config.origin,
  client_id: config.clientId,
  redirect_uri: `${location.origin}/`,
  silent_redirect_uri: `${location.origin}/silent.html`,
  scope: 'openid profile offline_access',
  ...(isInMemory && { userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }) }),
})

offer({
  // The library renews on time; a caller reads the user, and renews if that has expired.
  async ask() {
    const user = await userManager.getUser()
    const current = user && !user.expired ? user : await userManager.signinSilent()
    return current.access_token
  },
  renew: () => userManager.signinSilent(),
})

function Screen() {
  const { isLoading, isAuthenticated, signinRedirect } = useAuth()
  const status = isLoading ? 'initializing' : isAuthenticated ? 'authenticated' : 'unauthenticated'
  return <Desk status={status} signIn={signinRedirect} />
}

function FoundAgain() {
  const { isLoading, isAuthenticated, signinRedirect, signinSilent } = useAuth()
  const [hasLooked, setHasLooked] = useState(false)
  const isToLook = !isLoading && !isAuthenticated && !hasLooked && !hasAuthParams()
  useEffect(() => {
    if (isToLook) void signinSilent().finally(() => setHasLooked(true))
  }, [isToLook, signinSilent])
  const status = isAuthenticated ? 'authenticated' : hasLooked ? 'unauthenticated' : 'initializing'
  return <Desk status={status} signIn={signinRedirect} />
}

show(
  <AuthProvider
    userManager={userManager}
    onSigninCallback={() => history.replaceState({}, '', location.pathname)}
  >
    {isInMemory ? <FoundAgain /> : <Screen />}
  </AuthProvider>,
)
