// What an app's first page load has to fetch of the library, and what comes later, bundled as an app would do it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { FRONT_DOOR, inCache } from '../built.ts'
import { atMost, type Findings, plain, sum } from '../figures.ts'

const ENTRY = `import { createAuth, AuthProvider, useAuth, useLogin, useLogout } from 'latchkey'
globalThis.app = [createAuth, AuthProvider, useAuth, useLogin, useLogout]`
const NOT_COUNTED = [/^react($|\/)/, /^react-dom($|\/)/, /^@tanstack\/react-query$/, 'pubnub']
const LARGEST_INITIAL_BYTES = 12_000

export async function measureBundleSizes(): Promise<Findings> {
  const chunks = await bundle()
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
  const together = gzip(first.map(({ code }) => code).join(''))
  return {
    figures: [
      atMost('First page load: sign in, token, sign out', together, LARGEST_INITIAL_BYTES, ' bytes gzip'),
      plain('The same in files', `${first.length}, ${bytes(sum(first.map(({ code }) => gzip(code))))}`),
      ...later.map(({ name, code }) => plain(`Later, when needed: ${name}`, bytes(gzip(code)))),
    ],
    raw: chunks.map(({ name, code }, index) => ({
      name,
      isInitial: initial.has(chunks[index]?.fileName ?? ''),
      bytes: Buffer.byteLength(code),
      gzipBytes: gzip(code),
    })),
  }
}

async function bundle() {
  // Inside the repository, where the dependencies are found.
  const folder = await mkdtemp(inCache('size-'))
  try {
    await writeFile(join(folder, 'entry.js'), ENTRY)
    const bundling = await rolldown({
      input: { entry: join(folder, 'entry.js') },
      platform: 'browser',
      external: NOT_COUNTED,
      preserveEntrySignatures: false,
      resolve: { alias: { latchkey: FRONT_DOOR } },
      onLog: () => {},
    })
    const { output } = await bundling.generate({ format: 'esm', minify: true })
    await bundling.close()
    return output.filter((file) => file.type === 'chunk')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const bytes = (count: number) => `${count.toLocaleString('en')} bytes gzip`
const gzip = (code: string) => gzipSync(code, { level: 9 }).length
