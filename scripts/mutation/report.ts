// Counts what the tests noticed, file by file, and explains what they cannot notice.
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Mutant } from './instrument.ts'
import { MODULES } from './plan.ts'
import { explanationOf } from './survivors.ts'

const RESULTS = 'test/results/mutation.json'

interface Line {
  id?: number
  by?: string
  how?: string
  whileLoading?: number[]
  passedBy?: number[]
}

interface Count {
  noticed: number
  explained: number
  survived: number
  /** Acts while its file loads, and was not tried. */
  untried: number
  /** No test passes by. */
  unmet: number
}

export function record(options: {
  mutants: readonly Mutant[]
  log: readonly Line[]
  isRecorded: boolean
}): number {
  const { mutants, log } = options
  const noticed = new Set(log.flatMap(({ id, by }) => (by === undefined ? [] : (id ?? []))))
  const triedLoading = new Set(
    log.flatMap(({ id, how }) => (how === 'tried while loading' ? (id ?? []) : [])),
  )
  const loading = new Set(log.flatMap((line) => line.whileLoading ?? []))
  const met = new Set(log.flatMap((line) => line.passedBy ?? []))
  const fateOf = (mutant: Mutant): keyof Count => {
    if (noticed.has(mutant.id)) return 'noticed'
    if (explanationOf(mutant) !== undefined) return 'explained'
    if (met.has(mutant.id) || triedLoading.has(mutant.id)) return 'survived'
    return loading.has(mutant.id) ? 'untried' : 'unmet'
  }
  const survivors = mutants.filter((mutant) => ['survived', 'unmet', 'untried'].includes(fateOf(mutant)))
  for (const mutant of survivors)
    console.log(
      `${fateOf(mutant)}  ${mutant.file}:${mutant.line}  ${mutant.operator}: ${oneLine(mutant.original)} -> ${oneLine(mutant.replacement)}`,
    )

  const files = [...new Set(mutants.map(({ file }) => file))]
  const rows = files.map((file) => {
    const count: Count = { noticed: 0, explained: 0, survived: 0, untried: 0, unmet: 0 }
    for (const mutant of mutants) if (mutant.file === file) count[fateOf(mutant)] += 1
    return { file, ...count }
  })
  const sum = (of: readonly (typeof rows)[number][]) => {
    const noticedCount = of.reduce((all, { noticed: one }) => all + one, 0)
    const wholeCount = of.reduce((all, one) => all + one.noticed + one.survived + one.unmet + one.untried, 0)
    return { noticedCount, wholeCount, share: Math.round((noticedCount / wholeCount) * 1000) / 10 }
  }
  for (const [name, of] of Object.entries(MODULES)) {
    if (!rows.some(({ file }) => of.includes(file))) continue
    const { noticedCount, wholeCount, share } = sum(rows.filter(({ file }) => of.includes(file)))
    console.log(`${name}: ${noticedCount} of ${wholeCount} noticed, ${share} %`)
  }
  if (options.isRecorded) {
    mkdirSync('test/results', { recursive: true })
    const left = mutants.filter((mutant) => fateOf(mutant) !== 'noticed')
    const unnoticed = left.map(({ file, line, operator, original, replacement }) => ({
      file,
      line,
      operator,
      original,
      replacement,
    }))
    const told = left.map((mutant, index) => ({
      ...unnoticed[index],
      fate: fateOf(mutant),
      why: explanationOf(mutant),
    }))
    writeFileSync(RESULTS, `${JSON.stringify({ rows, unnoticed: told }, undefined, 2)}\n`)
  }
  return sum(rows).share >= 90 ? 0 : 1
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 90)
