// Builds `latchkey/early` as one classic script, to be put inline into a page, and the hash that a policy allows it by.
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

export interface EarlyScript {
  /** What stands between the script tags, byte for byte. */
  readonly text: string
  /** For `script-src` of a Content-Security-Policy, with its quotes. */
  readonly hash: string
}

export async function buildEarlyScript(): Promise<EarlyScript> {
  const results = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      reportCompressedSize: false,
      lib: { entry: file('src/early/index.ts'), formats: ['iife'], name: 'latchkeyEarly' },
    },
  })
  const [result] = [results].flat()
  const [chunk] = result && 'output' in result ? result.output : []
  if (!chunk) throw new Error('latchkey/early was not built')
  const text = chunk.code.trim()
  if (/<\/|<!--/.test(text)) throw new Error('latchkey/early cannot stand inside a script element')
  return { text, hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { text, hash } = await buildEarlyScript()
  const path = file('dist/early/inline.js')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  console.log(`dist/early/inline.js  ${text.length} bytes  script-src ${hash}`)
}
