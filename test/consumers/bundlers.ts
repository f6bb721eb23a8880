// The packed package in esbuild, webpack and Rspack: it builds, signs in, and leaves out what nobody imports.
import { join } from 'node:path'
import { codeIn, readDocsPage } from '../../scripts/docsParts.ts'
import { serveFolder } from '../../scripts/serveFolder.ts'
import { pageWith, type Sandbox, type Sandboxes } from './sandbox.ts'
import type { Desk } from './signIn.ts'
import { quickStart } from './types.ts'

export const BUNDLERS = ['esbuild', 'webpack', 'rspack'] as const
export type Bundler = (typeof BUNDLERS)[number]

const PAGE = pageWith('/main.js')

/** Texts that only these parts have: found in a bundle, the part is in it. */
const MARKS: Readonly<Record<string, string>> = {
  toasts: 'latchkey-toasts',
  popups: 'closeMe',
  editor: 'Load the editor again',
  devtools: 'latchkey-devtools',
  'real time': 'auth-session-',
  testing: 'https://auth.test',
}
const CONTROL = `import { AuthToaster, useLinkCloudAccount } from 'latchkey'\nglobalThis.kept = [AuthToaster, useLinkCloudAccount]\n`
const ONE_HOOK = `import { useUserInfo } from 'latchkey'\nglobalThis.kept = useUserInfo\n`

const PACKAGES = [
  'react',
  'react-dom',
  '@tanstack/react-query',
  'esbuild@0.28.2',
  'webpack@5.112.2',
  '@rspack/core@2.3.2',
  'html-webpack-plugin@5.6.8',
  'jose',
]

/** Builds the quick start's app, serves it, and signs in. */
export async function checkBundler(sandboxes: Sandboxes, bundler: Bundler, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('bundlers', PACKAGES)
  // The only step before the bundler: JSX and types go, so that none of the three needs a loader.
  const files = Object.entries(quickStart()).map(([path, text]) => [
    path,
    text.replace('http://localhost:4700', desk.authHost),
  ])
  sandbox.write(Object.fromEntries(files) as Record<string, string>)
  const intoOneFile = ['--bundle', '--packages=external', '--jsx=automatic', '--format=esm']
  sandbox.run('esbuild', 'src/main.tsx', ...intoOneFile, '--outfile=src/main.js')
  bundle(sandbox, bundler, { entry: 'src/main.js', folder: `dist-${bundler}` })
  sandbox.write({ [`dist-${bundler}/index.html`]: PAGE })

  const server = await serveFolder(sandbox.path, `dist-${bundler}`)
  try {
    await desk.signIn(`${server.origin}/?page=2`)
  } finally {
    await server.close()
  }
  const early = bundler === 'esbuild' ? '' : `${await checkEarly(sandbox, bundler, desk)}; `
  return `builds and signs in; ${early}${shake(sandbox, bundler)}`
}

/** The recipe of docs/server.md: the plugin that writes the page gets the early script as a word of its template. */
async function checkEarly(sandbox: Sandbox, bundler: Bundler, desk: Desk): Promise<string> {
  const plugin = codeIn(readDocsPage('server.md'), 'js').find((code) =>
    code.startsWith('new HtmlWebpackPlugin('),
  )
  if (plugin === undefined) throw new Error('docs/server.md has no recipe for HtmlWebpackPlugin')
  const folder = `early-${bundler}`
  sandbox.write({
    'index.html': PAGE.replace('<head>', '<head><%= early %>').replace(/<script.*<\/script>/, ''),
    'authConfig.js': `export const authConfig = { authHost: '${desk.authHost}', clientId: 'admin', scopes: ['openid', 'profile', 'offline_access'], autoRefreshToken: true }\n`,
  })
  bundle(sandbox, bundler, {
    entry: 'src/main.js',
    folder,
    imports: `import HtmlWebpackPlugin from 'html-webpack-plugin'\nimport { earlyHtml } from 'latchkey/server'\nimport { authConfig } from './authConfig.js'\n`,
    plugins: `[${plugin.trim().replace('template:', "scriptLoading: 'module', template:")}]`,
  })
  const server = await serveFolder(sandbox.path, folder)
  try {
    await desk.signInEarly(server.origin)
  } finally {
    await server.close()
  }
  return 'the early script, in one line of its settings, signs in before the app’s files'
}

/** One hook alone: what else is in the file that loads first? */
function shake(sandbox: Sandbox, bundler: Bundler): string {
  const firstFile = (name: string, entry: string) => {
    sandbox.write({ [`src/${name}.js`]: entry })
    bundle(sandbox, bundler, { entry: `src/${name}.js`, folder: `shaken-${bundler}-${name}`, isAlone: true })
    return firstLoad(sandbox, `shaken-${bundler}-${name}`)
  }
  const control = firstFile('control', CONTROL)
  for (const part of ['toasts', 'popups'])
    if (!control.includes(MARKS[part]!)) throw new Error(`${part} are not in the bundle that imports them`)
  const alone = firstFile('hook', ONE_HOOK)
  const found = Object.entries(MARKS).filter(([, mark]) => alone.includes(mark))
  if (found.length > 0) throw new Error(`one hook brings along: ${found.map(([part]) => part).join(', ')}`)
  return `one hook alone is ${(alone.length / 1000).toFixed(1)} kB and brings along none of: ${Object.keys(MARKS).join(', ')}`
}

/** The file that a page asks for, and all that it imports at once. */
function firstLoad(sandbox: Sandbox, folder: string): string {
  const texts = new Map<string, string>()
  const follow = (file: string) => {
    if (texts.has(file)) return
    const text = sandbox.read(`${folder}/${file}`)
    texts.set(file, text)
    for (const [, next = ''] of text.matchAll(/(?:\bfrom|\bimport) ?"\.\/([\w.-]+)"/g)) follow(next)
  }
  follow('main.js')
  return [...texts.values()].join('\n')
}

interface Bundling {
  entry: string
  folder: string
  /** React and TanStack Query stay outside. */
  isAlone?: boolean
  experiments?: object
  /** What of the settings is JavaScript, no data: what they import, rules for files, plugins. */
  imports?: string
  rules?: string
  plugins?: string
}

const EXTERNAL = ['react', 'react/jsx-runtime', '@tanstack/react-query']

function bundle(sandbox: Sandbox, bundler: Bundler, bundling: Bundling): void {
  if (bundler !== 'esbuild') return runBundler(sandbox, bundler, bundling)
  const { entry, folder, isAlone = false } = bundling
  const outside = isAlone ? EXTERNAL.map((name) => `--external:${name}`) : []
  const names = ['--entry-names=main', '--chunk-names=[name]-[hash]']
  const define = '--define:process.env.NODE_ENV="production"'
  const shape = ['--bundle', '--splitting', '--format=esm', '--minify', ...names, define]
  // The SDK is an optional peer that this app does without.
  sandbox.run('esbuild', entry, ...shape, '--external:pubnub', `--outdir=${folder}`, ...outside)
}

/** webpack or Rspack. Throws with whatever it complains of. */
export function runBundler(
  sandbox: Sandbox,
  bundler: Bundler,
  { entry, folder, isAlone = false, experiments, imports = '', rules = '[]', plugins = '[]' }: Bundling,
): void {
  const calling =
    bundler === 'webpack'
      ? `import webpack from 'webpack'`
      : `import { rspack as webpack } from '@rspack/core'`
  const settings = {
    mode: 'production',
    context: sandbox.path,
    entry: `./${entry}`,
    target: ['web', 'es2022'],
    output: { path: join(sandbox.path, folder), filename: 'main.js', publicPath: 'auto', module: true },
    experiments: { outputModule: true, ...experiments },
    ...(isAlone && { externalsType: 'module', externals: EXTERNAL }),
    performance: false,
  }
  sandbox.write({
    [`build-${bundler}.js`]: `${calling}
${imports}
webpack({ ...${JSON.stringify(settings)}, module: { rules: ${rules} }, plugins: ${plugins} }, (error, stats) => {
  if (error) throw error
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true })
  const known = (text) => text.includes("Can't resolve 'pubnub'")
  const faults = [...errors, ...warnings].map(({ message }) => message).filter((text) => !known(text))
  if (faults.length > 0) throw new Error(faults.join('\\n'))
})
`,
  })
  sandbox.run('node', `build-${bundler}.js`)
}
