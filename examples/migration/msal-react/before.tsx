// An admin app with msal-react.
import { EventType, InteractionRequiredAuthError, InteractionType } from '@azure/msal-browser'
import { PublicClientApplication } from '@azure/msal-browser'
import { MsalAuthenticationTemplate, MsalProvider, useIsAuthenticated, useMsal } from '@azure/msal-react'
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const queryClient = new QueryClient()
const msal = new PublicClientApplication({
  auth: {
    clientId: 'admin',
    authority: 'https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000',
    redirectUri: '/',
    postLogoutRedirectUri: '/goodbye',
  },
})
const request = { scopes: ['api://invoices/read'] }

function Staff() {
  const { instance, accounts } = useMsal()
  const [isStale, setIsStale] = useState(false)
  useEffect(() => {
    const id = instance.addEventCallback(({ eventType }) => {
      if (eventType === EventType.ACQUIRE_TOKEN_SUCCESS) setIsStale(false)
      if (eventType === EventType.ACQUIRE_TOKEN_FAILURE) setIsStale(true)
      if (eventType === EventType.LOGOUT_SUCCESS) localStorage.removeItem('draft')
    })
    return () => {
      if (id) instance.removeEventCallback(id)
    }
  }, [instance])
  const signOut = async () => {
    queryClient.clear()
    await instance.logoutRedirect()
  }
  return (
    <>
      {isStale && <p role="alert">Your session could not be renewed.</p>}
      <button onClick={() => void signOut()}>Sign out</button>
      <h1>Invoices of {accounts[0]?.name}</h1>
      {accounts[0]?.idTokenClaims?.roles?.includes('accounting') ? <Invoices /> : <p>For accounting.</p>}
    </>
  )
}

function Invoices() {
  const { instance, accounts } = useMsal()
  const isAuthenticated = useIsAuthenticated()
  const [account] = accounts
  const call = async (path: string, init?: RequestInit) => {
    try {
      const { accessToken } = await instance.acquireTokenSilent({ ...request, ...(account && { account }) })
      const response = await fetch(path, { ...init, headers: { authorization: `Bearer ${accessToken}` } })
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      return await response.json()
    } catch (error) {
      if (error instanceof InteractionRequiredAuthError) await instance.acquireTokenRedirect(request)
      throw error
    }
  }
  const queryKey = ['invoices', account?.homeAccountId]
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

await msal.initialize()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <MsalProvider instance={msal}>
        {window.location.pathname === '/goodbye' ? (
          <p>Goodbye.</p>
        ) : (
          <MsalAuthenticationTemplate
            interactionType={InteractionType.Redirect}
            authenticationRequest={request}
            errorComponent={({ error }) => <p role="alert">{error?.message}</p>}
            loadingComponent={() => <p>Loading…</p>}
          >
            <Staff />
          </MsalAuthenticationTemplate>
        )}
      </MsalProvider>
    </QueryClientProvider>
  </StrictMode>,
)
