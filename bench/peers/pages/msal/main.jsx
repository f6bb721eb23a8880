// msal-react as its guide sets it up, for a provider other than Microsoft's: tokens in session storage, with or without a silent sign-in.
import { InteractionStatus, ProtocolMode, PublicClientApplication } from '@azure/msal-browser'
import { MsalProvider, useIsAuthenticated, useMsal } from '@azure/msal-react'
import { useEffect, useState } from 'react'
import { config, Desk, offer, show } from '../../page/offer.jsx'

const looksSilently = config.mode === 'silent'
// The library requires https, which a local server lacks; the metadata has the real address.
const authority = 'https://bench.test'
const at = (path) => `${config.origin}${path}`

const instance = new PublicClientApplication({
  auth: {
    clientId: config.clientId,
    authority,
    knownAuthorities: ['bench.test'],
    redirectUri: `${location.origin}/redirect.html`,
    authorityMetadata: JSON.stringify({
      issuer: config.origin,
      authorization_endpoint: at('/oauth/authorize'),
      token_endpoint: at('/oauth/token'),
      end_session_endpoint: at('/session/end'),
      jwks_uri: at('/jwks'),
    }),
  },
  system: { protocolMode: ProtocolMode.OIDC },
})

const scopes = ['openid', 'profile', 'offline_access']
const silently = (request) =>
  instance.acquireTokenSilent({ scopes, account: instance.getAllAccounts()[0], ...request })
offer({
  ask: async () => (await silently()).accessToken,
  renew: () => silently({ forceRefresh: true }),
})

// Redirects lead straight to the app; hidden frames lead to the library's own page.
const signIn = () => instance.loginRedirect({ scopes, redirectUri: `${location.origin}/` })

function Screen() {
  const { inProgress } = useMsal()
  const isAuthenticated = useIsAuthenticated()
  const status = isAuthenticated
    ? 'authenticated'
    : inProgress === InteractionStatus.None
      ? 'unauthenticated'
      : 'initializing'
  return <Desk status={status} signIn={signIn} />
}

function FoundAgain() {
  const { inProgress } = useMsal()
  const isAuthenticated = useIsAuthenticated()
  const [hasLooked, setHasLooked] = useState(false)
  const isToLook = !isAuthenticated && !hasLooked && inProgress === InteractionStatus.None
  useEffect(() => {
    if (!isToLook) return
    instance
      .ssoSilent({ scopes })
      .catch(() => {})
      .finally(() => setHasLooked(true))
  }, [isToLook])
  const status = isAuthenticated ? 'authenticated' : hasLooked ? 'unauthenticated' : 'initializing'
  return <Desk status={status} signIn={signIn} />
}

show(<MsalProvider instance={instance}>{looksSilently ? <FoundAgain /> : <Screen />}</MsalProvider>)
