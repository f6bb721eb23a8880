// Bundles an entry as an app would, and separates the files of the first page load from later ones.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type OutputChunk, rolldown } from 'rolldown'

/** Where the bench builds the package, from the root of the repository. */
export const BUILT_FOLDER = '.cache/bench/dist'

/** The absolute path of a file in the bench's cache. */
export const inCache = (path: string): string =>
  fileURLToPath(new URL(`../.cache/bench/${path}`, import.meta.url))

/** The package's entries by import name; the longest first, because a name is also a prefix of its subpaths. */
export const ENTRIES: Readonly<Record<string, string>> = {
  'latchkey/oidc': inCache('dist/oidc/index.js'),
  latchkey: inCache('dist/index.js'),
}

const NOT_COUNTED = [/^react($|\/)/, /^react-dom($|\/)/, /^@tanstack\/react-query$/, 'pubnub']

export interface Bundle {
  first: OutputChunk[]
  later: OutputChunk[]
  /** The files of the first load, compressed together. */
  firstGzipBytes: number
  /** With all later files, each compressed separately. */
  allGzipBytes: number
}

/** @param folders Where to look for packages besides the repository. */
export async function bundle(entry: string, folders: readonly string[] = []): Promise<Bundle> {
  const chunks = await bundleChunks(entry, folders)
  const initial = new Set<string>()
  const visit = (name: string) => {
    const chunk = chunks.find(({ fileName }) => fileName === name)
    if (!chunk || initial.has(name)) return
    initial.add(name)
    for (const next of chunk.imports) visit(next)
  }
  visit(chunks.find(({ isEntry }) => isEntry)?.fileName ?? '')
  const first = chunks.filter(({ fileName }) => initial.has(fileName))
  const later = chunks.filter(({ fileName }) => !initial.has(fileName))
  const firstGzipBytes = gzip(first.map(({ code }) => code).join(''))
  return {
    first,
    later,
    firstGzipBytes,
    allGzipBytes: later.reduce((total, { code }) => total + gzip(code), firstGzipBytes),
  }
}

export const gzip = (code: string): number => gzipSync(code, { level: 9 }).length

async function bundleChunks(entry: string, folders: readonly string[]): Promise<OutputChunk[]> {
  // Inside the repository, so that dependencies resolve.
  await mkdir(inCache('.'), { recursive: true })
  const folder = await mkdtemp(inCache('size-'))
  try {
    await writeFile(join(folder, 'entry.js'), entry)
    const bundling = await rolldown({
      input: { entry: join(folder, 'entry.js') },
      platform: 'browser',
      external: NOT_COUNTED,
      preserveEntrySignatures: false,
      resolve: { alias: ENTRIES, modules: [...folders, 'node_modules'] },
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
      onLog: () => {},
    })
    const { output } = await bundling.generate({ format: 'esm', minify: true })
    await bundling.close()
    return output.filter((file) => file.type === 'chunk')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
