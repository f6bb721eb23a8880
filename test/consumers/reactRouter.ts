// The packed package in React Router's framework mode, as docs/reactRouterFramework.md has it: with server rendering and without.
import { filesOf, readDocsPage } from '../../scripts/docsParts.ts'
import type { Sandbox, Sandboxes } from './sandbox.ts'
import { serveWith } from './serveWith.ts'
import type { Desk } from './signIn.ts'

export async function checkReactRouter(sandboxes: Sandboxes, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('react-router', [
    '@react-router/dev@7.18.4',
    '@react-router/node@7.18.4',
    '@react-router/serve@7.18.4',
    'react-router@7.18.4',
    'isbot@5',
    'react',
    'react-dom',
    '@tanstack/react-query',
    'vite@7',
    'typescript@5.9.3',
  ])
  const files = filesOf(readDocsPage('reactRouterFramework.md'))
  sandbox.write({
    ...Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path,
        // A file, which both servers have in common.
        text.replace('https://auth.example.com', desk.authHost).replace('/api/invoices', '$&.json'),
      ]),
    ),
    'public/api/invoices.json': '[{ "id": "7" }, { "id": "8" }]',
    'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite'
export default { plugins: [reactRouter()] }
`,
  })
  for (const ssr of [true, false]) {
    if (!ssr) moveFallback(sandbox)
    sandbox.write({ 'react-router.config.ts': `export default { ssr: ${ssr} }\n` })
    sandbox.run('react-router', 'build')
    const words = ssr
      ? ['@react-router/serve/bin.js', 'build/server/index.js']
      : ['vite/bin/vite.js', 'preview', '--port', '0', '--outDir', 'build/client']
    await serveWith(sandbox, words, async (origin) => {
      await desk.signIn(`${origin}/invoices?x=1#y`, '2 invoices')
      return ''
    })
  }
  return 'signs in by the code of its page, with server rendering and without; a guarded route shows its own screen after sign-in, reload, sign-out and the next sign-in'
}

/** Without server rendering it stands in the root, as the page says. */
function moveFallback(sandbox: Sandbox): void {
  const route = sandbox.read('app/routes/staff.tsx')
  const rest = route.replace(/^export const HydrateFallback.*\n/m, '')
  if (rest === route) throw new Error('the page has no HydrateFallback')
  sandbox.write({
    'app/routes/staff.tsx': rest,
    'app/root.tsx': `${sandbox.read('app/root.tsx')}\nexport const HydrateFallback = () => <p>Loading…</p>\n`,
  })
}
