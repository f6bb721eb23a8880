// Puts the app on the page: the query client, the session, and whatever the session's state calls for.
import 'latchkey/early'
// Before what the screens add to it, in one file or in many.
import './app.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { AuthProvider } from 'latchkey'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { auth } from './auth.ts'
import { GateDevtools } from './gate/GateDevtools.tsx'
import { Splash } from './gate/Splash.tsx'
import { keepPlace } from './shell/keepPlace.ts'
import { Toasts } from './shell/Toasts.tsx'

keepPlace()

const queryClient = new QueryClient()
const root = document.querySelector('#root')
if (!root) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <AuthProvider auth={auth} fallback={<Splash text="Checking your session" />}>
        <App />
        <Toasts />
      </AuthProvider>
      <GateDevtools />
    </QueryClientProvider>
  </StrictMode>,
)
