// An admin app with keycloak-js, and the smallest React state around it.
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import Keycloak from 'keycloak-js'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const queryClient = new QueryClient()
const keycloak = new Keycloak({ url: 'https://login.example.com', realm: 'staff', clientId: 'admin' })

function Staff() {
  const [isStale, setIsStale] = useState(false)
  useEffect(() => {
    keycloak.onAuthRefreshSuccess = () => setIsStale(false)
    keycloak.onAuthRefreshError = () => setIsStale(true)
    keycloak.onTokenExpired = () => void keycloak.updateToken(30).catch(() => {})
    keycloak.onAuthLogout = () => {
      localStorage.removeItem('draft')
      queryClient.clear()
      void keycloak.login()
    }
  }, [])
  const signOut = () => keycloak.logout({ redirectUri: `${window.location.origin}/goodbye` })
  return (
    <>
      {isStale && <p role="alert">Your session could not be renewed.</p>}
      <button onClick={() => void signOut()}>Sign out</button>
      <h1>Invoices of {keycloak.idTokenParsed?.['name']}</h1>
      {keycloak.hasRealmRole('accounting') ? <Invoices /> : <p>For accounting.</p>}
    </>
  )
}

function Invoices() {
  const call = async (path: string, init?: RequestInit) => {
    await keycloak.updateToken(30)
    const response = await fetch(path, { ...init, headers: { authorization: `Bearer ${keycloak.token}` } })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return response.json()
  }
  const queryKey = ['invoices', keycloak.subject]
  const { data = [], error } = useQuery<readonly string[]>({
    queryKey,
    queryFn: () => call('/api/invoices'),
    enabled: keycloak.authenticated === true,
  })
  const { mutate } = useMutation({
    mutationFn: () => call('/api/invoices', { method: 'POST' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  })
  if (error) return <p role="alert">{error.message}</p>
  return <button onClick={() => mutate()}>Add to {data.length} invoices</button>
}

const root = createRoot(document.getElementById('root')!)
if (window.location.pathname === '/goodbye') root.render(<p>Goodbye.</p>)
else {
  root.render(<p>Loading…</p>)
  try {
    await keycloak.init({ onLoad: 'login-required', pkceMethod: 'S256' })
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <Staff />
        </QueryClientProvider>
      </StrictMode>,
    )
  } catch (error) {
    root.render(<p role="alert">{String(error)}</p>)
  }
}
