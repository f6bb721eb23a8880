// `npx latchkey`: what doctor finds in an app's folder, what init writes and leaves alone, and the program itself as a process of its own.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthServer, startAuthServer } from '../../../demo/authServer/start.ts'
import { readQuickStart } from '../../../scripts/quickStartFiles.ts'
import { run } from '../../../src/cli/run.ts'
import { hashOf } from '../../../src/setup/policy.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const texts = { inline: '/* latchkey/early */ 1', oidc: '/* latchkey/early */ 2' }
const contents = { quickStart: readQuickStart(), texts, ownFolder: resolve('.') }
const folder = mkdtempSync(join(tmpdir(), 'latchkey-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

function folderWith(files: Record<string, string>): string {
  count += 1
  const root = join(folder, `app${count}`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}
const at = (name: string, ofVersion: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: ofVersion }),
})
const APP = {
  'package.json': '{}',
  'index.html': '<!doctype html><head></head>',
  'src/auth.ts': `createAuth({ authHost: 'https://auth.example.com' })`,
  ...at('latchkey', version),
  ...at('react', '19.3.1'),
  ...at('react-dom', '18.3.1'),
  ...at('@tanstack/react-query', '5.108.0'),
}

async function call(words: string[], root: string, answers?: boolean[]) {
  const said: string[] = []
  const asked: string[] = []
  const code = await run(
    words,
    {
      folder: root,
      tell: (line) => void said.push(line),
      complain: (line) => void said.push(line),
      ask: answers && (async (question) => (asked.push(question), answers.shift() === true)),
    },
    contents,
  )
  return { code, asked, text: said.join('\n') }
}

describe('latchkey doctor', () => {
  it('finds nothing wrong in a right app', async () => {
    const { code, text } = await call(['doctor'], folderWith(APP))
    expect(text).toMatch(/, 0 broken, /)
    expect(code).toBe(0)
  })

  const policy = (text: string) => ({
    'index.html': `<meta http-equiv="Content-Security-Policy" content="${text}">`,
  })
  it.each<[string, Record<string, string>, RegExp]>([
    ['another version of latchkey', at('latchkey', '0.0.1'), /WRONG .*\(latchkey\)\n.*the app has 0\.0\.1/],
    [
      'two copies of TanStack Query',
      at('other/node_modules/@tanstack/react-query', '5.100.0'),
      /WRONG +There is one copy of @tanstack\/react-query.*\n.*5\.108\.0 in .*5\.100\.0 in/,
    ],
    [
      'two copies of latchkey',
      at('@firm/ui/node_modules/latchkey', '0.0.9'),
      /WRONG +There is one copy of latchkey/,
    ],
    [
      'the editor without Monaco',
      { 'src/json.tsx': `import { JsonEditor } from 'latchkey/editor'` },
      /WRONG .*\(editor\)\n.*monaco-editor: none[\s\S]*npm install "monaco-editor@>=0\.56\.0"/,
    ],
    [
      'the editor beside a Monaco that is too old for it',
      {
        'src/json.tsx': `import { JsonEditor } from 'latchkey/editor'`,
        ...at('monaco-editor', '0.55.9'),
        ...at('@monaco-editor/react', '4.10.0'),
      },
      /WRONG .*\(editor\)\n +found: monaco-editor: 0\.55\.9\n/,
    ],
    [
      'latchkey/pubnub without pubnub',
      { 'src/auth.ts': `import { pubnub } from 'latchkey/pubnub'` },
      /WRONG .*\(pubnub\)/,
    ],
    [
      'a policy in the page',
      policy("connect-src 'self'"),
      /WRONG .*\(policy\)\n.*index\.html: connect-src lacks https:\/\/auth\.example\.com/,
    ],
    [
      'a policy in a file of headers',
      { 'public/_headers': "/*\n  Content-Security-Policy: frame-src 'none'\n" },
      /WRONG .*\(policy\)\n.*public\/_headers: frame-src lacks/,
    ],
    [
      'a policy without the second script of an OpenID Connect provider',
      {
        'vite.config.ts': `import { latchkey } from 'latchkey/vite'`,
        'src/auth.ts': `createAuth({ server: openIdConnect({ issuer: 'https://login.example.com' }) })`,
        'public/_headers': `/*\n  Content-Security-Policy: script-src 'self' ${hashOf(texts.inline)}\n`,
      },
      /WRONG .*\(policy\)\n.*public\/_headers: script-src needs 'sha256-[^']+' for the early script/,
    ],
    [
      'a policy without Keycloak, whose address is in its preset',
      {
        'src/auth.ts': `createAuth({ server: keycloak({ url: 'https://login.example.com', realm: 'staff' }) })`,
        'public/_headers': `/*\n  Content-Security-Policy: connect-src 'self'\n`,
      },
      /WRONG .*\(policy\)\n.*public\/_headers: connect-src lacks https:\/\/login\.example\.com/,
    ],
    [
      'a policy in vercel.json',
      { 'vercel.json': `{"headers":[{"key":"Content-Security-Policy","value":"connect-src 'self'"}]}` },
      /WRONG .*\(policy\)\n.*vercel\.json: connect-src lacks/,
    ],
    [
      'an early script of another version',
      { 'index.html': '<script data-auth-host="https://a.test" data-client-id="a">old()</script>' },
      /WRONG .*\(early\)\n.*another version/,
    ],
    [
      'an early script beside the plugin',
      {
        'index.html': `<script data-client-id="a">${texts.inline}</script>`,
        'vite.config.ts': `import { latchkey } from 'latchkey/vite'`,
      },
      /WRONG .*\(early\)\n.*beside that of the plugin/,
    ],
    [
      'a base without a redirect URI',
      { 'vite.config.ts': `export default { base: '/admin/' }` },
      /WRONG .*\(redirect\)\n.*base is \/admin\//,
    ],
    [
      'a redirect URI outside the base',
      {
        'src/auth.ts': `createAuth({ redirectUri: 'https://app.example.com/' })`,
        'vite.config.ts': `export default { base: '/admin/' }`,
      },
      /WRONG .*\(redirect\)\n.*base is \/admin\//,
    ],
    [
      'a persisted cache that is nobody’s',
      { 'src/main.tsx': `<PersistQueryClientProvider client={client} persistOptions={{ persister }}>` },
      /WRONG .*\(persister\)\n.*one user’s data to the next/,
    ],
    [
      'a loader that a file of a route exports, of a router that nobody has connected',
      {
        'src/main.tsx': `import { createBrowserRouter } from 'react-router'
createBrowserRouter([{ path: '/', lazy: () => import('./invoices.tsx') }])`,
        'src/invoices.tsx': 'export const loader = () => readInvoices()',
      },
      /WRONG .*\(router\)/,
    ],
    [
      'loaders of a router that nobody has connected',
      {
        'src/main.tsx': `import { createBrowserRouter } from 'react-router'
createBrowserRouter([{ path: '/', loader: () => readInvoices() }])`,
      },
      /WRONG .*\(router\)\n.*one user’s data to the next\n.*connectRouter\(router, auth\)/,
    ],
    ['no app', { 'package.json': '' }, /WRONG[\s\S]*no package\.json/],
  ])('finds %s', async (_, files, expected) => {
    const root = folderWith({ ...APP, ...files })
    if (files['package.json'] === '') rmSync(join(root, 'package.json'))
    const { code, text } = await call(['doctor', root], folder)
    expect(text).toMatch(expected)
    expect(code).toBe(1)
  })

  it('says of nothing that the app lacks that it is there', async () => {
    const { text } = await call(['doctor'], folderWith({ 'package.json': '{}' }))
    const named = [...text.matchAll(/^(?:ok|kept) .*\((\S+)\)$/gim)].map(([, id]) => id)
    expect(named).toEqual(['folder'])
  })

  it('notes what could be better, and does not fail for it', async () => {
    const { code, text } = await call(['doctor'], folderWith(APP))
    expect(text).toMatch(/^note +.*\(early\)\n +found: there is none.*\n +fix: .*latchkey\/vite/m)
    expect([code, text]).toEqual([0, expect.stringMatching(/, 0 broken, 1 noted, /)])
  })

  it('says nothing of a redirect URI that it cannot read', async () => {
    const files = {
      'src/auth.ts': 'createAuth({ redirectUri: import.meta.env.VITE_APP })',
      'vite.config.ts': `export default { base: '/admin/' }`,
    }
    const { code, text } = await call(['doctor'], folderWith({ ...APP, ...files }))
    expect([code, text]).toEqual([0, expect.stringMatching(/^- .*\(redirect\)/m)])
  })

  it('takes a persisted cache that is bound to its user', async () => {
    const files = {
      'src/main.tsx': `const kept = persistOptions(auth, { queryClient, persister })
<PersistQueryClientProvider client={queryClient} persistOptions={kept}>`,
    }
    const { code, text } = await call(['doctor'], folderWith({ ...APP, ...files }))
    expect([code, /ok .*\(persister\)/.test(text)]).toEqual([0, true])
  })

  it.each([
    ['is connected', `loader: read }])\nconnectRouter(router, auth)`, /ok .*\(router\)/],
    ['has no loaders', `Component: Home }])`, /\(router\)\n.*no router with loaders/],
    [
      'has no loaders, in a build with one for files',
      `Component: Home }])\nexport const esbuildOptions = { loader: { '.js': 'jsx' } }`,
      /\(router\)\n.*no router with loaders/,
    ],
  ])('takes a router that %s', async (_, rest, expected) => {
    const files = {
      'src/main.tsx': `import { createRouter } from '@tanstack/react-router'\nconst router = createRouter([{ ${rest}`,
    }
    const { code, text } = await call(['doctor'], folderWith({ ...APP, ...files }))
    expect(text).toMatch(expected)
    expect(code).toBe(0)
  })

  it('knows the early script of its own version', async () => {
    const page = `<script data-client-id="a">\n${texts.inline}\n</script>`
    const { text } = await call(['doctor'], folderWith({ ...APP, 'index.html': page }))
    expect(text).toMatch(/ok .*\(early\)/)
  })

  it('reads past a link that leads nowhere, as editors leave beside a file', async () => {
    const root = folderWith({ ...APP, 'src/kept.ts': '' })
    symlinkSync('nobody@nowhere.1', join(root, 'src/.#kept.ts'))
    expect((await call(['doctor', root], folder)).code).toBe(0)
  })

  it('follows no links between folders, which may go in a circle', async () => {
    const root = folderWith(APP)
    for (const name of ['up', 'again']) symlinkSync('..', join(root, 'src', name))
    expect((await call(['doctor', root], folder)).code).toBe(0)
  })

  it('reads the sources where a file has the name of their folder', async () => {
    const { code, text } = await call(
      ['doctor'],
      folderWith({ ...APP, app: 'a program', ...policy("connect-src 'self'") }),
    )
    expect([code, text]).toEqual([1, expect.stringMatching(/WRONG .*\(policy\)/)])
  })

  it('shows no control characters of what it has read', async () => {
    const files = { 'vite.config.ts': `export default { base: '/a\u001B[2J/' }` }
    const { text } = await call(['doctor'], folderWith({ ...APP, ...files }))
    expect(text).not.toContain('\u001B')
    expect(text).toContain('\\u{1b}')
  })
})

describe('latchkey init', () => {
  const empty = () => folderWith({ 'package.json': '{}' })
  const { files, oidcConfig } = readQuickStart()
  const { 'vite.config.ts': viteConfig = '', ...sources } = files
  /** What `npm create vite` writes for React. */
  const template = `import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// https://vite.dev/config/
export default defineConfig({
  plugins: [react()],
})
`

  it('writes the files of the quick start, word by word', async () => {
    const root = empty()
    const { code, text } = await call(['init'], root)
    expect(code).toBe(0)
    for (const [path, content] of Object.entries(sources))
      expect(readFileSync(join(root, path), 'utf8')).toBe(content)
    expect(Object.keys(sources)).toEqual(['src/authConfig.ts', 'src/auth.ts', 'src/Desk.tsx', 'src/main.tsx'])
    expect(text).toContain('npm install latchkey @tanstack/react-query react react-dom')
  })

  it('names your server and client, as text that cannot end a literal', async () => {
    const root = empty()
    await call(['init', '--auth-host', 'https://auth.example.com', '--client', "o'$&desk"], root)
    const config = readFileSync(join(root, 'src/authConfig.ts'), 'utf8')
    expect(config).toContain("authHost: 'https://auth.example.com'")
    expect(config).toContain(String.raw`clientId: 'o\'$&desk'`)
  })

  it('sets up an OpenID Connect provider', async () => {
    const root = empty()
    await call(['init', '--issuer', 'https://login.example.com/staff'], root)
    expect(readFileSync(join(root, 'src/authConfig.ts'), 'utf8')).toBe(
      oidcConfig.replace('http://localhost:4700', 'https://login.example.com/staff'),
    )
  })

  it('sets up Keycloak by its preset', async () => {
    const root = empty()
    await call(['init', '--issuer', 'https://login.example.com/auth/realms/our%20staff/'], root)
    expect(readFileSync(join(root, 'src/authConfig.ts'), 'utf8')).toBe(
      oidcConfig
        .replace(
          "openIdConnect({ issuer: 'http://localhost:4700' })",
          "keycloak({ url: 'https://login.example.com/auth', realm: 'our staff' })",
        )
        .replace('openIdConnect', 'keycloak'),
    )
  })

  it('replaces a file only where the answer is yes, and asks for each', async () => {
    const root = folderWith({ 'package.json': '{}', 'src/auth.ts': 'mine', 'src/main.tsx': 'mine too' })
    const { asked, text } = await call(['init'], root, [false, true])
    expect(asked).toEqual(['Replace src/auth.ts?', 'Replace src/main.tsx?'])
    expect(text).toContain('src/auth.ts has options of its own. Move them to src/authConfig.ts')
    expect(readFileSync(join(root, 'src/auth.ts'), 'utf8')).toBe('mine')
    expect(readFileSync(join(root, 'src/main.tsx'), 'utf8')).toBe(files['src/main.tsx'])
    // A second time everything but that one is as it should be.
    expect((await call(['init'], root, [])).asked).toEqual(['Replace src/auth.ts?'])
  })

  it('replaces nothing where nobody can be asked; with --yes all of src', async () => {
    const root = folderWith({ 'package.json': '{}', 'src/main.tsx': 'mine' })
    await call(['init'], root)
    expect(readFileSync(join(root, 'src/main.tsx'), 'utf8')).toBe('mine')
    await call(['init', '--yes'], root)
    expect(readFileSync(join(root, 'src/main.tsx'), 'utf8')).toBe(files['src/main.tsx'])
  })

  it('adds to the app of npm create vite: keeps its page and configs, and shows what main.tsx needs', async () => {
    const app = {
      'package.json': '{ "type": "module", "scripts": { "dev": "vite" } }',
      'index.html': 'its page',
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      'vite.config.ts': 'its config',
      'src/main.tsx': 'its main',
    }
    const root = folderWith(app)
    const { asked, text } = await call(['init'], root, [false])
    expect(asked).toEqual(['Replace src/main.tsx?'])
    expect(text).toContain('kept     vite.config.ts')
    expect(text).toContain('Put this around your app in src/main.tsx:')
    expect(text).toContain('<AuthProvider')
    expect(text).toContain('npm run dev')
    expect((await call(['init', '--yes'], root)).text).not.toContain('Put this around')
    for (const path of ['index.html', 'tsconfig.json', 'vite.config.ts'] as const)
      expect(readFileSync(join(root, path), 'utf8')).toBe(app[path])
  })

  it.each([
    ['as it is made today', template],
    [
      'with other line ends and order',
      template
        .split('\n')
        .slice(1, 3)
        .concat(template.split('\n')[0]!, template.split('\n').slice(3))
        .join('\r\n'),
    ],
  ])('puts the plugin into the config of npm create vite, after a yes: %s', async (_, config) => {
    const root = folderWith({ 'package.json': '{}', 'vite.config.ts': config })
    expect((await call(['init'], root, [false])).asked).toEqual(['Replace vite.config.ts?'])
    expect(readFileSync(join(root, 'vite.config.ts'), 'utf8')).toBe(config)
    const { text } = await call(['init'], root, [true])
    expect(readFileSync(join(root, 'vite.config.ts'), 'utf8')).toBe(viteConfig)
    expect(text).not.toContain('Add the plugin')
  })

  it('replaces no other Vite config, not with --yes either: it shows the lines of the plugin', async () => {
    const config = template.replace('[react()]', '[react(), pages()]')
    const root = folderWith({ 'package.json': '{}', 'vite.config.ts': config })
    const { text } = await call(['init', '--yes'], root)
    expect(readFileSync(join(root, 'vite.config.ts'), 'utf8')).toBe(config)
    expect(text).toContain(`Add the plugin to your Vite config:

import { latchkey } from 'latchkey/vite'
import { authConfig } from './src/authConfig.ts'
  plugins: [react(), latchkey(authConfig)],`)
  })

  it('says nothing of the plugin where the config has it', async () => {
    const config = viteConfig.replace('[react()', '[react(), pages()')
    const root = folderWith({ 'package.json': '{}', 'vite.config.ts': config })
    expect((await call(['init', '--yes'], root)).text).not.toContain('Add the plugin')
  })

  it('writes through no link', async () => {
    const root = folderWith({ 'package.json': '{}', 'src/a.ts': '', '../outside.ts': 'outside' })
    symlinkSync(join(root, '../outside.ts'), join(root, 'src/auth.ts'))
    const { text } = await call(['init', '--yes'], root)
    expect(readFileSync(join(root, '../outside.ts'), 'utf8')).toBe('outside')
    expect(text).toContain('kept     src/auth.ts')
  })

  it('refuses a folder without an app, and addresses that are none', async () => {
    expect((await call(['init'], folderWith({ 'a.txt': '' }))).code).toBe(1)
    expect((await call(['init', '--issuer', 'login'], empty())).code).toBe(2)
    expect(
      (await call(['init', '--issuer', 'https://a.test', '--auth-host', 'https://b.test'], empty())).code,
    ).toBe(2)
  })
})

describe('the program', () => {
  let program = ''
  let server: AuthServer
  beforeAll(async () => {
    mkdirSync('.cache', { recursive: true })
    program = join(mkdtempSync(resolve('.cache/cli-')), 'index.js')
    const bundle = await rolldown({
      input: 'src/cli/index.ts',
      platform: 'node',
      transform: {
        define: { QUICK_START: JSON.stringify(readQuickStart()), EARLY_TEXTS: JSON.stringify(texts) },
      },
    })
    await bundle.write({ file: program, format: 'esm' })
    server = await startAuthServer({
      host: 'localhost',
      clientId: 'admin',
      redirectUris: ['http://localhost:5173/'],
    })
  })
  afterAll(async () => {
    rmSync(dirname(program), { recursive: true, force: true })
    await server.close()
  })
  const start = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
      encoding: 'utf8',
      cwd: folder,
    })
    return { status, stdout, stderr }
  }

  it('says how it is used', () => {
    expect(start('--help')).toMatchObject({ status: 0, stderr: '' })
    expect(start()).toMatchObject({ status: 2, stdout: '' })
    expect(start('frob').stderr).toContain('There is no command frob.')
    expect(start('check', '--frob').status).toBe(2)
    expect(start('check', 'https://auth.example.com').status).toBe(2)
  })

  it('writes and examines an app in one go', () => {
    const root = folderWith(APP)
    rmSync(join(root, 'src/auth.ts'))
    expect(start('init', root).status).toBe(0)
    expect(start('doctor', root)).toMatchObject({ status: 0, stderr: '' })
  })

  it('ends quietly where nobody reads on', () => {
    const { stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${program}" --help | true`], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
  })

  it('checks a server that is not there', () => {
    const { status, stdout } = start('check', 'http://localhost:9', '--client', 'admin')
    expect(status).toBe(1)
    expect(stdout).toMatch(/\d+ kept, \d+ broken/)
  })
})
