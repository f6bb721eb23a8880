// An app of somebody who sets latchkey up, with one mistake in it: what a test has put into /setup.js.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  type AuthConfig,
  Authenticated,
  AuthProvider,
  AuthToaster,
  createAuth,
  useAuth,
  useLinkCloudAccount,
} from 'latchkey'
import { JsonEditor } from 'latchkey/editor'
import { openIdConnect } from 'latchkey/oidc'
import { pubnub } from 'latchkey/pubnub'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

/** What /setup.js holds. */
export interface Setup {
  config: Record<string, unknown>
  /** In place of `authHost`. */
  provider?: Parameters<typeof openIdConnect>[0]
  /** Real time over PubNub. */
  realtime?: Parameters<typeof pubnub>[0]
  mistake?:
    | 'no query client'
    | 'hook outside'
    | 'two clients'
    | 'router first'
    | 'popup after await'
    | 'editor'
}

declare global {
  var setup: Setup
}

const { config, provider, realtime, mistake } = globalThis.setup
const settings = {
  clientId: 'admin',
  scopes: ['openid', 'profile'],
  ...config,
  ...(provider && { server: openIdConnect(provider) }),
  ...(realtime && { realtime: pubnub(realtime) }),
} as AuthConfig

if (mistake === 'router first') history.replaceState(null, '', location.pathname)

const auth = createAuth(settings)

function Desk() {
  const { user } = useAuth()
  const { mutate } = useLinkCloudAccount()
  // A request first: then the browser no longer counts the click.
  const link = async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    mutate()
  }
  return (
    <main>
      <h1>Signed in as {user?.userId}</h1>
      <button type="button" onClick={() => void link()}>
        Link
      </button>
    </main>
  )
}

function Session({ children }: { children: ReactNode }) {
  return (
    <AuthProvider auth={auth} fallback={<p>Checking…</p>}>
      {children}
    </AuthProvider>
  )
}

const app = (
  <Session>
    <Authenticated login>
      <Desk />
    </Authenticated>
    <AuthToaster />
  </Session>
)
const apps: Partial<Record<NonNullable<Setup['mistake']>, ReactNode>> = {
  'no query client': app,
  'hook outside': (
    <QueryClientProvider client={new QueryClient()}>
      <Desk />
      {app}
    </QueryClientProvider>
  ),
  'two clients': (
    <QueryClientProvider client={new QueryClient()}>
      {app}
      <AuthProvider auth={createAuth(settings)}>{null}</AuthProvider>
    </QueryClientProvider>
  ),
}
if (mistake === 'editor') apps.editor = <JsonEditor label="Link map" defaultValue="{}" />
createRoot(document.getElementById('root')!).render(
  (mistake && apps[mistake]) ?? <QueryClientProvider client={new QueryClient()}>{app}</QueryClientProvider>,
)
