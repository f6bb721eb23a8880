// Starts the example.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { AuthProvider, AuthToaster, createAuth } from 'latchkey'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { authConfig } from './authConfig.ts'
import { Desk } from './Desk.tsx'

const queryClient = new QueryClient()
const auth = createAuth(authConfig)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <AuthProvider auth={auth}>
        <Desk />
        <AuthToaster />
      </AuthProvider>
    </QueryClientProvider>
  </StrictMode>,
)
