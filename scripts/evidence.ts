// npm run evidence: renews the recorded results that are older than their pages may bear; says beforehand how long, and goes on where it was stopped. --check renews nothing.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, platform } from 'node:os'
import { parseArgs } from 'node:util'
import { RECORDS, type EvidenceRecord } from './evidenceRecords.ts'

const STAMPS = 'evidence/records.json'

/** What a record carries: where, when and of what it was made. */
export interface Stamp {
  readonly commit: string
  readonly date: string
  readonly machine: string
  /** Of the sources that it speaks of. */
  readonly sources: string
  /** The library and the tools, by name. */
  readonly versions: Readonly<Record<string, string>>
}

export interface Age {
  readonly name: string
  /** Commits to its own sources since; `undefined`: it was never recorded, or the history is not there. */
  readonly commits: number | undefined
  readonly mayBear: number
  readonly isStale: boolean
}

if (import.meta.main) process.exitCode = main()

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean' } },
  })
  const unknown = positionals.filter((name) => !RECORDS.some((record) => record.name === name))
  if (unknown.length > 0) {
    console.error(`No record is called ${unknown.join(', ')}: ${RECORDS.map(({ name }) => name).join(', ')}`)
    return 1
  }
  const ages = RECORDS.map((record) => ageOf(record, stamps()[record.name]))
  const isStale = (name: string) => ages.some((age) => age.name === name && age.isStale)
  for (const age of ages) console.log(lineOf(age))
  if (values.check) return ages.some((age) => age.isStale) ? 1 : 0

  const due = RECORDS.filter(({ name }) =>
    positionals.length > 0 ? positionals.includes(name) : isStale(name),
  )
  console.log(
    `\n${due.length} to renew, about ${due.reduce((sum, { minutes }) => sum + minutes, 0)} minutes on two quiet cores`,
  )
  const failed = due.filter((record) => !renew(record))
  for (const { name, command } of failed) console.error(`${name} was not renewed: ${command}`)
  return failed.length > 0 ? 1 : 0
}

/** How old a record is, by commits to what it speaks of; sources that are the same again make it as good as new. */
export function ageOf(record: EvidenceRecord, stamp: Stamp | undefined): Age {
  const { name, result, sources, mayBear } = record
  if (stamp?.sources === hashOf(sources)) return { name, commits: 0, mayBear, isStale: false }
  const since = stamp?.commit ?? git('log', '-1', '--format=%H', '--', result)
  const counted = since === '' ? '' : git('rev-list', '--count', `${since}..HEAD`, '--', ...sources)
  const commits = counted === '' ? undefined : Number(counted)
  return { name, commits, mayBear, isStale: commits === undefined || commits > mayBear }
}

export function lineOf({ name, commits, mayBear, isStale }: Age): string {
  const age = commits === undefined ? 'not recorded' : `${commits} commits old, ${mayBear} allowed`
  return `${isStale ? 'OLD ' : 'ok  '} ${name.padEnd(14)} ${age}${isStale ? `: npm run evidence -- ${name}` : ''}`
}

/** Written down at once: a run that is stopped goes on with the next. */
function renew({ name, command, sources }: EvidenceRecord): boolean {
  console.log(`\n${name}: ${command}`)
  if (spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0) return false
  const { version, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    version: string
    devDependencies: Record<string, string>
  }
  const stamp: Stamp = {
    commit: git('rev-parse', 'HEAD'),
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores, ${platform()} ${arch()}`,
    sources: hashOf(sources),
    versions: {
      latchkey: version,
      node: process.version,
      ...Object.fromEntries(
        ['playwright', 'vitest', 'oidc-provider'].map((tool) => [tool, devDependencies[tool] ?? '']),
      ),
    },
  }
  writeFileSync(STAMPS, `${JSON.stringify({ ...stamps(), [name]: stamp }, undefined, 2)}\n`)
  return true
}

function stamps(): Record<string, Stamp | undefined> {
  return existsSync(STAMPS) ? (JSON.parse(readFileSync(STAMPS, 'utf8')) as Record<string, Stamp>) : {}
}

/** Of the repository's files below these paths, by name and content: what is installed or built there is none of them. */
export function hashOf(sources: readonly string[]): string {
  const hash = createHash('sha256')
  const paths = git('ls-files', '--', ...sources).split('\n')
  for (const path of paths.filter(existsSync).toSorted())
    if (/\.[a-z]+$/.test(path)) hash.update(path).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

/** Nothing where there is no history. */
function git(...words: string[]): string {
  try {
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}
