// An admin app with react-oidc-context.
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth, useAutoSignin } from 'react-oidc-context'

const queryClient = new QueryClient()
const settings = {
  authority: 'https://login.example.com',
  client_id: 'admin',
  redirect_uri: `${window.location.origin}/`,
  post_logout_redirect_uri: `${window.location.origin}/goodbye`,
  scope: 'openid profile offline_access',
  onSigninCallback: () => window.history.replaceState({}, '', window.location.pathname),
}

function Staff() {
  const { isLoading, isAuthenticated, error } = useAutoSignin({ signinMethod: 'signinRedirect' })
  const { user, events, signoutRedirect } = useAuth()
  const [isStale, setIsStale] = useState(false)
  useEffect(() => events.addUserLoaded(() => setIsStale(false)), [events])
  useEffect(() => events.addSilentRenewError(() => setIsStale(true)), [events])
  useEffect(() => {
    const forget = () => {
      localStorage.removeItem('draft')
      queryClient.clear()
    }
    const removals = [events.addUserSignedOut(forget), events.addUserUnloaded(forget)]
    return () => removals.forEach((remove) => remove())
  }, [events])
  if (error) return <p role="alert">{error.message}</p>
  if (isLoading || !isAuthenticated) return <p>Loading…</p>
  const roles = user?.profile['roles']
  return (
    <>
      {isStale && <p role="alert">Your session could not be renewed.</p>}
      <button onClick={() => void signoutRedirect()}>Sign out</button>
      <h1>Invoices of {user?.profile.name}</h1>
      {Array.isArray(roles) && roles.includes('accounting') ? <Invoices /> : <p>For accounting.</p>}
    </>
  )
}

function Invoices() {
  const { user, isAuthenticated } = useAuth()
  const call = async (path: string, init?: RequestInit) => {
    const headers = { authorization: `Bearer ${user?.access_token}` }
    const response = await fetch(path, { ...init, headers })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return response.json()
  }
  const queryKey = ['invoices', user?.profile.sub]
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
      <AuthProvider {...settings}>
        {window.location.pathname === '/goodbye' ? <p>Goodbye.</p> : <Staff />}
      </AuthProvider>
    </QueryClientProvider>
  </StrictMode>,
)
