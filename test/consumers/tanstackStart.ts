// The packed package in a TanStack Start app, as docs/tanstackStart.md has it: rendered on the server, hydrated, signed in with a real browser.
import { codeIn, filesOf, readDocsPage } from '../../scripts/docsParts.ts'
import { API, checkApi, startIssuer } from './api.ts'
import { type Sandboxes, STRICT_TSCONFIG } from './sandbox.ts'
import { serveWith } from './serveWith.ts'
import type { Desk } from './signIn.ts'

export async function checkTanstackStart(sandboxes: Sandboxes, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('tanstack-start', [
    '@tanstack/react-start@1.169.5',
    '@tanstack/react-router',
    '@tanstack/react-query',
    'react',
    'react-dom',
    'vite',
    '@vitejs/plugin-react',
    'typescript@5.9.3',
    '@types/react',
    '@types/react-dom',
    'jose',
  ])
  const issuer = await startIssuer()
  sandbox.write({
    ...pageFiles(desk.authHost),
    'vite.config.js': `import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
export default { plugins: [tanstackStart(), react()] }
`,
    'tsconfig.json': STRICT_TSCONFIG,
    'src/checkToken.ts': `import { createTokenCheck } from 'latchkey/server'
export const checkToken = createTokenCheck({ issuer: '${issuer.issuer}', audience: '${API}' })
`,
    'src/routes/api/invoices.ts': LOADED_ROUTE,
    'src/routes/api/guarded.ts': guardedRoute(),
  })
  try {
    sandbox.run('vite', 'build')
    // The build has written the tree of routes, which the types of the routes come from.
    sandbox.run('tsc', '-p', '.')

    return await serveWith(sandbox, ['vite/bin/vite.js', 'preview', '--port', '0'], async (origin) => {
      for (const [path, text] of [
        ['/', 'Open to everybody'],
        ['/', 'Checking your session…'],
        ['/invoices', 'Checking your session…'],
      ] as const) {
        const html = await (await fetch(origin + path)).text()
        if (!html.includes(text)) throw new Error(`the server did not render "${text}" at ${path}`)
      }
      await desk.signIn(`${origin}/invoices?x=1#y`, '2 invoices')
      const api = await checkApi(`${origin}/api/guarded`, issuer)
      return `builds, its types included; renders public content and the fallbacks on the server, hydrates without a complaint and signs in; a guarded route shows its own screen after sign-in, reload, sign-out and the next sign-in; ${api}`
    })
  } finally {
    await issuer.close()
  }
}

/** What the loader of the page reads, for callers with a token. */
const LOADED_ROUTE = `import { createFileRoute } from '@tanstack/react-router'
export const Route = createFileRoute('/api/invoices')({
  server: { handlers: { GET: ({ request }) =>
    request.headers.has('authorization') ? Response.json([{ id: '7' }, { id: '8' }]) : new Response(null, { status: 401 }),
  } },
})
`

/** The route of docs/server.md, with a second handler that needs a scope. */
function guardedRoute(): string {
  const route = codeIn(readDocsPage('server.md'), 'ts').find((code) =>
    code.startsWith('import { createFileRoute }'),
  )
  if (route === undefined) throw new Error('docs/server.md has no route for TanStack Start')
  return route
    .replace('/api/invoices', '/api/guarded')
    .replace(
      'handlers: {',
      "handlers: { POST: guard(checkToken, ({ userId }) => Response.json({ writtenBy: userId }), { scopes: ['invoices.write'] }),",
    )
}

/** The files of the page, by the names above them. */
function pageFiles(authHost: string): Record<string, string> {
  const files = filesOf(readDocsPage('tanstackStart.md'))
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, text.replace('https://auth.example.com', authHost)]),
  )
}
