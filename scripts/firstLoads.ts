// Measures what a small app loads of the package with two bundlers: until sign-in, and with the file for the app's own calls.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { build as vite, type Rolldown } from 'vite'

export interface FirstLoad {
  app: string
  bundler: string
  /** Compressed size, each file separately. */
  bytes: number
  files: number
  /** Including the file for `auth.fetch`, which loads when the browser is idle. */
  bytesWithCalls: number
  limitInBytes: number
  limitWithCallsInBytes: number
}

interface File {
  name: string
  code: string
  isEntry: boolean
  /** Names of its static imports. */
  imports: string[]
}

/** External packages: React, TanStack Query and the messaging SDK, which an app installs if it needs it. */
const OUTSIDE = ['react', 'react-dom', 'react/jsx-runtime', '@tanstack/react-query', 'pubnub']
const USED = ['createAuth', 'AuthProvider', 'useAuth', 'useLogin', 'useLogout']
/** The package's file for the app's own calls. */
const CALLS = /^appFetch\b/

/** Limits of the first load, without and with the file for the app's own calls, by bundler. Decision 50 says how to lower them. */
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

/** @param built The package's folder, if it cannot be resolved by name. */
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

/** The files of a kind with all their static imports. */
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
    // Its hash depends on the checkout's folder, and another name changes the size by some bytes.
    chunkNames: '[name]',
    metafile: true,
    logLevel: 'silent',
    // Otherwise the paths of this repository would resolve to src/.
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

/** All that an app built by Vite loads for the JSON editor before the first key, React's JSX functions included. */
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
