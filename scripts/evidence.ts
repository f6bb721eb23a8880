// npm run evidence: renews the recorded results that are older than their pages may bear; says beforehand how long, and goes on where it was stopped. --check renews nothing.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, platform } from 'node:os'
import { join } from 'node:path'
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
  /** Commits to its own sources since; `undefined`: the history is not there, as in a shallow clone. */
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

/**
 * How old a record is, by commits to what it speaks of; sources that are the same again make it as good as new.
 * Where the history is missing, only a record that bears no change is judged: by its sources.
 */
export function ageOf(record: EvidenceRecord, stamp: Stamp | undefined, folder = '.'): Age {
  const { name, sources, mayBear } = record
  if (stamp?.sources === hashOf(sources, folder)) return { name, commits: 0, mayBear, isStale: false }
  const since = commitOf(record, stamp, folder)
  const counted = since === '' ? '' : git(folder, 'rev-list', '--count', `${since}..HEAD`, '--', ...sources)
  const commits = counted === '' ? undefined : Number(counted)
  if (stamp && mayBear === 0) return { name, commits, mayBear, isStale: true }
  return { name, commits, mayBear, isStale: (commits ?? 0) > mayBear }
}

/** The commit that it ran at, or where that one is in no history (a branch that was rebased) the one that brought it. */
function commitOf({ result }: EvidenceRecord, stamp: Stamp | undefined, folder: string): string {
  const isHere = stamp && git(folder, 'rev-list', '-1', stamp.commit, '^HEAD', '--') === ''
  if (isHere && git(folder, 'cat-file', '-t', stamp.commit) === 'commit') return stamp.commit
  // A shallow clone takes its oldest commit for the one that brought everything.
  if (git(folder, 'rev-parse', '--is-shallow-repository') !== 'false') return ''
  const last = (...words: string[]) => git(folder, 'log', '-1', '--format=%H', ...words)
  return (stamp && last(`-S${stamp.sources}`, '--', STAMPS)) || last('--', result)
}

export function lineOf({ name, commits, mayBear, isStale }: Age): string {
  const age = commits === undefined ? 'no history here: git fetch --unshallow' : `${commits} commits old`
  const again = isStale ? `: npm run evidence -- ${name}` : ''
  return `${isStale ? 'OLD ' : 'ok  '} ${name.padEnd(14)} ${age}, ${mayBear} allowed${again}`
}

/** Written down at once: a run that is stopped goes on with the next. */
function renew({ name, command, sources, result }: EvidenceRecord): boolean {
  console.log(`\n${name}: ${command}`)
  const before = statSync(result, { throwIfNoEntry: false })?.mtimeMs
  const env = { ...process.env, LATCHKEY_RECORD: '1' }
  if (spawnSync(command, { shell: true, stdio: 'inherit', env }).status !== 0) {
    // A goal that was missed is a result too: the page says so.
    if (statSync(result, { throwIfNoEntry: false })?.mtimeMs === before) return false
    console.log(`${name}: written, and something in it is not as it should be`)
  }
  const { version, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    version: string
    devDependencies: Record<string, string>
  }
  const stamp: Stamp = {
    commit: git('.', 'rev-parse', 'HEAD'),
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
export function hashOf(sources: readonly string[], folder = '.'): string {
  const hash = createHash('sha256')
  const paths = git(folder, 'ls-files', '--', ...sources).split('\n')
  const isThere = (path: string) => /\.[a-z]+$/.test(path) && existsSync(join(folder, path))
  for (const path of paths.filter(isThere).toSorted())
    hash.update(path).update(readFileSync(join(folder, path)))
  return hash.digest('hex').slice(0, 16)
}

/** Nothing where there is no history. */
function git(folder: string, ...words: string[]): string {
  try {
    return execFileSync('git', ['-C', folder, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}
