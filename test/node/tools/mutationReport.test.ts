// Promises of npm run test:mutation -- --changed: what has not changed is not tried again, and its result stays.
import { expect, it } from 'vitest'
import { changedTargets, hashOfFile, merged, type Survivor } from '../../../scripts/mutation/report.ts'

const FILE = 'src/protocol/pkce.ts'
const OTHER = 'src/protocol/claims.ts'
const rowOf = (file: string, noticed = 1) => ({ file, mistakes: 2, noticed, source: hashOfFile(file) })
const survivorOf = (file: string): Survivor => ({
  file,
  line: 1,
  operator: 'another text',
  original: "''",
  replacement: "'mutant'",
  fate: 'survived',
})

it('tries a file again when it has changed, or was never tried', () => {
  expect(changedTargets({ rows: [rowOf(FILE)], unnoticed: [] })).not.toContain(FILE)
  expect(changedTargets({ rows: [rowOf(FILE)], unnoticed: [] })).toContain(OTHER)
  const changed = { ...rowOf(FILE), source: 'as it was' }
  expect(changedTargets({ rows: [changed], unnoticed: [] })).toContain(FILE)
})

it('keeps what is known of other files, and nothing of one that is gone', () => {
  const before = {
    rows: [rowOf(FILE), rowOf(OTHER), { ...rowOf(FILE), file: 'src/protocol/gone.ts' }],
    unnoticed: [survivorOf(FILE), survivorOf(OTHER), survivorOf('src/protocol/gone.ts')],
  }
  expect(merged(before, { rows: [rowOf(OTHER, 2)], unnoticed: [] })).toEqual({
    rows: [rowOf(OTHER, 2), rowOf(FILE)],
    unnoticed: [survivorOf(FILE)],
  })
})
