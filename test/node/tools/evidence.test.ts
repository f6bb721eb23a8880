// Promises of npm run evidence: a record is old by commits to its own sources, and says what renews it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
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

describe('in a clone', () => {
  const figures = { ...record, name: 'tabs', result: 'result.json', sources: ['src'], mayBear: 1 }

  /** A repository with a record of its first commit, and as many commits to its sources after it as are asked for. */
  function project(later: number) {
    mkdirSync('.cache', { recursive: true })
    const folder = mkdtempSync('.cache/evidence-')
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()
    const commit = (path: string, text: string) => {
      mkdirSync(join(folder, 'src'), { recursive: true })
      mkdirSync(join(folder, 'evidence'), { recursive: true })
      writeFileSync(join(folder, path), text)
      git('add', '.')
      git('commit', '--no-gpg-sign', '-m', path)
    }
    git('init', '--initial-branch=main')
    commit('src/code.ts', 'first')
    const first = git('rev-parse', 'HEAD')
    const sources = hashOf(['src'], folder)
    commit('evidence/records.json', JSON.stringify({ tabs: { sources } }))
    for (let count = 1; count <= later; count += 1) commit('src/code.ts', `change ${count}`)
    commit('docs.md', 'speaks of none of it')
    return { folder, commit, ofFirst: { ...stamp, commit: first, sources } }
  }

  it('is as old as the commits to its sources since it ran, and old when they are more than it may bear', () => {
    const { folder, ofFirst, commit } = project(1)
    expect(ageOf(figures, ofFirst, folder)).toMatchObject({ commits: 1, isStale: false })
    commit('src/code.ts', 'once more')
    expect(ageOf(figures, ofFirst, folder)).toMatchObject({ commits: 2, isStale: true })
    commit('src/code.ts', 'first')
    expect(ageOf(figures, ofFirst, folder)).toMatchObject({ commits: 0, isStale: false })
  })

  it('is as old as what brought it where its commit is gone: a branch was rebased', () => {
    const { folder, ofFirst } = project(3)
    expect(ageOf(figures, { ...ofFirst, commit: '1'.repeat(40) }, folder)).toMatchObject({
      commits: 3,
      isStale: true,
    })
  })

  it('is judged by its sources alone where there is no history, and only when it bears no change', () => {
    const { folder, ofFirst } = project(3)
    const shallow = `${folder}-shallow`
    onTestFinished(() => rmSync(shallow, { recursive: true, force: true }))
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${join(process.cwd(), folder)}`, shallow])
    const age = ageOf(figures, ofFirst, shallow)
    expect(age).toMatchObject({ commits: undefined, isStale: false })
    expect(lineOf(age)).toBe('ok   tabs           no history here: git fetch --unshallow, 1 allowed')
    expect(ageOf({ ...figures, mayBear: 0 }, ofFirst, shallow)).toMatchObject({ isStale: true })
  })
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
