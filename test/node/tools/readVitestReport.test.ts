// Promises of the test command's count: nothing that broke is counted as success.
import { expect, it } from 'vitest'
import { countTests, readVitestReport } from '../../../scripts/readVitestReport.ts'

const report = (...files: [status: string, ...tests: string[]][]) => ({
  testResults: files.map(([status, ...tests]) => ({
    status,
    assertionResults: tests.map((test) => ({ status: test })),
  })),
})

it.each([
  ['every test', report(['passed', 'passed'], ['failed', 'passed', 'failed', 'pending']), false, 2, 1],
  ['a file that could not be loaded', report(['passed', 'passed'], ['failed']), false, 1, 1],
  ['an error outside every test', report(['passed', 'passed']), false, 1, 1],
  ['a run without any test', report(), true, 0, 1],
])('counts %s', (_what, files, isSuccess, passed, failed) => {
  expect(countTests(files, isSuccess)).toEqual({ passed, failed })
})

it('counts a run that left no report as one failure', () => {
  expect(readVitestReport('.cache/test/none.json', true)).toEqual({ passed: 0, failed: 1 })
})
