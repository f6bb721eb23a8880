// The packed package in a Next app: imported and rendered on the server, hydrated, signed in with a real browser.
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeIn, readDocsPage } from '../../scripts/docsParts.ts'
import { API, checkApi, guarded, startBoundProvider, startIssuer } from './api.ts'
import type { Sandboxes } from './sandbox.ts'
import { serveWith } from './serveWith.ts'
import type { Desk } from './signIn.ts'

/** The page whose scripts run by a nonce alone. */
const STRICT = '/bound'

export async function checkNext(sandboxes: Sandboxes, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('next', [
    'next@16.4.6',
    'react',
    'react-dom',
    '@tanstack/react-query',
    'typescript@5.9.3',
    '@types/react',
    '@types/node',
    'jose',
    'monaco-editor',
    '@monaco-editor/react',
  ])
  const issuer = await startIssuer()
  const provider = await startBoundProvider()
  const block = (path: string, start: string, part = '') =>
    codeIn(readDocsPage(path), 'tsx').find((code) => code.startsWith(start) && code.includes(part)) ?? ''
  const page = block('next.md', 'import { Authenticated }', 'export default')
  const providers = block('next.md', "'use client'")
  const [own = ''] = codeIn(readDocsPage('next.md'), 'ts')
  const layout = block('server.md', 'import type { ReactNode }')
  const strictLayout = block('next.md', 'import { connection }')
  const proxy = codeIn(readDocsPage('next.md'), 'ts').find((code) => code.includes("'strict-dynamic'")) ?? ''
  sandbox.write({
    'next.config.js': `export default { turbopack: { root: import.meta.dirname } }\n`,
    'app/auth.ts': own.replace('https://auth.example.com', desk.authHost),
    'app/providers.tsx': providers,
    'app/(desk)/layout.tsx': layout
      .replace('https://auth.example.com', desk.authHost)
      .replace("import type { ReactNode } from 'react'\n", "$&import { Providers } from '../providers'\n")
      .replace('{children}</body>', '<Providers>{children}</Providers></body>'),
    'app/(bound)/layout.tsx': strictLayout,
    'proxy.ts': proxy
      .replaceAll('https://auth.example.com', provider.issuer)
      .replace(/matcher: .*'/, `matcher: '${STRICT}'`),
    'app/(bound)/bound/page.tsx': boundPage(provider.issuer),
    'app/api/invoices/route.ts': guarded(issuer.issuer),
    'app/api/edge/route.ts': `export const runtime = 'edge'\n${guarded(issuer.issuer)}`,
    'app/(desk)/editor/page.tsx': EDITOR_PAGE,
    'app/api/bound/route.ts': guarded(provider.issuer),
    // A server component that imports the package itself: it works only where 'use client' is kept.
    'app/(desk)/page.tsx': `import { Desk } from '../desk'\n${page.replace('<h2>Your invoices</h2>', '<Desk />')}`,
    // The sign-in page comes back to `/`: this screen is there only if the router was told.
    'app/(desk)/deep/page.tsx': `import { Desk } from '../../desk'\n${page.replace('<h2>Your invoices</h2>', '<Desk />').replace('Invoices for everybody', 'Deep')}`,
    'app/desk.tsx': `'use client'
import { useAuth, useUserInfo } from 'latchkey'
export function Desk() {
  const { logout } = useAuth()
  const { data } = useUserInfo()
  return <main><h2>Hello {String(data?.['name'] ?? '…')}</h2><button onClick={() => void logout()}>Sign out</button></main>
}
`,
  })
  try {
    sandbox.run('next', 'build')
    return await serveWith(sandbox, ['next/dist/bin/next', 'start', '--port', '0'], async (origin) => {
      const html = await (await fetch(`${origin}/`)).text()
      for (const text of ['Invoices for everybody', 'Checking your session…'])
        if (!html.includes(text)) throw new Error(`the server did not render "${text}"`)
      await desk.signInEarly(origin)
      await desk.signIn(`${origin}/deep?x=1`, 'Hello Anna', 'Deep')
      const api = await checkApi(`${origin}/api/invoices`, issuer)
      await checkApi(`${origin}/api/edge`, issuer)
      const large = largeServerFiles(sandbox.path)
      if (large.length > 0) throw new Error(`Monaco is in the server build: ${large.join(', ')}`)
      const policy = (await fetch(origin + STRICT)).headers.get('content-security-policy')
      if (!/'nonce-[\w-]+' 'strict-dynamic'/.test(policy ?? '')) throw new Error(`the policy is ${policy}`)
      await desk.readBound(origin + STRICT)
      return `builds; renders public content and the fallback on the server, hydrates without a complaint and signs in; a deep link shows its own screen after sign-in, reload and sign-out; a server component imports it directly; the early script signs in before the app’s files; ${api}, on the edge runtime too; the server build has no Monaco; auth.fetch with a key reads it, on a page whose scripts run by a nonce for each request`
    })
  } finally {
    await provider.close()
    await issuer.close()
  }
}

/** A client component with the editor, which the server renders too. */
const EDITOR_PAGE = `'use client'
import { JsonEditor } from 'latchkey/editor'
export default function Page() {
  return <JsonEditor label="Map" defaultValue="[1]" />
}
`

/** What is longer than all of an app together: Monaco has four megabytes. */
const largeServerFiles = (path: string) =>
  globSync('.next/server/**/*.js', { cwd: path }).filter(
    (file) => statSync(join(path, file)).size > 1_000_000,
  )

/** A page whose tokens are bound to a key of the browser, and that calls the app's own API. */
const boundPage = (issuer: string) => `'use client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Authenticated, AuthProvider, createAuth, useAuthed } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'

const auth = createAuth({
  server: openIdConnect({ issuer: '${issuer}', dpop: 'required', parameters: { resource: '${API}' } }),
  clientId: 'admin',
  scopes: ['openid', 'profile'],
  redirectUri: typeof window === 'undefined' ? undefined : \`\${location.origin}/bound\`,
})
const queryClient = new QueryClient()

export default function Page() {
  return (
    <QueryClientProvider client={queryClient}>
      <AuthProvider auth={auth}>
        <Authenticated><Bound /></Authenticated>
      </AuthProvider>
    </QueryClientProvider>
  )
}

function Bound() {
  const { data } = useAuthed<{ invoicesOf: string; isBound: boolean }>({
    queryKey: ['invoices'],
    queryFn: () => auth.fetch('/api/bound'),
  })
  return data ? <h1>Invoices of {data.invoicesOf}, bound: {String(data.isBound)}</h1> : null
}
`
