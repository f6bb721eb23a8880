// Bytes that a page loads before the first key can be typed: the editor as an app bundles it, compressed.

// @module-tag thorough

import { gzipSync } from 'node:zlib'
import { type OutputChunk, rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const ENTRY = 'an app that shows the editor'

async function bundleEditor(): Promise<OutputChunk[]> {
  const bundling = await rolldown({
    input: ENTRY,
    platform: 'browser',
    preserveEntrySignatures: false,
    external: [/^react($|\/)/, /^monaco-editor/, /^@monaco-editor/, 'jsonrepair'],
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
    checks: { moduleLevelDirective: false },
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) =>
          id === ENTRY
            ? "import { JsonEditor } from './src/editor/index.ts'; globalThis.shown = JsonEditor"
            : undefined,
      },
    ],
  })
  const { output } = await bundling.generate({ format: 'esm', minify: true })
  await bundling.close()
  return output.filter((file) => file.type === 'chunk')
}

it('loads at most 6,000 bytes before the first key, then all of its tools at once, and the rest on first use', async () => {
  const chunks = await bundleEditor()
  const named = (name: string) => chunks.find(({ fileName }) => fileName === name)
  const withImports = (name: string, seen = new Set<OutputChunk>()): Set<OutputChunk> => {
    const chunk = named(name)
    if (!chunk || seen.has(chunk)) return seen
    seen.add(chunk)
    for (const next of chunk.imports) withImports(next, seen)
    return seen
  }
  const entry = chunks.find(({ isEntry }) => isEntry)!
  const first = withImports(entry.fileName)
  const bytes = [...first].map(({ code }) => gzipSync(code, { level: 9 }).length)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(6_000)

  const later = [...first].flatMap(({ dynamicImports }) => dynamicImports)
  expect(later).toHaveLength(1)
  const tools = [...withImports(later[0]!)].filter((chunk) => !first.has(chunk))
  const modules = tools.flatMap(({ moduleIds }) => moduleIds.map((id) => id.split('/src/editor/')[1]))
  expect(modules).toEqual(expect.arrayContaining(['tools/Toolbar.tsx', 'tools/actions.ts', 'scan.ts']))
  // Loaded on first use: the schema validator, repair, Monaco.
  const all = chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => id.split('/src/editor/')[1]))
  for (const rare of ['schemaValidator.ts', 'repair.ts', 'monaco/FullEditor.tsx']) {
    expect(all).toContain(rare)
    expect(modules).not.toContain(rare)
  }
})
