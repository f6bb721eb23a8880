// The packed package in a Next app: imported and rendered on the server, hydrated, signed in with a real browser.
import { readFileSync } from 'node:fs'
import type { Sandboxes } from './sandbox.ts'
import { serveWith } from './serveWith.ts'
import type { Desk } from './signIn.ts'

/** The line of docs/sessionWorker.md. */
const WORKER = `(options) => new SharedWorker(new URL('latchkey/worker', import.meta.url), { ...options, type: 'module' })`
/** What this check looks at. */
const EXPOSED = `if (typeof window !== 'undefined') Object.assign(window, { auth })`

export async function checkNext(sandboxes: Sandboxes, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('next', [
    'next@16.4.6',
    'react',
    'react-dom',
    '@tanstack/react-query',
    'typescript@5.9.3',
    '@types/react',
    '@types/node',
  ])
  const recipes = readFileSync('docs/recipes.md', 'utf8').replaceAll('\r\n', '\n')
  const providers = /```tsx\n('use client'[\s\S]*?)```/.exec(recipes)?.[1] ?? ''
  sandbox.write({
    'next.config.js': `export default { turbopack: { root: import.meta.dirname } }\n`,
    'app/providers.tsx': providers
      .replace('https://auth.example.com', desk.authHost)
      .replace("scopes: ['openid'] })", `scopes: ['openid'], sessionWorker: ${WORKER} })\n${EXPOSED}`),
    'app/layout.tsx': `import type { ReactNode } from 'react'
import { Providers } from './providers'
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body><Providers>{children}</Providers></body></html>
}
`,
    // A server component that imports the package itself: it works only where 'use client' is kept.
    'app/page.tsx': `import { Authenticated } from 'latchkey'
import { Desk } from './desk'
export default function Page() {
  return <Authenticated><Desk /></Authenticated>
}
`,
    'app/desk.tsx': `'use client'
import { useAuth, useUserInfo } from 'latchkey'
export function Desk() {
  const { logout } = useAuth()
  const { data } = useUserInfo()
  return <main><h1>Hello {String(data?.['name'] ?? '…')}</h1><button onClick={() => void logout()}>Sign out</button></main>
}
`,
  })
  sandbox.run('next', 'build')

  return serveWith(sandbox, ['next/dist/bin/next', 'start', '--port', '0'], async (origin) => {
    const html = await (await fetch(`${origin}/`)).text()
    if (!html.includes('Checking your session…')) throw new Error('the server did not render the fallback')
    await desk.signIn(origin)
    await desk.reloadByWorker(origin)
    return 'builds, the session worker included; a reload asks nothing of the server; renders the fallback on the server, hydrates without a complaint and signs in; a server component imports it directly'
  })
}
