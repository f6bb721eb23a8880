// Runs the tests that docs/testing.md shows, as they stand there: whoever copies one has a test that passes.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { importCode } from '../../e2e/pages/recipeCode.ts'

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
    'API functions that import `auth`',
    'Matchers',
    'The real session on a fake page',
    'Over fetch, with msw',
  ])
  // docsExamples.test.ts compiles the blocks that import something.
  expect(blocks.filter(({ code }) => !code.startsWith('import '))).toEqual([])
})

for (const { heading, kind, code } of tests) {
  describe(heading, async () => {
    // Its hooks and tests become those of this group.
    await importCode(code, { among: 'test/dom', kind })
  })
}
