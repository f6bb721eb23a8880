// What an app's first page load has to fetch of the library, and what comes later, bundled as an app would do it.
import { buildEarlyScript } from '../../scripts/earlyScript.ts'
import { bundle, gzip } from '../bundle.ts'
import { atMost, type Findings, plain, sum } from '../figures.ts'

const ENTRY = `import { createAuth, AuthProvider, useAuth, useLogin, useLogout } from 'latchkey'
globalThis.app = [createAuth, AuthProvider, useAuth, useLogin, useLogout]`
const LARGEST_INITIAL_BYTES = 12_000
const LARGEST_EARLY_BYTES = 3_000

export async function measureBundleSizes(): Promise<Findings> {
  const { first, later, firstGzipBytes } = await bundle(ENTRY)
  const { text } = await buildEarlyScript()
  return {
    figures: [
      atMost(
        'First page load: sign in, token, sign out',
        firstGzipBytes,
        LARGEST_INITIAL_BYTES,
        ' bytes gzip',
      ),
      plain('The same in files', `${first.length}, ${bytes(sum(first.map(({ code }) => gzip(code))))}`),
      atMost('`latchkey/early`, inline', gzip(text), LARGEST_EARLY_BYTES, ' bytes gzip'),
      ...later.map(({ name, code }) => plain(`Later, when needed: ${name}`, bytes(gzip(code)))),
    ],
    raw: [...first, ...later].map(({ name, code }, index) => ({
      name,
      isInitial: index < first.length,
      bytes: Buffer.byteLength(code),
      gzipBytes: gzip(code),
    })),
  }
}

const bytes = (count: number) => `${count.toLocaleString('en')} bytes gzip`
