// Holds the pages that scripts write to what they are written from, so that no figure is left behind or changed by hand.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withComparison } from '../../../bench/comparison.ts'
import { NAMES, readResults, toMarkdown } from '../../../bench/report.ts'
import { plainPage } from '../../../scripts/writtenPage.ts'

it('evidence/benchmarks.md says what bench/results has, and everything of it', () => {
  const results = readResults()
  expect(results).toHaveLength(NAMES.length)
  expect(plainPage(readFileSync('evidence/benchmarks.md', 'utf8'))).toBe(plainPage(toMarkdown(results)))
})

it('README.md compares with the figures of bench/results, eight rows of six libraries', () => {
  const readme = plainPage(readFileSync('README.md', 'utf8').replaceAll('\r\n', '\n'))
  expect(readme).toBe(plainPage(withComparison(readme, readResults())))
  expect(readme.match(/^\|[^|]*(?:\|[^|\n]+){6}\|$/gm)).toHaveLength(10)
})
