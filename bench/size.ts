// The size of the library in a signed-in page, and of what loads later, bundled like an app.
import { buildEarlyScript } from '../scripts/earlyScript.ts'
import { measureFirstLoads } from '../scripts/firstLoads.ts'
import { bundle, gzip, inCache } from './bundle.ts'
import { atMost, type Figure, type Findings, plain } from './report.ts'

const ENTRY = `import { createAuth, AuthProvider, useAuth, useLogin, useLogout } from 'latchkey'
globalThis.app = [createAuth, AuthProvider, useAuth, useLogin, useLogout]`
const LARGEST_EARLY_BYTES = 3_700
const UNIT = ' bytes gzip'

export async function measureSize(): Promise<Findings> {
  const firstLoads = await measureFirstLoads(inCache('dist'))
  const { later } = await bundle(ENTRY)
  const { text } = await buildEarlyScript()
  return {
    figures: [
      ...firstLoads.flatMap((one): Figure[] => [
        atMost(
          `${one.app}, ${one.bundler}: first load, files: ${one.files}`,
          one.bytes,
          one.limitInBytes,
          UNIT,
        ),
        atMost(
          `${one.app}, ${one.bundler}: with \`auth.fetch\``,
          one.bytesWithCalls,
          one.limitWithCallsInBytes,
          UNIT,
        ),
      ]),
      atMost('`latchkey/early`, inline', gzip(text), LARGEST_EARLY_BYTES, UNIT),
      ...later.map(({ name, code }) => plain(`Later, when needed: ${name}`, bytes(gzip(code)))),
    ],
    raw: firstLoads,
  }
}

const bytes = (count: number) => `${count.toLocaleString('en')} bytes gzip`
