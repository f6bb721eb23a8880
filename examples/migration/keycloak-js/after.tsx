// The app of before.tsx with latchkey.
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { Authenticated, AuthProvider, createAuth, useAuth, userText } from 'latchkey'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { server } from './server'

declare module 'latchkey' {
  interface Register {
    user: { name: string; roles: readonly string[] }
  }
}

const queryClient = new QueryClient()
const auth = createAuth({
  server,
  clientId: 'admin',
  scopes: ['openid', 'profile'],
  autoLogin: false,
  autoRefreshToken: true,
  claims: (idToken, accessToken) => {
    const realm = accessToken?.['realm_access'] as { roles?: readonly string[] } | undefined
    return { name: String(idToken['name']), roles: realm?.roles ?? [] }
  },
})
auth.onUserGone(() => localStorage.removeItem('draft'))

function Staff() {
  const { user, isTokenExpired, logout } = useAuth()
  return (
    <>
      {isTokenExpired && <p role="alert">Your session could not be renewed.</p>}
      <button onClick={() => void logout({ returnTo: '/goodbye' })}>Sign out</button>
      <h1>Invoices of {user?.name}</h1>
      <Authenticated allow={({ roles }) => roles.includes('accounting')} forbidden={<p>For accounting.</p>}>
        <Invoices />
      </Authenticated>
    </>
  )
}

function Invoices() {
  const { user } = useAuth()
  const queryKey = ['invoices', user?.userId]
  const { data = [], error } = useQuery({
    queryKey,
    queryFn: () => auth.fetch<readonly string[]>('/api/invoices'),
  })
  const { mutate } = useMutation({
    mutationFn: () => auth.fetch('/api/invoices', { method: 'POST' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  })
  if (error) return <p role="alert">{userText(error)}</p>
  return <button onClick={() => mutate()}>Add to {data.length} invoices</button>
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <AuthProvider auth={auth} fallback={<p>Loading…</p>}>
        {window.location.pathname === '/goodbye' ? (
          <p>Goodbye.</p>
        ) : (
          <Authenticated login fallback={<p>Loading…</p>}>
            <Staff />
          </Authenticated>
        )}
      </AuthProvider>
    </QueryClientProvider>
  </StrictMode>,
)
