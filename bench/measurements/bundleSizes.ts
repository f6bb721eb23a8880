// What a signed-in page has to fetch of the library, and what comes later, bundled as an app would do it.
import { buildEarlyScript } from '../../scripts/earlyScript.ts'
import { bundle, gzip } from '../bundle.ts'
import { atMost, type Findings, plain, sum } from '../figures.ts'

const ENTRY = `import { createAuth, AuthProvider, useAuth, useLogin, useLogout } from 'latchkey'
globalThis.app = [createAuth, AuthProvider, useAuth, useLogin, useLogout]`
const LARGEST_BYTES = 31_500
/** Loaded by every page beside start-up; nothing waits for it until the app makes a call of its own. */
const BESIDE = 'appFetch'
const LARGEST_EARLY_BYTES = 3_300

export async function measureBundleSizes(): Promise<Findings> {
  const { first, later, firstGzipBytes } = await bundle(ENTRY)
  const { text } = await buildEarlyScript()
  const beside = later.filter(({ name }) => name === BESIDE)
  const whenNeeded = later.filter(({ name }) => name !== BESIDE)
  return {
    figures: [
      atMost(
        'What a signed-in page loads, in all',
        firstGzipBytes + sum(beside.map(({ code }) => gzip(code))),
        LARGEST_BYTES,
        ' bytes gzip',
      ),
      plain('Of this the core: start-up to sign-out', `${files(first.length)}, ${bytes(firstGzipBytes)}`),
      ...beside.map(({ name, code }) => plain(`Of this beside start-up: ${name}`, bytes(gzip(code)))),
      atMost('`latchkey/early`, inline', gzip(text), LARGEST_EARLY_BYTES, ' bytes gzip'),
      ...whenNeeded.map(({ name, code }) => plain(`Later, when needed: ${name}`, bytes(gzip(code)))),
    ],
    raw: [...first, ...later].map(({ name, code }, index) => ({
      name,
      isInitial: index < first.length,
      bytes: Buffer.byteLength(code),
      gzipBytes: gzip(code),
    })),
  }
}

const files = (count: number) => (count === 1 ? 'one file' : `${count} files`)
const bytes = (count: number) => `${count.toLocaleString('en')} bytes gzip`
