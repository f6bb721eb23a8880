// Builds a contestant's page for production and serves it like a host: compressed, files cached forever, pages revalidated.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { build, type Plugin } from 'vite'
import { listenOnLoopback } from '../../demo/authServer/listen.ts'
import { ENTRIES, inCache } from '../bundle.ts'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

export interface PeerApp {
  readonly origin: string
  /** Added to every request except for the files that the page itself names: every app has those. */
  latencyMs: number
  /** Those files take this many latencies after all, without a cache. */
  ownFileTrips: number
  /** Those files are like all others: delayed and cached. */
  delaysOwnFiles: boolean
  /** Bytes of JavaScript sent, response headers included. */
  scriptBytes: number
  /** The number of JavaScript responses. */
  scriptFiles: number
  close(): Promise<void>
}

interface ServedFile {
  type: string
  text: Buffer
  isPage: boolean
  isOwnBundle: boolean
}

const PAGES = join(import.meta.dirname, 'pages')
const ROOT_PACKAGES = join(import.meta.dirname, '../../node_modules')
/** Packages that a page must not have twice. */
const ONCE = ['react', 'react-dom', '@tanstack/react-query']

/** Every contestant's page is the same, with the script of its own folder. */
const onePage = (index: string): Plugin => ({
  name: 'one-page',
  resolveId: (id) => (id === index ? index : undefined),
  load: (id) => (id === index ? readFileSync(join(PAGES, 'index.html'), 'utf8') : undefined),
})

export type Builder = 'vite' | 'esbuild'

/** A page and its `main.jsx` from esbuild with splitting: the page names the first file only. */
async function buildWithEsbuild(name: string): Promise<string> {
  const outdir = inCache(`peers/${name}-esbuild`)
  rmSync(outdir, { recursive: true, force: true })
  await esbuild({
    entryPoints: [join(PAGES, name, 'main.jsx')],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { ...ENTRIES, ...Object.fromEntries(ONCE.map((one) => [one, join(ROOT_PACKAGES, one)])) },
    // An optional peer that this app does not need.
    external: ['pubnub'],
    // Otherwise it follows the paths of this repository to src/.
    tsconfigRaw: {},
    logLevel: 'error',
  })
  const page = readFileSync(join(PAGES, 'index.html'), 'utf8')
  writeFileSync(join(outdir, 'index.html'), page.replace('./main.jsx', '/main.js'))
  return outdir
}

/** `pages/<name>`: a `main.jsx`; further pages and a `public` folder are served too. */
export async function buildPage(name: string, builder: Builder = 'vite'): Promise<string> {
  if (builder === 'esbuild') return buildWithEsbuild(name)
  const root = join(PAGES, name)
  const index = join(root, 'index.html')
  const outDir = inCache(`peers/${name}`)
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: 'public',
    plugins: [onePage(index)],
    resolve: {
      alias: ENTRIES,
      dedupe: ONCE,
    },
    build: {
      outDir,
      emptyOutDir: true,
      reportCompressedSize: false,
      rolldownOptions: {
        input: [index, ...globSync(join(root, '*.html'))],
        checks: { moduleLevelDirective: false },
      },
    },
  })
  return outDir
}

export interface PeerAppOptions {
  /** The folder that `buildPage` has written. */
  folder: string
  /** Added to every page before anything else. */
  head: string
}

export async function startPeerApp({ folder, head }: PeerAppOptions): Promise<PeerApp> {
  const files = readFiles(folder)
  const fetched = new Set<string>()
  const listening = await listenOnLoopback({ host: 'localhost', port: 0 }, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    // Every other path is a route of the app.
    const file = files.get(pathname) ?? (extname(pathname) === '' ? files.get('/index.html') : undefined)
    if (extname(pathname) === '.js') {
      const before = request.socket.bytesWritten
      response.once('finish', () => {
        app.scriptBytes += request.socket.bytesWritten - before
        app.scriptFiles += 1
      })
    }
    // Frames share the files that the page has fetched.
    if (file?.isPage === true && request.headers['sec-fetch-dest'] !== 'iframe') fetched.clear()
    const ownFileTrips = fetched.has(pathname) ? 0 : app.ownFileTrips
    fetched.add(pathname)
    const isOwnBundle = file?.isOwnBundle === true && !app.delaysOwnFiles
    const delayMs = app.latencyMs * (isOwnBundle ? ownFileTrips : 1)
    void (delayMs > 0 ? wait(delayMs) : Promise.resolve()).then(() => {
      if (!file) {
        response.writeHead(404).end()
        return
      }
      const isKept = !file.isPage && !(isOwnBundle && app.ownFileTrips > 0)
      const text = file.isPage ? String(file.text).replace('<head>', () => `<head>${head}`) : file.text
      response.writeHead(200, {
        'content-type': file.type,
        'content-encoding': 'gzip',
        'cache-control': isKept ? 'public, max-age=31536000, immutable' : 'no-store',
      })
      response.end(gzipSync(text))
    })
  })
  const app: PeerApp = {
    origin: listening.origin,
    latencyMs: 0,
    ownFileTrips: 0,
    delaysOwnFiles: false,
    scriptBytes: 0,
    scriptFiles: 0,
    close: listening.close,
  }
  return app
}

function readFiles(folder: string): Map<string, ServedFile> {
  const index = readFileSync(join(folder, 'index.html'), 'utf8')
  return new Map(
    globSync('**/*.*', { cwd: folder }).map((path) => [
      `/${path}`,
      {
        type: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
        text: readFileSync(join(folder, path)),
        isPage: extname(path) === '.html',
        isOwnBundle: extname(path) !== '.html' && index.includes(basename(path)),
      },
    ]),
  )
}
