// npm run test:mutation [-- file … test …]: Stryker makes small mistakes in src/protocol and src/session, one at a time: does a test fail? A whole run writes evidence/mutation.md.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installIn } from '../installIn.ts'
import { madeNow, tableOf, writePage } from '../writtenPage.ts'

const TOOL = 'scripts/mutation'
/** Stryker writes its mistakes into the files themselves: it gets a copy of the working tree. */
const TREE = '.cache/mutation'

interface Report {
  files: Record<string, { mutants: { status: string }[] }>
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const words = process.argv.slice(2)
/** What gets mistakes, and the only tests that run, where some are named. */
const [files, tests] = [words.filter((word) => !isTest(word)), words.filter(isTest)]
installIn(TOOL)
copyTree()
const { status } = spawnSync(
  process.execPath,
  [
    resolve(TOOL, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
    'run',
    `${TOOL}/stryker.config.json`,
    ...(files.length > 0 ? ['--mutate', files.join(',')] : []),
    ...(tests.length > 0 ? ['--testFiles', tests.join(',')] : []),
  ],
  { cwd: TREE, stdio: 'inherit', env: { LATCHKEY_GENERATED: '0.02', ...process.env } },
)
process.exitCode = status ?? 1
if (status === 0) {
  const table = tableOf(scores(JSON.parse(readFileSync(join(TREE, 'mutation.json'), 'utf8')) as Report))
  console.log(`\n${table}\n\nEach mistake that no test notices: ${TREE}/mutation.html`)
  if (words.length === 0) writePage('evidence/mutation.md', page(table))
}

function copyTree(): void {
  rmSync(TREE, { recursive: true, force: true })
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const path of listed.split('\0')) if (existsSync(path) && path !== '') cpSync(path, join(TREE, path))
  symlinkSync(resolve('node_modules'), join(TREE, 'node_modules'), 'junction')
}

/** A row for each folder of src/; mistakes that act only while a file loads are left out (`ignoreStatic`). */
function scores(report: Report): string[][] {
  const rooms = Map.groupBy(Object.entries(report.files), ([path]) => path.split('/')[1] ?? '')
  const rows = [...rooms].map(([room, all]) => {
    const statuses = all.flatMap(([, { mutants }]) => mutants.map((mutant) => mutant.status))
    const count = (...wanted: string[]) => statuses.filter((one) => wanted.includes(one)).length
    const [noticed, missed] = [count('Killed', 'Timeout'), count('Survived', 'NoCoverage')]
    const score = ((100 * noticed) / (noticed + missed)).toFixed(1)
    return [`src/${room}`, String(all.length), String(noticed + missed), String(noticed), `${score} %`]
  })
  return [['folder', 'files', 'mistakes', 'noticed', 'score'], ...rows]
}

function page(table: string): string {
  return `# Mistakes that tests notice

Stryker makes small mistakes in the source, one at a time: another comparison, an empty function, another text. A mistake is noticed when a test of
Node or jsdom fails. Written by \`npm run test:mutation\` ${madeNow()}. Mistakes that act only while a file loads are left out.

${table}
`
}
