// Builds `latchkey/early` as one classic script, to be put inline into a page, and the hash that a policy allows it by.
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { hashOf } from '../src/setup/policy.ts'

const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

export interface EarlyScript {
  /** What stands between the script tags, byte for byte. */
  readonly text: string
  /** For `script-src` of a Content-Security-Policy, with its quotes. */
  readonly hash: string
}

/** `oidc`: the one for pages with an OpenID Connect provider. */
export async function buildEarlyScript(entry: 'index' | 'oidc' = 'index'): Promise<EarlyScript> {
  const results = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      reportCompressedSize: false,
      lib: { entry: file(`src/early/${entry}.ts`), formats: ['iife'], name: 'latchkeyEarly' },
    },
  })
  const [result] = [results].flat()
  const [chunk] = result && 'output' in result ? result.output : []
  if (!chunk) throw new Error('latchkey/early was not built')
  const text = chunk.code.trim()
  if (/<\/|<!--/.test(text)) throw new Error('latchkey/early cannot stand inside a script element')
  return { text, hash: hashOf(text) }
}

/** Puts it beside the modules of the package, with a declaration: without one, TypeScript refuses an app that imports it (TS7016). */
export function emitEarlyScript(entry: 'index' | 'oidc', fileName: string): Plugin {
  return {
    name: `early-script-${entry}`,
    async generateBundle() {
      const { text } = await buildEarlyScript(entry)
      this.emitFile({ type: 'asset', fileName, source: text })
      this.emitFile({ type: 'asset', fileName: fileName.replace(/js$/, 'd.ts'), source: 'export {}\n' })
    },
  }
}
