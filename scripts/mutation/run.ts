// npm run test:mutation [-- file|folder … test …]: Stryker mutates src/protocol and src/session; does a test fail? A whole folder writes its row into evidence/mutation.md.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installIn } from '../installIn.ts'
import { madeNow, tableOf, writePage } from '../writtenPage.ts'

const TOOL = 'scripts/mutation'
const PAGE = 'evidence/mutation.md'
const ROOMS = ['src/protocol', 'src/session']
/** Stryker writes its mutants into the files themselves, so it gets a copy of the working tree. */
const TREE = '.cache/mutation'

interface Report {
  files: Record<string, { mutants: { status: string }[] }>
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const words = process.argv.slice(2)
const tests = words.filter(isTest)
const asked = words.filter((word) => !isTest(word))
const sources = asked.length > 0 ? asked : ROOMS

installIn(TOOL)
copyTree()
const { status } = spawnSync(
  process.execPath,
  [
    resolve(TOOL, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
    'run',
    `${TOOL}/stryker.config.json`,
    '--mutate',
    sources.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`)).join(','),
    ...(tests.length > 0 ? ['--testFiles', tests.join(',')] : []),
  ],
  { cwd: TREE, stdio: 'inherit', env: { LATCHKEY_GENERATED: '0.02', ...process.env } },
)
process.exitCode = status ?? 1
if (status === 0) {
  const { files } = JSON.parse(readFileSync(join(TREE, 'mutation.json'), 'utf8')) as Report
  const rows = sources.map((source) => rowOf(source, files))
  console.log(`\n${rows.map((cells) => cells.join('  ')).join('\n')}\nEach mistake: ${TREE}/mutation.html`)
  const whole = tests.length === 0 ? rows.filter(([room = '']) => ROOMS.includes(room)) : []
  if (whole.length > 0) writePage(PAGE, page(whole))
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

/** Static mutants are skipped (`ignoreStatic`). */
function rowOf(source: string, files: Report['files']): string[] {
  const own = Object.entries(files).filter(([path]) => path === source || path.startsWith(`${source}/`))
  const statuses = own.flatMap(([, { mutants }]) => mutants.map((mutant) => mutant.status))
  const count = (...wanted: string[]) => statuses.filter((one) => wanted.includes(one)).length
  const [noticed, missed] = [count('Killed', 'Timeout'), count('Survived', 'NoCoverage')]
  const score = `${((100 * noticed) / (noticed + missed)).toFixed(1)} %`
  return [source, String(own.length), String(noticed + missed), String(noticed), score, madeNow()]
}

/** Keeps the rows that this run has not measured. */
function page(rows: readonly string[][]): string {
  const before = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  const kept = [...before.matchAll(/^\| (src\/.*) \|$/gm)]
    .map(([, cells = '']) => cells.split('|').map((cell) => cell.trim()))
    .filter(([room]) => !rows.some(([source]) => source === room))
  return `# Mistakes that tests notice

Stryker makes small mistakes in the source, one at a time: another comparison, an empty function, another text. A mistake is noticed when a test of
Node or jsdom fails. Written by \`npm run test:mutation\`. Mistakes that act only while a file loads are left out.

${tableOf([['folder', 'files', 'mistakes', 'noticed', 'score', 'run'], ...kept, ...rows])}
`
}
