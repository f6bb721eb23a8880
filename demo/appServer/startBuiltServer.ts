// Builds the demo's app once and serves it under a strict policy: the same app for tests, without Vite in the way.
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { build, type InlineConfig, type Plugin } from 'vite'
import { listenOnLoopback } from '../authServer/listen.ts'
import { APP_CONFIG_MODULE, type AppConfig, appConfigSource } from './appConfig.ts'
import { createEarlyHead } from './earlyHead.ts'
import type { AppServer } from './startDevServer.ts'
import { viteConfig } from './viteConfig.ts'

const APP_CONFIG_PATH = '/app-config.js'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
}

export const buildApp = async (outDir: string, plugins: Plugin[] = []): Promise<void> =>
  buildWith(outDir, { id: APP_CONFIG_PATH, external: 'absolute' }, { plugins })

/**
 * React's development build, because StrictMode and the devtools do nothing in the other one.
 *
 * @param appConfig the module that tells the app its configuration
 */
export async function buildWith(
  outDir: string,
  appConfig: string | { id: string; external: 'absolute' },
  { plugins = [], ...options }: Pick<InlineConfig, 'root' | 'base' | 'plugins'> = {},
): Promise<void> {
  const base = viteConfig()
  await build({
    ...base,
    ...options,
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [
      base.plugins,
      plugins,
      {
        name: 'demo-app-config',
        enforce: 'pre',
        resolveId: (source) => (source === APP_CONFIG_MODULE ? appConfig : undefined),
        // The package says of all its other files that importing them does nothing.
        transform: (_code, id) => (id.endsWith('main.tsx') ? { moduleSideEffects: true } : undefined),
      },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      minify: true,
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { moduleLevelDirective: false },
        // What every page needs is one file: in two dozen of them, a third of a page's work was asking for files.
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
  })
}

export interface BuiltServerOptions {
  /** Where `buildApp` has put the app. */
  folder: string
  config: AppConfig
  /** Origins that the page may call, and show in a frame. */
  allowedOrigins: readonly string[]
  /** Further origins that the page may call. */
  callOrigins?: readonly string[]
  /** The hidden frame ends at an address of the app itself. Default false: at one of the server's. */
  framesItself?: boolean | undefined
  /** A policy of your own, to see what the app does under a wrong one. */
  contentSecurityPolicy?: string | undefined
  /** Puts `latchkey/early` into the page, which looks for the session before the app's files have come. Default false. */
  hasEarly?: boolean | undefined
}

export async function startBuiltServer(options: BuiltServerOptions): Promise<AppServer> {
  const { folder, config } = options
  const early = options.hasEarly === true ? await createEarlyHead(config) : undefined
  const policy = options.contentSecurityPolicy ?? policyOf(early?.hashes ?? '', options)
  const page = readFileSync(join(folder, 'index.html'), 'utf8')

  // Any name of this computer: the second environment's app is the same files at its other name.
  const { port, close } = await listenOnLoopback({ host: 'localhost', port: 0 }, (request, response) => {
    const path = (request.url ?? '/').split(/[?#]/)[0] ?? '/'
    response.setHeader('cache-control', 'no-cache')
    response.setHeader('x-content-type-options', 'nosniff')
    // Names of built files only: nothing of the address is ever joined to a path unchecked.
    if (/^\/assets\/[\w.-]+$/.test(path)) return sendFile(response, join(folder, path))
    const isConfig = path === APP_CONFIG_PATH
    response.setHeader('content-type', CONTENT_TYPES[isConfig ? '.js' : '.html'] ?? '')
    if (isConfig) return response.end(appConfigSource(config))
    // Every other address is a place inside the app.
    response.setHeader('content-security-policy', policy)
    response.setHeader('referrer-policy', 'no-referrer')
    return response.end(early ? early.addTo(page, request.headers.host) : page)
  })
  return { origin: `http://localhost:${port}`, close }
}

function sendFile(response: ServerResponse, path: string): void {
  if (!existsSync(path)) {
    // What is missing now may be there in a moment: no browser is to remember it.
    response.writeHead(404, { 'cache-control': 'no-store' }).end()
    return
  }
  response.setHeader('content-type', CONTENT_TYPES[extname(path)] ?? 'application/octet-stream')
  // The name changes with the content: a browser that has it need not ask again.
  response.setHeader('cache-control', 'public, max-age=31536000, immutable')
  createReadStream(path).pipe(response)
}

// The query devtools and the toasts write style elements; everything else is files of this app.
const policyOf = (
  scripts: string,
  { allowedOrigins, callOrigins = [], framesItself = false }: BuiltServerOptions,
): string => {
  const allowed = allowedOrigins.join(' ')
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts}`,
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${allowed} ${callOrigins.join(' ')}`,
    `frame-src ${allowed} ${framesItself ? "'self'" : ''}`,
    // A long ID token goes to the logout page in a form.
    `form-action ${framesItself ? allowed : "'none'"}`,
    `frame-ancestors ${framesItself ? "'self'" : "'none'"}`,
    "base-uri 'none'",
  ].join('; ')
}
