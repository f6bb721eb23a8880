// Holds the check behind evidence/faults.md to its word: it is not satisfied by tests that did not run, and by counts that are not reached.
import { expect, it } from 'vitest'
import { problemsOf, type Said } from '../../../scripts/faultCheck.ts'

const said: Said = {
  faults: [{ tests: [['node/startUp', 'of %s ends well']] }],
  defects: [{ tests: [['node/tabs', 'is mended']] }],
  leastNamed: { all: 2, 'node/startUp': 2 },
  folders: ['node'],
}
const startUp = { file: 'node/startUp', name: 'a start > of a page ends well', isPassed: true }
const tabs = { file: 'node/tabs', name: 'tabs > what was broken is mended', isPassed: true }
const counted = { 'node/startUp': 2 }

it('has nothing to say when everything ran, passed and was counted', () => {
  expect(problemsOf([startUp, tabs], counted, said)).toEqual([])
})

it.each([
  ['a test of a fault that was skipped or failed', [{ ...startUp, isPassed: false }, tabs], counted],
  ['a test of a fault by another name', [{ ...startUp, name: 'ends' }, tabs], counted],
  ['a file that did not run', [tabs], counted],
  ['a test of a defect that is gone', [startUp], counted],
  ['a table that has lost a row', [startUp, tabs], { 'node/startUp': 1, 'node/more': 9 }],
  ['a table that did not run', [startUp, tabs], { 'node/more': 9 }],
  ['fewer rows than there have to be', [startUp, tabs], {}],
])('finds %s', (_what, tests, rows) => {
  expect(problemsOf(tests, rows, said)).not.toEqual([])
})

it('lets rows come without a word', () => {
  expect(problemsOf([startUp, tabs], { 'node/startUp': 3, 'node/more': 9 }, said)).toEqual([])
})

it('leaves tests of a project alone that was not asked for', () => {
  const others: Said = { ...said, faults: [{ tests: [['e2e/tabs/tabs', 'never ran']] }] }
  expect(problemsOf([tabs], counted, others)).toEqual([])
})
