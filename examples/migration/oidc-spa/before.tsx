// An admin app with oidc-spa. Its Vite plugin runs its early script.
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { oidcSpa } from 'oidc-spa/react-spa'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'

interface IdToken extends Record<string, unknown> {
  sub: string
  name?: string
  roles?: readonly string[]
}

const queryClient = new QueryClient()
const { bootstrapOidc, getOidc, OidcInitializationGate, useOidc, withLoginEnforced } = oidcSpa
  .withExpectedDecodedIdTokenShape({ decodedIdTokenSchema: { parse: (token) => token as IdToken } })
  .createUtils()

void bootstrapOidc({
  implementation: 'real',
  issuerUri: 'https://login.example.com',
  clientId: 'admin',
  scopes: ['profile', 'offline_access'],
})

const Staff = withLoginEnforced(() => {
  const { decodedIdToken, logout } = useOidc({ assert: 'user logged in' })
  useEffect(() => {
    const subscribing = getOidc({ assert: 'user logged in' }).then((oidc) =>
      oidc.subscribeToAccessTokenRotation(() => console.info('renewed')),
    )
    return () => void subscribing.then((subscription) => subscription.unsubscribeFromAccessTokenRotation())
  }, [])
  const signOut = async () => {
    localStorage.removeItem('draft')
    queryClient.clear()
    await logout({ redirectTo: 'specific url', url: '/goodbye' })
  }
  return (
    <>
      <button onClick={() => void signOut()}>Sign out</button>
      <h1>Invoices of {decodedIdToken.name}</h1>
      {decodedIdToken.roles?.includes('accounting') ? <Invoices /> : <p>For accounting.</p>}
    </>
  )
})

function Invoices() {
  const { isUserLoggedIn, decodedIdToken } = useOidc()
  const call = async (path: string, init?: RequestInit) => {
    const oidc = await getOidc({ assert: 'user logged in' })
    const headers = { authorization: `Bearer ${await oidc.getAccessToken()}` }
    const response = await fetch(path, { ...init, headers })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return response.json()
  }
  const queryKey = ['invoices', decodedIdToken?.sub]
  const { data = [], error } = useQuery<readonly string[]>({
    queryKey,
    queryFn: () => call('/api/invoices'),
    enabled: isUserLoggedIn,
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
      {window.location.pathname === '/goodbye' ? (
        <p>Goodbye.</p>
      ) : (
        <OidcInitializationGate fallback={<p>Loading…</p>}>
          <Staff />
        </OidcInitializationGate>
      )}
    </QueryClientProvider>
  </StrictMode>,
)
