// Counts what the tests noticed, file by file, and keeps it for evidence/faults.md.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Mutant } from './instrument.ts'
import { MODULES, TARGETS } from './plan.ts'

const RESULTS = 'test/results/mutation.json'

interface Line {
  id?: number
  by?: string
  how?: string
  passedBy?: number[]
}

/** Why a mistake is still there: no test failed, no test passes by, or it acts at load and was not tried. */
export type Fate = 'survived' | 'unmet' | 'untried'

/** What is kept of a mistake that no test noticed. */
export interface Survivor extends Pick<Mutant, 'file' | 'line' | 'operator' | 'original' | 'replacement'> {
  readonly fate: Fate
}

interface Row {
  readonly file: string
  readonly mistakes: number
  readonly noticed: number
  /** Of the file as it was then. */
  readonly source?: string | undefined
}

export const hashOfFile = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16)

/** Files that are no longer as they were in the last run, or were in none. */
export function changedTargets({ rows }: Results = readResults()): string[] {
  return TARGETS.filter((file) => rows.find((row) => row.file === file)?.source !== hashOfFile(file))
}

/** The last results. */
export interface Results {
  readonly rows: readonly Row[]
  readonly unnoticed: readonly Survivor[]
}

export function readResults(): Results {
  if (!existsSync(RESULTS)) return { rows: [], unnoticed: [] }
  return JSON.parse(readFileSync(RESULTS, 'utf8')) as Results
}

/** Results of a run; those of files that were not in it stay as they are, unless the file is gone. */
export function merged(before: Results, run: Results): Results {
  const stays = ({ file }: { file: string }) =>
    TARGETS.includes(file) && !run.rows.some((row) => row.file === file)
  return {
    rows: [...before.rows.filter(stays), ...run.rows].toSorted((a, b) => a.file.localeCompare(b.file)),
    unnoticed: [...before.unnoticed.filter(stays), ...run.unnoticed].toSorted(
      (a, b) => a.file.localeCompare(b.file) || a.line - b.line,
    ),
  }
}

/** Says what this run has found, and writes it down where that is asked for. */
export function record(options: {
  mutants: readonly Mutant[]
  /** Hashes of the files as this run has them. */
  sources: Readonly<Record<string, string>>
  log: readonly Line[]
  isRecorded: boolean
}): number {
  const { mutants, log } = options
  const noticed = new Set(log.flatMap(({ id, by }) => (by === undefined ? [] : (id ?? []))))
  const tried = new Set(log.flatMap(({ id, how }) => (how === 'tried while loading' ? (id ?? []) : [])))
  const met = new Set(log.flatMap((line) => line.passedBy ?? []))
  const fateOf = ({ id, isAtLoad }: Mutant): Fate => {
    if (isAtLoad) return tried.has(id) ? 'survived' : 'untried'
    return met.has(id) ? 'survived' : 'unmet'
  }
  const unnoticed = mutants
    .filter(({ id }) => !noticed.has(id))
    .map((mutant) => {
      const { file, line, operator, original, replacement } = mutant
      return { file, line, operator, original, replacement, fate: fateOf(mutant) }
    })
  for (const { fate, file, line, operator, original, replacement } of unnoticed)
    console.log(`${fate}  ${file}:${line}  ${operator}: ${oneLine(original)} -> ${oneLine(replacement)}`)

  const rows = [...new Set(mutants.map(({ file }) => file))].map((file) => {
    const own = mutants.filter((mutant) => mutant.file === file)
    const found = own.filter(({ id }) => noticed.has(id)).length
    return { file, mistakes: own.length, noticed: found, source: options.sources[file] }
  })
  const run: Results = { rows, unnoticed }
  const results = options.isRecorded ? merged(readResults(), run) : run
  const shares = Object.entries(MODULES).flatMap(([name, files]) => {
    const own = results.rows.filter(({ file }) => files.includes(file))
    if (own.length === 0) return []
    const mistakes = own.reduce((sum, row) => sum + row.mistakes, 0)
    const found = own.reduce((sum, row) => sum + row.noticed, 0)
    console.log(`${name}: ${found} of ${mistakes} noticed, ${((found / mistakes) * 100).toFixed(1)} %`)
    return found / mistakes
  })
  if (options.isRecorded) {
    mkdirSync('test/results', { recursive: true })
    writeFileSync(RESULTS, `${JSON.stringify(results, undefined, 2)}\n`)
  }
  return shares.every((share) => share >= 0.9) ? 0 : 1
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 90)
