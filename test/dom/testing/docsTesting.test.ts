// Runs the tests that docs/testing.md shows, as they stand there: whoever copies one has a test that passes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const page = readFileSync('docs/testing.md', 'utf8').replaceAll('\r\n', '\n')
const blocks = page.split(/^## /m).flatMap((section) =>
  [...section.matchAll(/^```(tsx?)\n([\s\S]*?)^```/gm)].map(([, kind = '', code = '']) => ({
    heading: section.slice(0, section.indexOf('\n')),
    kind,
    code,
  })),
)
const tests = blocks.filter(({ code }) => /^it\(/m.test(code))

it('the page shows a test in each of its ways, and nothing that is not compiled', () => {
  expect(tests.map(({ heading }) => heading)).toEqual([
    'A screen in any state',
    'Matchers',
    'The real session on a fake page',
    'Over fetch, with msw',
  ])
  // docsExamples.test.ts compiles the blocks that import something.
  expect(blocks.filter(({ code }) => !code.startsWith('import '))).toEqual([])
})

for (const { heading, kind, code } of tests) {
  describe(heading, async () => {
    // Among the tests, so that `latchkey` is found by name as in an app; gone at once, also where a run skips them all.
    const folder = mkdtempSync(resolve('test/dom/.docs-'))
    try {
      const file = join(folder, `example.${kind}`)
      writeFileSync(file, code)
      // Its hooks and tests become those of this group.
      await import(/* @vite-ignore */ file)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
