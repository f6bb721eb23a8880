// Compares what evidence/faults.md says with a run of the suite: tests that are named ran and passed, and counts are reached.
import type { Defect } from '../test/defects.ts'
import type { FaultRow } from '../test/faults.ts'

/** A test of a run. */
export interface Listed {
  /** Under test/, without the ending. */
  readonly file: string
  /** With the names of the groups around it. */
  readonly name: string
  /** Skipped is not passed. */
  readonly isPassed: boolean
}

/** Numbers of named bad inputs and faults, by where they stand. */
export type Named = Readonly<Record<string, number>>

export const sumOf = (counted: Named) => Object.values(counted).reduce((sum, count) => sum + count, 0)

export interface Said {
  readonly faults: readonly Pick<FaultRow, 'tests'>[]
  readonly defects: readonly Pick<Defect, 'tests'>[]
  /** Named bad inputs and faults: how many there have to be in `all`, and in some tables. */
  readonly leastNamed: Named
  /** Projects whose tests ran, by the folders that they take. */
  readonly folders: readonly string[]
}

/** What is said and not so; `counted` is what the run had of named bad inputs and faults. */
export function problemsOf(
  tests: readonly Listed[],
  counted: Named,
  { faults, defects, leastNamed, folders }: Said,
): string[] {
  const problems: string[] = []
  const rows: Named = { ...counted, all: sumOf(counted) }
  for (const [where, least] of Object.entries(leastNamed)) {
    const count = rows[where] ?? 0
    if (count < least)
      problems.push(`${where}: ${count} named bad inputs and faults ran, fewer than ${least}`)
  }
  for (const [file, name] of [...faults, ...defects].flatMap((row) => row.tests)) {
    if (!folders.some((folder) => file.startsWith(`${folder}/`))) continue
    const of = tests.filter((test) => test.file === file && isNamed(test.name, name))
    if (of.length === 0) problems.push(`no test of ${file} that ran is called ${name}`)
    if (of.some(({ isPassed }) => !isPassed)) problems.push(`did not pass: ${file}: ${name}`)
  }
  return problems
}

/** Whether a name as it ran is the one in the source, whose places are filled in then. */
function isNamed(ran: string, source: string): boolean {
  const pattern = source
    .split(/%[a-z]/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*')
  return new RegExp(pattern, 's').test(ran)
}
