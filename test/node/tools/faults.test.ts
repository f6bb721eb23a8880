// Holds the table of faults and of defects to the tests that it names: each is there, and each fault has one in a real browser.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readResults } from '../../../scripts/mutation/report.ts'
import { explanationOf } from '../../unnoticed.ts'
import { DEFECTS } from '../../defects.ts'
import { FAULTS, type NamedTest } from '../../faults.ts'

const textOf = (file: string) => {
  const path = [`test/${file}.test.ts`, `test/${file}.test.tsx`].find((one) => existsSync(one))
  return path === undefined ? '' : readFileSync(path, 'utf8')
}
const isThere = ([file, name]: NamedTest) =>
  textOf(file).includes(name.replaceAll("'", String.raw`\'`)) || textOf(file).includes(name)

it('has every fault once, in order', () => {
  expect(FAULTS.map(({ id }) => id)).toEqual(Array.from({ length: 54 }, (_, index) => `F${index + 1}`))
})

it.each(FAULTS.map((row) => [row.id, row] as const))(
  '%s names tests that exist, one of them in a real browser',
  (_id, row) => {
    expect(row.tests.filter((test) => !isThere(test))).toEqual([])
    expect(row.tests.some(([file]) => /^(?:e2e|browser)\//.test(file))).toBe(true)
  },
)

it.each(DEFECTS.map((row) => [row.what, row] as const))(
  'the defect that %s has its test',
  (_what, { tests }) => {
    expect(tests.length).toBeGreaterThan(0)
    expect(tests.filter((test) => !isThere(test))).toEqual([])
  },
)

it('stands in the documentation, row by row', () => {
  const page = readFileSync('evidence/faults.md', 'utf8')
  for (const { id, what } of FAULTS) expect(page).toContain(`- **${id}** ${what}\n`)
  for (const { what } of DEFECTS) expect(page).toContain(`**Before:** ${what}.`)
})

it('has a reason for every mistake in the code that no test noticed', () => {
  const { unnoticed } = readResults()
  const unexplained = unnoticed.filter((survivor) => explanationOf(survivor) === undefined)
  expect(
    unexplained.map(
      ({ file, line, original, replacement }) => `${file}:${line} ${original} -> ${replacement}`,
    ),
  ).toEqual([])
})
