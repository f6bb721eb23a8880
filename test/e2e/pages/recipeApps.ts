// Builds the code of a recipe with the built package, as its reader would, and serves it with a small API on the page's own origin.
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { extname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { listenOnLoopback, type Listening } from '../../../demo/authServer/listen.ts'

/** An app: `recipe.tsx` is the page's code, `main.tsx` what stands around it. */
export interface RecipeApp {
  recipe: string
  main: string
  /** Where it is served. Default: `/`. */
  base?: string
  /** Put at the start of the head. */
  head?: string
  alias?: Record<string, string>
  /** Further files of the app. */
  files?: Record<string, string>
}

export interface RecipeSite extends Listening {
  /** Requests of the page to its own origin: path, and the bearer with it. */
  readonly requests: { path: string; bearer: string | undefined }[]
  /** Further headers of every response. */
  headers: Record<string, string>
  /** What the API answers to this authorization. Default: two rows for everybody. */
  dataOf: (authorization: string) => unknown
  /** Why the API refuses this authorization with 403. Default: it refuses nobody. */
  refusalOf: (authorization: string) => string | undefined
  /** Builds the apps, and serves them from now on. */
  serve(apps: readonly RecipeApp[]): Promise<void>
}

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }
/** As `npm run build` has made it. */
const PACKAGE = join(import.meta.dirname, '../../../dist')

/** A site at a port of its own, known before its apps are built. */
export async function openRecipeSite(): Promise<RecipeSite> {
  if (!existsSync(join(PACKAGE, 'index.js'))) throw new Error('There is no built package: npm run build')
  mkdirSync('.cache', { recursive: true })
  const folder = mkdtempSync(join(process.cwd(), '.cache/recipe-'))
  const requests: RecipeSite['requests'] = []
  let bases: string[] = []

  const respond = (request: IncomingMessage): { type: string; text: string; status?: number } | undefined => {
    const [path = '/'] = (request.url ?? '/').split('?')
    const { authorization } = request.headers
    requests.push({ path, bearer: authorization?.replace(/^Bearer /, '') })
    const detail = path.startsWith('/api/') && authorization && site.refusalOf(authorization)
    if (detail) return { type: 'application/problem+json', text: JSON.stringify({ detail }), status: 403 }
    if (path.startsWith('/api/'))
      return authorization === undefined
        ? undefined
        : { type: 'application/json', text: JSON.stringify(site.dataOf(authorization)) }
    const base = bases.find((one) => path.startsWith(one))
    if (base === undefined) return undefined
    const isFile = path.startsWith(`${base}assets/`)
    const file = isFile ? path.slice(base.length) : 'index.html'
    const text = readFileSync(join(folder, 'built', base, file), 'utf8')
    return { type: TYPES[extname(file)] ?? 'text/plain', text }
  }
  const listening = await listenOnLoopback({ host: 'localhost', port: 0 }, (request, response) => {
    const answer = respond(request)
    for (const [name, value] of Object.entries(site.headers)) response.setHeader(name, value)
    response.statusCode = answer ? (answer.status ?? 200) : 404
    response.setHeader('content-type', answer?.type ?? 'text/plain')
    response.end(answer?.text)
  })

  const site: RecipeSite = {
    ...listening,
    requests,
    headers: {},
    dataOf: () => [{ id: '1' }, { id: '2' }],
    refusalOf: () => undefined,
    async serve(apps) {
      for (const app of apps) await buildApp(folder, app)
      // An app at `/` is the answer to what no other app serves.
      bases = apps.map(({ base = '/' }) => base).toSorted((one, other) => other.length - one.length)
      requests.length = 0
    },
    async close() {
      await listening.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return site
}

async function buildApp(
  folder: string,
  { recipe, main, base = '/', head = '', alias, files: more }: RecipeApp,
) {
  const root = join(folder, 'apps', base)
  mkdirSync(root, { recursive: true })
  const page = `<!doctype html><html lang="en"><head>${head}<meta charset="utf-8"><title>Recipe</title></head><body><div id="root"></div><script type="module" src="./main.tsx"></script></body></html>`
  const files = { 'recipe.tsx': recipe, 'main.tsx': main, 'index.html': page, ...more }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  await build({
    configFile: false,
    root,
    base,
    logLevel: 'error',
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    // As an app that lets React Compiler loose on all its code; the package's own is none of it.
    plugins: [react({ compiler: true, exclude: [`${PACKAGE}/**`] })],
    resolve: {
      alias: [
        ...Object.entries(alias ?? {}).map(([find, replacement]) => ({ find, replacement })),
        { find: /^latchkey\/(.+)$/, replacement: `${PACKAGE}/$1/index.js` },
        { find: /^latchkey$/, replacement: `${PACKAGE}/index.js` },
      ],
    },
    build: {
      outDir: join(folder, 'built', base),
      emptyOutDir: true,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        external: [/^monaco-editor/, '@monaco-editor/react'],
        checks: { moduleLevelDirective: false },
      },
    },
  })
}

/** Shows what `./recipe` exports, below what every app has. */
export const mainOf = (names: string, screen: string): string => `
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Authenticated, AuthProvider, createAuth, useAuth } from 'latchkey'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ${names} } from './recipe'

function Desk() {
  const { user, logout } = useAuth()
  return <main><h1>Signed in as {user?.userId}</h1><button onClick={() => void logout()}>Sign out</button></main>
}
const client = new QueryClient()
createRoot(document.getElementById('root')!).render(
  <StrictMode><QueryClientProvider client={client}>${screen}</QueryClientProvider></StrictMode>,
)
void [Authenticated, AuthProvider, createAuth, Desk]
`
