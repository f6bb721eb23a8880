// npm run test:mutation: would a test notice it? Makes thousands of small mistakes in a copy of the source and counts those that no test notices.
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { instrument, type Mutant } from './instrument.ts'
import { AT_LOAD, COVERING, MODULES, TARGETS } from './plan.ts'
import { changedTargets, hashOfFile, record } from './report.ts'

const FOLDER = resolve('.cache/mutation')
const TREE = join(FOLDER, 'tree')
const LOG = join(FOLDER, 'log.jsonl')
const CURRENT = join(FOLDER, 'current.json')
const MUTANTS = join(FOLDER, 'mutants.json')
const SOURCES = join(FOLDER, 'sources.json')
/** A test file that says nothing for so long hangs in the mistake that it tries. */
const SILENCE_MS = 30_000

const HELP = `Usage: npm run test:mutation -- [options] [${Object.keys(MODULES).join('|')} …]

Options:
  --minutes n   stop after so long; --resume goes on later
  --resume      go on where the last run stopped
  --changed     only files that have changed since they were recorded
  --only a,b    only these files, by their names below src/ without .ts, as in protocol/challenge
  --loading     try what acts while a file loads, one run each; slow
  --record      write into test/results/mutation.json what is finished; node scripts/faults.ts tells it in evidence/faults.md
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    resume: { type: 'boolean' },
    changed: { type: 'boolean' },
    only: { type: 'string' },
    loading: { type: 'boolean' },
    record: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
/** The test run of now, which ends with this one. */
let running: number | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (running !== undefined) process.kill(-running, 'SIGKILL')
    process.exit(1)
  })
const endsAtMs = Date.now() + Number(values.minutes ?? 600) * 60_000
process.exitCode = values.help ? (console.log(HELP), 0) : await main(positionals)

async function main(wanted: readonly string[]): Promise<number> {
  if (!values.resume) prepare(chosenTargets())
  const mutants = JSON.parse(readFileSync(MUTANTS, 'utf8')) as Mutant[]
  const done = readDone()
  const rangeOf = (files: readonly string[]) =>
    files
      .map((file) => mutants.filter((mutant) => mutant.file === file).map(({ id }) => id))
      .filter((ids) => ids.length > 0)
      .map((ids) => `${Math.min(...ids)}-${Math.max(...ids)}`)
      .join(',')
  const hasMutants = (name: string) => rangeOf(MODULES[name] ?? []) !== ''
  const names = (wanted.length > 0 ? wanted : Object.keys(MODULES)).filter(hasMutants)
  const rounds = names.flatMap((name) => {
    const ids = rangeOf(MODULES[name] ?? [])
    return (COVERING[name] ?? []).map(({ test, about }) => {
      const own = about ? rangeOf(about.map((part) => `src/${part}.ts`)) : ids
      return { file: test, name, env: { LATCHKEY_IDS: ids, LATCHKEY_OWN: own } }
    })
  })
  for (const { file, name, env } of rounds) {
    if (done.has(`${name} ${file}`) || !existsSync(join(TREE, file))) continue
    if (Date.now() > endsAtMs) {
      console.log('time is over; --resume goes on')
      break
    }
    await runFile(file, env)
    writeFileSync(LOG, `${JSON.stringify({ done: `${name} ${file}` })}\n`, { flag: 'a' })
  }
  if (values.loading)
    await runLoading(mutants.filter(({ file }) => names.some((name) => MODULES[name]?.includes(file))))
  const over = readDone()
  const unfinished = Object.entries(COVERING).filter(
    ([name, covering]) => hasMutants(name) && covering.some(({ test }) => !over.has(`${name} ${test}`)),
  )
  for (const [name] of unfinished) console.log(`${name} is not finished: --resume goes on`)
  const counted = mutants.filter(({ file }) => !unfinished.some(([name]) => MODULES[name]?.includes(file)))
  const sources = JSON.parse(readFileSync(SOURCES, 'utf8')) as Record<string, string>
  return record({ mutants: counted, sources, log: readLog(), isRecorded: values.record === true })
}

function chosenTargets(): readonly string[] {
  const only = values.only?.split(',').map((name) => `src/${name}.ts`)
  const unknown = only?.filter((file) => !TARGETS.includes(file)) ?? []
  if (unknown.length > 0) throw new Error(`not in scripts/mutation/plan.ts: ${unknown.join(', ')}`)
  return only ?? (values.changed ? changedTargets() : TARGETS)
}

/** A copy of the tree in which every mistake sleeps. */
function prepare(files: readonly string[]): void {
  rmSync(FOLDER, { recursive: true, force: true })
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }).split('\0')
  for (const name of names) {
    if (
      !/^(?:src|test|demo|docs|stories|scripts|examples)\/|^(?:package|tsconfig)\.json$/.test(name) ||
      !existsSync(name)
    )
      continue
    mkdirSync(dirname(join(TREE, name)), { recursive: true })
    cpSync(name, join(TREE, name))
  }
  symlinkSync(resolve('node_modules'), join(TREE, 'node_modules'))
  const mutants: Mutant[] = []
  for (const file of files) {
    const made = instrument(file, readFileSync(file, 'utf8'), mutants.length + 1)
    writeFileSync(join(TREE, file), made.code)
    mutants.push(...made.mutants)
  }
  writeFileSync(MUTANTS, JSON.stringify(mutants))
  writeFileSync(SOURCES, JSON.stringify(Object.fromEntries(files.map((file) => [file, hashOfFile(file)]))))
  writeFileSync(LOG, '')
  console.log(`${mutants.length} mistakes in ${files.length} files`)
}

interface Line {
  id?: number
  by?: string
  how?: string
  done?: string
  passedBy?: number[]
}

function readLog(): Line[] {
  const lines = readFileSync(LOG, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
}

function readDone(): Set<string> {
  return new Set(readLog().flatMap(({ done }) => done ?? []))
}

/** One test file with all mistakes that its tests pass by; begun again after a mistake that hangs. */
async function runFile(file: string, env: Record<string, string>): Promise<void> {
  const startedAtMs = Date.now()
  for (;;) {
    const before = readFileSync(LOG)
    const end = await vitest(file, env)
    if (end === 'spoilt') {
      // What it noticed may be the same fault: none of it counts.
      writeFileSync(LOG, before)
      console.log(`     ${file} fails without a mistake, or after one that it did not tidy up`)
    }
    if (end !== 'hung') break
    const { id, test } = JSON.parse(readFileSync(CURRENT, 'utf8')) as { id: number; test: string }
    console.log(`     ${file} hung in mistake ${id}`)
    writeFileSync(LOG, `${JSON.stringify({ id, by: test, how: 'without end' })}\n`, { flag: 'a' })
  }
  const noticed = new Set(readLog().flatMap(({ id, by }) => (by === undefined ? [] : (id ?? []))))
  console.log(`${file}: ${Math.round((Date.now() - startedAtMs) / 1000)} s, ${noticed.size} noticed so far`)
}

/** Runs the tests of a file in the tree; `spoilt` when some failed that had no mistake in them. */
async function vitest(file: string, env: Record<string, string>): Promise<'over' | 'spoilt' | 'hung'> {
  writeFileSync(CURRENT, '{}')
  const child = spawn(
    process.execPath,
    [
      resolve('node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      'scripts/mutation/vitest.config.ts',
      '--reporter=dot',
      ...(env['LATCHKEY_MUTANT'] === undefined ? [] : ['--bail=1']),
      ...file.split(' '),
    ],
    {
      cwd: TREE,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: {
        ...process.env,
        LATCHKEY_MUTATION: FOLDER,
        LATCHKEY_GENERATED: '0.02',
        ...env,
      },
    },
  )
  running = child.pid
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  let isHung = false
  const watch = setInterval(() => {
    const lastMs = Math.max(statSync(CURRENT).mtimeMs, statSync(LOG).mtimeMs)
    if (Date.now() - lastMs < SILENCE_MS || child.pid === undefined) return
    isHung = true
    process.kill(-child.pid, 'SIGKILL')
  }, 1000)
  const code = await new Promise<number | null>((onExit) => {
    child.on('exit', onExit)
  })
  clearInterval(watch)
  running = undefined
  if (isHung) return 'hung'
  if (code === 0) return 'over'
  if (env['LATCHKEY_MUTANT'] === undefined && !/Tests .*(?:passed|failed)/.test(output))
    throw new Error(`${file} cannot be run in the tree:\n${output.slice(-3000)}`)
  return 'spoilt'
}

/** What acts while its file loads is awake from the start, in a run of its own; so is what no test has passed by: it may act there too. */
async function runLoading(mutants: readonly Mutant[]): Promise<void> {
  const log = readLog()
  const noticed = new Set(log.flatMap(({ id, by }) => (by === undefined ? [] : (id ?? []))))
  const tried = new Set(log.flatMap(({ id, how }) => (how === 'tried while loading' ? (id ?? []) : [])))
  const met = new Set(log.flatMap(({ passedBy }) => passedBy ?? []))
  for (const { id, file, isAtLoad } of mutants) {
    const tests = AT_LOAD[file]
    if ((!isAtLoad && met.has(id)) || !tests || noticed.has(id) || tried.has(id)) continue
    if (Date.now() > endsAtMs) return
    const end = await vitest(tests.join(' '), { LATCHKEY_MUTANT: String(id) })
    const line =
      end === 'over'
        ? { id, how: 'tried while loading' }
        : { id, by: tests.join(' '), how: 'failed while loading' }
    writeFileSync(LOG, `${JSON.stringify(line)}\n`, { flag: 'a' })
  }
}
