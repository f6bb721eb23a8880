// What a page of a small app loads of the package, bundled as two bundlers do it: until somebody is signed in, and with the file of the app's own calls.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { build as vite, type Rolldown } from 'vite'

export interface FirstLoad {
  app: string
  bundler: string
  /** Compressed, each file by itself. */
  bytes: number
  files: number
  /** With the file that `auth.fetch` needs, which comes when the browser is idle. */
  bytesWithCalls: number
  limitInBytes: number
  limitWithCallsInBytes: number
}

interface File {
  name: string
  code: string
  isEntry: boolean
  /** Names of the files that it imports at once. */
  imports: string[]
}

/** The app's own: React and TanStack Query, and the messaging SDK, which an app installs where it wants it. */
const OUTSIDE = ['react', 'react-dom', 'react/jsx-runtime', '@tanstack/react-query', 'pubnub']
const USED = ['createAuth', 'AuthProvider', 'useAuth', 'useLogin', 'useLogout']
/** The file of the app's own calls, by the name that it has in the package. */
const CALLS = /^appFetch\b/

/** First load, and the same with the file of the app's own calls, by bundler. They are too high: decision 50 says what brings them down. */
const APPS = [
  {
    app: 'authHost',
    limits: { rolldown: [41_260, 46_140], 'esbuild, splitting': [42_740, 47_860] },
    lines: [`import { ${USED.join(', ')} } from 'latchkey'`],
  },
  {
    app: 'openIdConnect',
    limits: { rolldown: [51_120, 56_010], 'esbuild, splitting': [53_570, 58_700] },
    lines: [
      `import { ${USED.join(', ')} } from 'latchkey'`,
      `import { openIdConnect } from 'latchkey/oidc'`,
      'globalThis.profile = openIdConnect',
    ],
  },
]
export const MOST_FILES = 2

/** @param built The package's folder where it is not found by its name. */
export async function measureFirstLoads(built?: string): Promise<FirstLoad[]> {
  mkdirSync('.cache', { recursive: true })
  const folder = mkdtempSync(resolve('.cache/size-'))
  const alias =
    built === undefined
      ? {}
      : { 'latchkey/oidc': join(built, 'oidc/index.js'), latchkey: join(built, 'index.js') }
  const found: FirstLoad[] = []
  try {
    for (const { app, lines, limits } of APPS) {
      const entry = join(folder, `${app}.js`)
      writeFileSync(entry, [...lines, `globalThis.used = [${USED.join(', ')}]`].join('\n'))
      for (const [bundler, bundle] of [
        ['rolldown', withRolldown],
        ['esbuild, splitting', withEsbuild],
      ] as const) {
        const files = await bundle(entry, folder, alias)
        const first = loadedWith(files, ({ isEntry }) => isEntry)
        const withCalls = loadedWith(files, ({ isEntry, name }) => isEntry || CALLS.test(name))
        const [limitInBytes = 0, limitWithCallsInBytes = 0] = limits[bundler]
        found.push({
          app,
          bundler,
          bytes: sizeOf(first),
          files: first.length,
          bytesWithCalls: sizeOf(withCalls),
          limitInBytes,
          limitWithCallsInBytes,
        })
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return found
}

const sizeOf = (files: readonly File[]) =>
  files.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)

/** Those of a kind, and all that they import at once. */
function loadedWith(files: readonly File[], isWanted: (file: File) => boolean): File[] {
  const found = new Set(files.filter(isWanted))
  for (const { imports } of found) for (const file of files) if (imports.includes(file.name)) found.add(file)
  return [...found]
}

async function withRolldown(entry: string, _folder: string, alias: Record<string, string>): Promise<File[]> {
  const bundle = await rolldown({
    input: entry,
    external: OUTSIDE,
    platform: 'browser',
    logLevel: 'silent',
    tsconfig: false,
    resolve: { alias },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, chunkFileNames: '[name].js' })
  await bundle.close()
  return output.flatMap((file) =>
    file.type === 'chunk'
      ? [
          {
            name: basename(file.fileName),
            code: file.code,
            isEntry: file.isEntry,
            imports: file.imports.map((name) => basename(name)),
          },
        ]
      : [],
  )
}

async function withEsbuild(entry: string, folder: string, alias: Record<string, string>): Promise<File[]> {
  const { outputFiles, metafile } = await esbuild({
    entryPoints: [entry],
    external: OUTSIDE,
    alias,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    write: false,
    outdir: folder,
    // Its hash takes in the folder of the checkout, and another name is some bytes more or less.
    chunkNames: '[name]',
    metafile: true,
    logLevel: 'silent',
    // Otherwise it follows the paths of this repository to src/.
    tsconfigRaw: {},
  })
  const codes = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  return Object.entries(metafile.outputs).map(([path, { entryPoint, imports }]) => ({
    name: basename(path),
    code: codes.get(basename(path)) ?? '',
    isEntry: entryPoint !== undefined && basename(entryPoint) === basename(entry),
    imports: imports.filter(({ kind }) => kind === 'import-statement').map((one) => basename(one.path)),
  }))
}

/** Before a first key can be typed into the JSON editor. */
export const EDITOR_LIMIT_IN_BYTES = 6_000

/** What Vite makes an app load for the JSON editor before its first key, all of it counted: React's JSX functions too. */
export async function measureEditor(): Promise<number> {
  mkdirSync('.cache', { recursive: true })
  const root = mkdtempSync(resolve('.cache/size-'))
  const entry = join(root, 'app.js')
  try {
    writeFileSync(
      entry,
      `import { createElement } from 'react'
globalThis.show = async () => createElement((await import('latchkey/editor')).JsonEditor)`,
    )
    const built = await vite({
      root,
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        reportCompressedSize: false,
        rolldownOptions: { input: entry, checks: { moduleLevelDirective: false } },
      },
      worker: { format: 'es' },
    })
    const files = (built as Rolldown.RolldownOutput).output
      .filter((file) => file.type === 'chunk')
      .map((file) => ({ ...file, name: file.fileName }))
    const [editor] = files.find(({ isEntry }) => isEntry)!.dynamicImports
    const app = loadedWith(files, ({ isEntry }) => isEntry)
    const withEditor = loadedWith(files, ({ isEntry, name }) => isEntry || name === editor)
    return sizeOf(withEditor) - sizeOf(app)
  } finally {
    rmSync(root, { recursive: true })
  }
}
