// Promises of the test command's count: nothing that broke is ever counted as success.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { countTests, readRepeated, readVitestReport } from '../../../scripts/readVitestReport.ts'
import { runCommand } from '../../../scripts/runCommand.ts'

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

it('names each test that needed a second attempt, though it passed in the end', async () => {
  mkdirSync('.cache', { recursive: true })
  const folder = mkdtempSync('.cache/attempts-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'some.test.js'),
    `import { it } from 'vitest'
let count = 0
it('comes late', { retry: 2 }, () => {
  count += 1
  if (count < 3) throw new Error('not yet')
})
it('comes at once', { retry: 2 }, () => {})
`,
  )
  writeFileSync(join(folder, 'vitest.config.js'), 'export default {}\n')
  const path = join(folder, 'report.json')
  const { isSuccess, output } = await runCommand(
    `vitest run --root ${folder} --reporter=${resolve('scripts/attemptsReporter.ts')} --reporter=json --outputFile.json=${resolve(path)}`,
  )
  expect({ isSuccess, output }).toMatchObject({ isSuccess: true })
  expect(readVitestReport(path, isSuccess)).toEqual({ passed: 2, failed: 0, skipped: 0 })
  expect(readRepeated(path)).toEqual(['comes late (3 attempts)'])
})
