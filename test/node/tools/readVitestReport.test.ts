// Promises of the test command's count: nothing that broke is ever counted as success.
import { expect, it } from 'vitest'
import { countTests, readVitestReport } from '../../../scripts/readVitestReport.ts'

const report = (...files: [status: string, ...tests: string[]][]) => ({
  testResults: files.map(([status, ...tests]) => ({
    status,
    assertionResults: tests.map((test) => ({ status: test })),
  })),
})

it('counts every test of every file', () => {
  const files = report(['passed', 'passed', 'passed'], ['failed', 'passed', 'failed', 'pending'])
  expect(countTests(files, false)).toEqual({ passed: 3, failed: 1, skipped: 1 })
})

it('counts a file that could not be loaded as one failure', () => {
  expect(countTests(report(['passed', 'passed'], ['failed']), false)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
  })
})

it('counts an error outside every test as one failure', () => {
  expect(countTests(report(['passed', 'passed']), false)).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

it('counts a run without any test as one failure', () => {
  expect(countTests(report(), true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(countTests(report(['passed', 'skipped']), true)).toEqual({ passed: 0, failed: 1, skipped: 1 })
})

it('counts a run that left no report as one failure', () => {
  expect(readVitestReport('.cache/test/none.json', true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})
