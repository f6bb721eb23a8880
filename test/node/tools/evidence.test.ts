// Promises of npm run evidence: a record is old by commits to its own sources, and says what renews it.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ageOf, hashOf, lineOf, type Stamp } from '../../../scripts/evidence.ts'
import { RECORDS } from '../../../scripts/evidenceRecords.ts'

const record = { ...RECORDS[0]!, name: 'size', sources: ['src/errors.ts'], mayBear: 0 }
const stamp: Stamp = {
  commit: '0'.repeat(40),
  date: '',
  machine: '',
  versions: {},
  sources: hashOf(record.sources),
}

it('is good while its sources are those of the record', () => {
  expect(ageOf(record, stamp)).toMatchObject({ commits: 0, isStale: false })
  expect(ageOf(record, { ...stamp, sources: 'others' })).toMatchObject({ isStale: true })
})

it('is not changed by what is installed or built in the folders that it speaks of', () => {
  mkdirSync('.cache', { recursive: true })
  const folder = mkdtempSync('.cache/evidence-')
  try {
    mkdirSync(join(folder, 'package.js'))
    writeFileSync(join(folder, 'index.js'), '1')
    expect(hashOf([folder])).toBe(createHash('sha256').digest('hex').slice(0, 16))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('says how old it is, what is allowed, and what renews it', () => {
  expect(lineOf({ name: 'size', commits: 3, mayBear: 0, isStale: true })).toBe(
    'OLD  size           3 commits old, 0 allowed: npm run evidence -- size',
  )
  expect(lineOf({ name: 'tabs', commits: 40, mayBear: 40, isStale: false })).toBe(
    'ok   tabs           40 commits old, 40 allowed',
  )
})

it.each(RECORDS.map((one) => [one.name, one] as const))(
  '%s speaks of files that there are',
  (_name, { result, sources }) => {
    expect(existsSync(result)).toBe(true)
    expect(sources.filter((source) => !existsSync(source))).toEqual([])
  },
)
