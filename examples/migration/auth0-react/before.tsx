// An admin app with auth0-react.
import { Auth0Provider, useAuth0, withAuthenticationRequired } from '@auth0/auth0-react'
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

const queryClient = new QueryClient()

const Staff = withAuthenticationRequired(() => {
  const { user, error, logout } = useAuth0()
  const [isStale, setIsStale] = useState(false)
  const signOut = async () => {
    localStorage.removeItem('draft')
    queryClient.clear()
    await logout({ logoutParams: { returnTo: `${window.location.origin}/goodbye` } })
  }
  if (error) return <p role="alert">{error.message}</p>
  const roles: unknown = user?.['https://example.com/roles']
  return (
    <>
      {isStale && <p role="alert">Your session could not be renewed.</p>}
      <button onClick={() => void signOut()}>Sign out</button>
      <h1>Invoices of {user?.name}</h1>
      {Array.isArray(roles) && roles.includes('accounting') ? (
        <Invoices onStale={() => setIsStale(true)} />
      ) : (
        <p>For accounting.</p>
      )}
    </>
  )
})

function Invoices({ onStale }: { onStale: () => void }) {
  const { user, isAuthenticated, getAccessTokenSilently, loginWithRedirect } = useAuth0()
  const call = async (path: string, init?: RequestInit) => {
    const token = await getAccessTokenSilently().catch(async (error: { error?: string }) => {
      if (error.error === 'login_required') await loginWithRedirect()
      onStale()
      throw error
    })
    const response = await fetch(path, { ...init, headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return response.json()
  }
  const queryKey = ['invoices', user?.sub]
  const { data = [], error } = useQuery<readonly string[]>({
    queryKey,
    queryFn: () => call('/api/invoices'),
    enabled: isAuthenticated,
  })
  const { mutate } = useMutation({
    mutationFn: () => call('/api/invoices', { method: 'POST' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  })
  if (error) return <p role="alert">{error.message}</p>
  return <button onClick={() => mutate()}>Add to {data.length} invoices</button>
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Auth0Provider
        domain="example.eu.auth0.com"
        clientId="admin"
        authorizationParams={{
          redirect_uri: window.location.origin,
          audience: 'https://api.example.com',
          scope: 'openid profile offline_access',
        }}
        useRefreshTokens
        onRedirectCallback={(state) => window.history.replaceState({}, '', state?.returnTo)}
      >
        {window.location.pathname === '/goodbye' ? <p>Goodbye.</p> : <Staff />}
      </Auth0Provider>
    </QueryClientProvider>
  </StrictMode>,
)
