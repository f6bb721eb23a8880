// Counts what the tests noticed, file by file, and keeps it for evidence/faults.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Mutant } from './instrument.ts'
import { MODULES } from './plan.ts'

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

/** The last results. */
export interface Results {
  readonly rows: readonly { file: string; mistakes: number; noticed: number }[]
  readonly unnoticed: readonly Survivor[]
}

export function readResults(): Results {
  if (!existsSync(RESULTS)) return { rows: [], unnoticed: [] }
  return JSON.parse(readFileSync(RESULTS, 'utf8')) as Results
}

/** Results of this run; those of files that were not in it stay as they are. */
export function record(options: {
  mutants: readonly Mutant[]
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
    return { file, mistakes: own.length, noticed: own.filter(({ id }) => noticed.has(id)).length }
  })
  const shares = Object.entries(MODULES).flatMap(([name, files]) => {
    const own = rows.filter(({ file }) => files.includes(file))
    if (own.length === 0) return []
    const mistakes = own.reduce((sum, row) => sum + row.mistakes, 0)
    const found = own.reduce((sum, row) => sum + row.noticed, 0)
    console.log(`${name}: ${found} of ${mistakes} noticed, ${((found / mistakes) * 100).toFixed(1)} %`)
    return found / mistakes
  })
  if (options.isRecorded) {
    const before = readResults()
    const isOther = ({ file }: { file: string }) => !rows.some((row) => row.file === file)
    const results: Results = {
      rows: [...before.rows.filter(isOther), ...rows].toSorted((a, b) => a.file.localeCompare(b.file)),
      unnoticed: [...before.unnoticed.filter(isOther), ...unnoticed].toSorted(
        (a, b) => a.file.localeCompare(b.file) || a.line - b.line,
      ),
    }
    mkdirSync('test/results', { recursive: true })
    writeFileSync(RESULTS, `${JSON.stringify(results, undefined, 2)}\n`)
  }
  return shares.every((share) => share >= 0.9) ? 0 : 1
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 90)
