// Counts the tests of one Vitest run from its JSON report; a run that broke without a failed test still counts as a failure.
import { existsSync, readFileSync } from 'node:fs'

interface VitestReport {
  testResults: {
    status: string
    assertionResults: { status: string }[]
  }[]
}

export interface Counts {
  passed: number
  failed: number
}

export function readVitestReport(path: string, isSuccess: boolean): Counts {
  if (!existsSync(path)) return { passed: 0, failed: 1 }
  return countTests(JSON.parse(readFileSync(path, 'utf8')) as VitestReport, isSuccess)
}

/** There was nothing to run. */
export function isEmptyReport(path: string): boolean {
  if (!existsSync(path)) return true
  return (JSON.parse(readFileSync(path, 'utf8')) as VitestReport).testResults.length === 0
}

export function countTests({ testResults }: VitestReport, isSuccess: boolean): Counts {
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const count = (status: string) => statuses.filter((found) => found === status).length
  const passed = count('passed')
  // A file that could not be loaded has no tests to fail.
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = count('failed') + brokenFiles
  // No test at all, or an error outside every test, must not pass as success.
  const isSilentFailure = failed === 0 && (!isSuccess || passed === 0)
  return { passed, failed: failed + (isSilentFailure ? 1 : 0) }
}
