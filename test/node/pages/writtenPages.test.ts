// Holds the pages that scripts write to what they are written from, so that no figure is left behind or changed by hand.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NAMES, readResults, toMarkdown } from '../../../bench/report.ts'
import { plainPage } from '../../../scripts/plainPage.ts'

it('evidence/benchmarks.md says what bench/results has, and everything of it', () => {
  const results = readResults()
  expect(results).toHaveLength(NAMES.length)
  expect(plainPage(readFileSync('evidence/benchmarks.md', 'utf8'))).toBe(plainPage(toMarkdown(results)))
})
