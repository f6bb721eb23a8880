// Bundles small apps as two bundlers do it, and fails where what a page loads is more than its limit, or comes in more than two files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'

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

/** What a page loads until a user is signed in; bytes, compressed. */
const APPS = [
  { name: 'authHost', limitInBytes: 37_420, lines: [`import { ${USED.join(', ')} } from 'latchkey'`] },
  {
    name: 'openIdConnect',
    limitInBytes: 46_500,
    lines: [
      `import { ${USED.join(', ')} } from 'latchkey'`,
      `import { openIdConnect } from 'latchkey/oidc'`,
      'globalThis.profile = openIdConnect',
    ],
  },
]
const MOST_FILES = 2

mkdirSync('.cache', { recursive: true })
const folder = mkdtempSync(resolve('.cache/size-'))
try {
  for (const app of APPS) await check(app)
} finally {
  rmSync(folder, { recursive: true })
}

async function check({ name, limitInBytes, lines }: (typeof APPS)[number]): Promise<void> {
  const entry = join(folder, `${name}.js`)
  writeFileSync(entry, [...lines, `globalThis.used = [${USED.join(', ')}]`].join('\n'))
  for (const [bundler, bundle] of [
    ['rolldown', withRolldown],
    ['esbuild, splitting', withEsbuild],
  ] as const) {
    const first = firstFiles(await bundle(entry))
    const bytes = first.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
    const isTooMuch = bytes > limitInBytes || first.length > MOST_FILES
    if (isTooMuch) process.exitCode = 1
    console.log(
      `${isTooMuch ? 'FAIL' : 'ok  '} ${name}, ${bundler}: ${bytes} bytes in ${first.length} file(s); the limits are ${limitInBytes} and ${MOST_FILES}`,
    )
  }
}

/** The entry, and all that it imports at once. */
function firstFiles(files: File[]): File[] {
  const found = new Set(files.filter(({ isEntry }) => isEntry))
  for (const { imports } of found) for (const file of files) if (imports.includes(file.name)) found.add(file)
  return [...found]
}

async function withRolldown(entry: string): Promise<File[]> {
  const bundle = await rolldown({
    input: entry,
    external: OUTSIDE,
    platform: 'browser',
    logLevel: 'silent',
    tsconfig: false,
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  return output.flatMap((file) =>
    file.type === 'chunk'
      ? [{ name: file.fileName, code: file.code, isEntry: file.isEntry, imports: file.imports }]
      : [],
  )
}

async function withEsbuild(entry: string): Promise<File[]> {
  const { outputFiles, metafile } = await esbuild({
    entryPoints: [entry],
    external: OUTSIDE,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    write: false,
    outdir: folder,
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
