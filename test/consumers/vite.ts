// latchkey/vite in an app of its own: in development and as built, under a policy by nonce and by hash, the early script signs in before the app's files have come.
import { filesOf, readDocsPage } from '../../scripts/docsParts.ts'
import { pageWith, type Sandbox, type Sandboxes } from './sandbox.ts'
import { serveWith } from './serveWith.ts'
import type { Desk } from './signIn.ts'
import { quickStart } from './types.ts'

const NONCE = 'made-for-each-page'

export async function checkVite(sandboxes: Sandboxes, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('vite', [
    'react',
    'react-dom',
    '@tanstack/react-query',
    'vite',
    '@vitejs/plugin-react',
  ])
  sandbox.write({ ...quickStart(), ...earlyFiles(desk.authHost), 'index.html': pageWith('/src/main.tsx') })
  for (const by of ['nonce', 'hash'] as const) {
    sandbox.write({ 'vite.config.js': viteConfig(by, desk.authHost) })
    await serve(sandbox, desk, `in development, by ${by}`, ['vite/bin/vite.js', '--port', '0'])
    const built = sandbox.run('vite', 'build')
    if (built.includes('[latchkey]')) throw new Error(built)
    await serve(sandbox, desk, `as built, by ${by}`, ['vite/bin/vite.js', 'preview', '--port', '0'])
  }
  return 'the plugin’s early script has tokens before the app’s files, which take them over: in development and as built, under a policy with a nonce and with its hash'
}

async function serve(sandbox: Sandbox, desk: Desk, how: string, words: readonly string[]): Promise<void> {
  await serveWith(sandbox, words, async (origin) => {
    try {
      const page = await fetch(`${origin}/`)
      if (!page.headers.has('content-security-policy')) throw new Error('no policy')
      await desk.signIn(`${origin}/?page=2`)
      await desk.signInEarly(origin)
    } catch (error) {
      throw new Error(how, { cause: error })
    }
    return ''
  })
}

/** The two files of docs/early.md that plugin and app share. */
function earlyFiles(authHost: string): Record<string, string> {
  const { 'src/auth.ts': auth, 'src/authConfig.ts': config } = filesOf(readDocsPage('early.md'))
  if (auth === undefined || config === undefined) throw new Error('docs/early.md has not its two files')
  const own = config.replace('https://auth.example.com', authHost)
  return { 'src/auth.ts': auth.replace('https://auth.example.com', authHost), 'src/authConfig.ts': own }
}

/** Both ways of a policy. React's plugin puts a script of its own into the page of development, so it needs the nonce. */
const viteConfig = (by: 'nonce' | 'hash', authHost: string) => `import react from '@vitejs/plugin-react'
import { earlyHashes, latchkey } from 'latchkey/vite'
import { authConfig } from './src/authConfig'

const allowed = ${by === 'nonce' ? `["'nonce-${NONCE}'"]` : 'earlyHashes(authConfig)'}
const headers = {
  'content-security-policy': \`default-src 'none'; script-src 'self' \${allowed.join(' ')}; style-src 'unsafe-inline'; frame-src ${authHost}; connect-src 'self' ws: ${authHost}\`,
}
export default {
  plugins: [${by === 'nonce' ? 'react(), ' : ''}latchkey(authConfig)],
  oxc: { jsx: { runtime: 'automatic' } },
  html: ${by === 'nonce' ? `{ cspNonce: '${NONCE}' }` : '{}'},
  server: { headers },
  preview: { headers },
}
`
