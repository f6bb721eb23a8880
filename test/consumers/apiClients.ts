// The packed package under the API clients that people have, as docs/apiClients.md has it: each sends the token, renews it after a 401, and repeats its call.
import { expect } from 'playwright/test'
import { filesOf, readDocsPage } from '../../scripts/docsParts.ts'
import { pageWith, type Sandboxes, viteConfigWith } from './sandbox.ts'
import { serveWith } from './serveWith.ts'
import type { Desk } from './signIn.ts'

/** One call of each client. */
const CALLS: Readonly<Record<string, string>> = {
  axios: `withAxios.get('/api/invoices').then(({ data }) => data.bearer)`,
  ky: `withKy<{ bearer: string }>('/api/invoices').json().then(({ bearer }) => bearer)`,
  'openapi-fetch': `(withOpenapi as any).GET('/api/invoices').then(({ data }: any) => data.bearer)`,
  urql: `withUrql.query('{ bearer }', {}).toPromise().then(({ data }) => data.bearer)`,
  Apollo: `withApollo.query({ query: gql('{ bearer }'), fetchPolicy: 'no-cache' }).then(({ data }: any) => data.bearer)`,
  tRPC: `(withTrpc as any).invoices.query().then(({ bearer }: any) => bearer)`,
}

/** Says with which token it was called; the first token of each path is refused. */
const API_OF_APP = viteConfigWith(`const refused = new Map()
const api = (request, response) => {
  const { pathname } = new URL(request.url, 'http://app')
  const bearer = /^Bearer (.+)/.exec(request.headers.authorization ?? '')?.[1]
  const send = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (pathname === '/forget') return send(200, refused.clear())
  if (!refused.has(pathname)) refused.set(pathname, bearer)
  if (!bearer || refused.get(pathname) === bearer) return send(401, {})
  if (pathname === '/graphql') return send(200, { data: { bearer } })
  send(200, pathname.startsWith('/trpc') ? { result: { data: { bearer } } } : { bearer })
}
`)

export async function checkApiClients(sandboxes: Sandboxes, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('api-clients', [
    'axios@1',
    'ky@2',
    'openapi-fetch@0',
    'urql@5',
    'graphql@16',
    '@apollo/client@4',
    '@trpc/client@11',
    '@trpc/server@11',
    'rxjs@7',
    'react',
    'react-dom',
    '@tanstack/react-query',
    'vite',
  ])
  const { 'src/clients.ts': clients = '' } = filesOf(readDocsPage('apiClients.md'))
  sandbox.write({
    'src/clients.ts': clients.replace('https://auth.example.com', desk.authHost),
    'src/main.tsx': `import { gql } from '@apollo/client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Authenticated, AuthProvider } from 'latchkey'
import { createRoot } from 'react-dom/client'
import { auth, withApollo, withAxios, withKy, withOpenapi, withTrpc, withUrql } from './clients'

const queryClient = new QueryClient()
Object.assign(window, { auth, calls: { ${Object.entries(CALLS)
      .map(([name, call]) => `'${name}': () => ${call}`)
      .join(', ')} } })
createRoot(document.querySelector('#root')!).render(
  <QueryClientProvider client={queryClient}>
    <AuthProvider auth={auth}><Authenticated login><h1>Hello Anna</h1></Authenticated></AuthProvider>
  </QueryClientProvider>,
)
`,
    'index.html': pageWith('/src/main.tsx'),
    'vite.config.js': API_OF_APP,
  })
  sandbox.run('vite', 'build', '--logLevel=error')
  return serveWith(sandbox, ['vite/bin/vite.js', 'preview', '--port', '0'], async (origin) => {
    const faults: string[] = []
    for (const name of Object.keys(CALLS)) {
      // A browser of its own: a token that came from a renewal is not renewed again at once.
      const { page, close } = await desk.openPage()
      try {
        await desk.start(page, origin)
        await page.getByRole('heading', { name: 'Hello Anna' }).waitFor()
        const before = await page.evaluate(`auth.getAccessToken()`)
        await page.evaluate(() => fetch('/api/forget'))
        const sentWith = await page.evaluate(`calls['${name}']()`)
        expect(sentWith).not.toBe(before)
        expect(sentWith).toBe(await page.evaluate(`auth.getAccessToken()`))
      } catch (error) {
        faults.push(`${name}: ${(error as Error).message.split('\n')[0]}`)
      }
      await close()
    }
    if (faults.length > 0) throw new Error(faults.join('\n'))
    return `${Object.keys(CALLS).join(', ')}: one line each; a call that gets a 401 goes out again with a renewed token`
  })
}
