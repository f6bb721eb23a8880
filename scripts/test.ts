// Runs the checks and the tests: `npm test` what fits a break, `npm run test:all` the rest too, `npm run test:night` what a push and the night run; the last line counts: "N passed, N failed".
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { chromiumLaunchOptions, ensureChromium } from './findChromium.ts'
import { isEmptyReport, readVitestReport } from './readVitestReport.ts'
import { watchResources } from './resources.ts'
import { runCommand } from './runCommand.ts'

mkdirSync('.cache', { recursive: true })
// A folder of its own, so that two runs in one checkout do not read each other's reports; .ci/run gives its two runs one.
const shared = process.env['LATCHKEY_REPORTS']
const REPORTS = shared ?? mkdtempSync('.cache/test-').replaceAll('\\', '/')
const STILL_RUNNING_EVERY_MS = 30_000
/** Failed tests that the last lines name. */
const MOST_NAMES = 20

/** A tenth of the generated inputs. A workflow runs ten times all of them each night; by hand: CONTRIBUTING.md. */
const A_TENTH = { LATCHKEY_GENERATED: '0.1' }

/** These tests wait for half of their time; other steps have what they leave idle. Each worker loads all that it tests: a second of work, a third of a gigabyte. */
const WORKERS = { LATCHKEY_WORKERS: String(availableParallelism()) }

/** A worker loads jsdom first, which is a second of work and a quarter of a gigabyte: each project of these has one. */
const SMALL = { ...A_TENTH, LATCHKEY_WORKERS: '1' }

/** Programs in Go spend a fifth of their time on memory that they could keep: a tenth of a gigabyte each. */
const MUCH_MEMORY = { GOGC: '400' }

/** Vite's bundler gives memory back at once; otherwise its half a gigabyte stays with every run that has a browser. */
const LITTLE_MEMORY = { MIMALLOC_PURGE_DELAY: '0', MIMALLOC_ARENA_EAGER_COMMIT: '0' }

/** With room for four, Node clears away late: the stories' two gigabytes become less than one, and no second is lost. */
const SMALL_HEAP = {
  NODE_OPTIONS: [process.env['NODE_OPTIONS'], '--max-old-space-size=800'].filter(Boolean).join(' '),
}

/** What Node has compiled of Vitest, Vite and jsdom serves the next process that loads them: half a second of work each. */
const COMPILED_ONCE = { NODE_COMPILE_CACHE: resolve('.cache/compiled') }

interface Step {
  name: string
  /** What a developer may also call it: `npm test -- unit`. */
  group: 'static' | 'package' | 'unit' | 'chromium'
  /** Left to `npm run test:all`. */
  isRest?: boolean
  /** Left to `npm run test:night`: what another test has said already, in every combination or with another part below it. */
  isNight?: boolean
  command: string
  /** Further words of the command: which files a Vitest run has to load. */
  files?: () => string[]
  /** Steps whose result this one reads. */
  needs?: string[]
  /** How many of those that run at once it counts as: 2 with a worker for each core or a gigabyte, 3 with both. Default 1. */
  width?: number
  /** A Vitest run: each of its tests counts, where any other step counts as one. */
  isVitest?: boolean
  /** Nothing to run is no failure. */
  mayBeEmpty?: boolean
  /** It does not look for a browser by itself. */
  isToldOfChromium?: boolean
  env?: Record<string, string>
}

interface Outcome {
  passed: number
  failed: number
  output: string
}

/** `''`: all tests; `plain`: those without a tag. */
type Tag = '' | 'plain' | 'thorough' | 'night'

/** Loading a file only to skip all of its tests would take most of the time. */
function filesWith(tag: Tag, projects: string): string[] {
  const folders = projects.replace('node', 'node msw editor oidc').split(' ')
  const tagged = (pattern: RegExp) =>
    folders
      .flatMap((folder) => globSync(`test/${folder}/**/*.test.{ts,tsx}`))
      .filter((path) => pattern.test(readFileSync(path, 'utf8')))
  if (tag === '') return []
  return tag === 'plain'
    ? tagged(/^\/\/ @module-tag /m).map((path) => `--exclude=${path}`)
    : tagged(new RegExp(`^// @module-tag ${tag}$|'${tag}'`, 'm'))
}

/** Tests say themselves that they are left to the rest or to the night: by the tags `thorough` and `night`. */
const filtersOf = (tag: Tag) =>
  (tag === 'plain' ? ['!thorough', '!night'] : tag === '' ? [] : [tag]).map((one) => `--tags-filter=${one}`)

const vitest = (name: string, group: Step['group'], projects: string, tag: Tag = 'plain'): Step => ({
  name,
  group,
  command: [
    'vitest run',
    ...projects.split(' ').map((project) => `--project=${project}`),
    ...filtersOf(tag),
    `--reporter=minimal --reporter=json --outputFile.json=${REPORTS}/${name}.json`,
  ].join(' '),
  files: () => filesWith(tag, projects),
  isVitest: true,
})

const small = (step: Step): Step => ({ ...step, env: SMALL })
const wide = (step: Step, width = 2): Step => ({ ...step, width })
const rest = (step: Step): Step => ({ ...step, isRest: true })
const night = (step: Step): Step => ({ ...step, isNight: true })

// The long ones first: the short ones fill what is left.
const STEPS: Step[] = [
  wide(vitest('e2e', 'chromium', 'e2e')),
  small(vitest('dom', 'unit', 'dom')),
  // Its rules need the types, so it checks them too. A thread for each core, and nearly two gigabytes: beside pages more than four.
  wide({ name: 'lint', group: 'static', command: 'oxlint --type-check', env: MUCH_MEMORY }),
  { name: 'format', group: 'static', command: 'oxfmt --check' },
  { name: 'build', group: 'package', command: 'tsdown' },
  { name: 'packed', group: 'package', command: 'node scripts/packageCheck.ts', needs: ['build'] },
  { name: 'size', group: 'package', command: 'node scripts/sizeGate.ts', needs: ['build'] },
  { ...wide(vitest('node', 'unit', 'node')), env: { ...A_TENTH, ...WORKERS } },
  // Beside node: with the linter or a second Chromium it would be the most memory of all.
  { ...vitest('browser', 'chromium', 'browser browser-fresh'), env: SMALL_HEAP },

  // Two gigabytes by itself.
  rest(wide({ ...vitest('e2e-rest', 'chromium', 'e2e', 'thorough'), needs: ['build'], env: SMALL_HEAP }, 3)),
  rest(small(vitest('thorough', 'unit', 'node dom', 'thorough'))),
  rest(wide({ ...vitest('browser-rest', 'chromium', 'browser browser-fresh', 'thorough'), env: SMALL_HEAP })),
  rest(wide({ ...vitest('storybook', 'chromium', 'storybook', ''), env: SMALL_HEAP })),
  rest({ ...vitest('quickstart', 'chromium', 'quickstart', ''), needs: ['build'] }),
  rest({
    name: 'example',
    group: 'chromium',
    command: 'playwright test -c examples/admin --reporter=line --fail-on-flaky-tests',
    needs: ['build'],
    isToldOfChromium: true,
  }),
  rest({ name: 'knip', group: 'static', command: 'knip --treat-config-hints-as-errors' }),
  rest({ name: 'api', group: 'package', command: 'node scripts/apiReport.ts', needs: ['build'] }),
  // Every page of docs/, and no link on the site that leads nowhere.
  rest({ name: 'site', group: 'package', command: 'node scripts/site.ts build' }),
  rest({ ...vitest('pages', 'chromium', 'site', ''), needs: ['site'] }),

  night(wide({ ...vitest('e2e-night', 'chromium', 'e2e', 'night'), needs: ['build'], env: SMALL_HEAP })),
  // What `node` and `dom` have said, once more: with a provider as the server, another React, another DOM.
  night(small(vitest('again', 'unit', 'node-oidc compiled react18 happy-dom'))),
  // Every state with every event, every request with every fault.
  night(small(vitest('matrices', 'unit', 'node node-oidc dom', 'night'))),
  // Begins with what `storybook` does, story by story, and runs the editor's too.
  night(wide({ ...vitest('looks', 'chromium', 'storybook-dark', ''), env: SMALL_HEAP })),
]

const resources = watchResources()
/** Why there is no Chromium. */
let noChromium: string | undefined

if (shared === undefined) process.on('exit', () => rmSync(REPORTS, { recursive: true, force: true }))
process.exitCode = await main(process.argv.slice(2))

async function main(words: string[]): Promise<number> {
  const known = [
    ...new Set(STEPS.flatMap(({ name, group }) => [name, group])),
    'rest',
    'night',
    'changed',
    '--all',
  ]
  const unknown = words.filter((word) => !known.includes(word))
  if (unknown.length > 0) {
    console.error(`No step is called ${unknown.join(', ')}. Steps and groups: ${known.join(', ')}`)
    return 1
  }

  const startedAtMs = Date.now()
  const outcomes = new Map<string, Outcome>()
  await runAll(words.includes('changed') ? changedSteps() : selectSteps(words), outcomes)
  return summarise(outcomes, Date.now() - startedAtMs)
}

function selectSteps(words: string[]): Step[] {
  const isAll = words.includes('--all')
  const wanted = words.filter((word) => word !== '--all')
  const isChosen = ({ name, group, isRest = false, isNight = false }: Step) => {
    if (isNight) return wanted.includes(name) || wanted.includes('night')
    if (wanted.length === 0) return isAll || !isRest
    return (
      wanted.includes(name) ||
      wanted.includes(isRest ? 'rest' : '') ||
      (wanted.includes(group) && (isAll || !isRest))
    )
  }
  const chosen = STEPS.filter(isChosen)
  const isDone = (name: string) => ['json', 'done'].some((end) => existsSync(`${REPORTS}/${name}.${end}`))
  const needed = new Set(chosen.flatMap(({ needs = [] }) => needs).filter((name) => !isDone(name)))
  return STEPS.filter((step) => chosen.includes(step) || needed.has(step.name))
}

/** What the working tree touches: the tests that import it, and those in Chromium that are themselves changed. */
function changedSteps(): Step[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n')
  const changed = [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  const own = changed.filter(
    (path) => /^test\/(?:browser|e2e)\/.*\.test\.tsx?$/.test(path) && existsSync(path),
  )
  const step = wide(vitest('changed', 'unit', 'node node-oidc dom'))
  const inChromium = wide(vitest('changed-chromium', 'chromium', 'browser browser-fresh e2e', ''))
  return [
    ...STEPS.filter(({ name }) => name === 'lint'),
    { ...step, command: `${step.command} --changed`, env: { LATCHKEY_GENERATED: '0.02' }, mayBeEmpty: true },
    ...(own.length > 0 ? [{ ...inChromium, command: [inChromium.command, ...own].join(' ') }] : []),
  ]
}

/** Steps in their order. One more at once than there are cores: tests wait for timers and pages, and leave a core idle. */
async function runAll(steps: Step[], outcomes: Map<string, Outcome>): Promise<void> {
  const waiting = [...steps]
  const running = new Map<Step, Promise<void>>()
  let installing = steps.some(({ group }) => group === 'chromium') ? installChromium() : undefined
  void installing?.then(() => (installing = undefined))
  const isReady = (step: Step) => {
    const width = [...running.keys()].reduce((sum, other) => sum + (other.width ?? 1), step.width ?? 1)
    // What needs no browser begins while one is installed.
    if (step.group === 'chromium' && installing) return false
    const isAwaited = (name: string) => [...waiting, ...running.keys()].some((other) => other.name === name)
    return (width <= availableParallelism() + 1 || running.size === 0) && !(step.needs ?? []).some(isAwaited)
  }
  const start = async (step: Step) => {
    outcomes.set(step.name, await runStep(step, outcomes))
    running.delete(step)
  }

  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.find(isReady)
    if (next) {
      waiting.splice(waiting.indexOf(next), 1)
      running.set(next, start(next))
    } else await Promise.race([...running.values(), ...(installing ? [installing] : [])])
  }
}

/** `undefined`: there is one. */
function installChromium(): Promise<void> | undefined {
  const fail = (error: unknown) => {
    noChromium = error instanceof Error ? error.message : String(error)
  }
  try {
    return ensureChromium((line) => console.log(`     ${line}`))?.catch(fail)
  } catch (error) {
    fail(error)
    return undefined
  }
}

async function runStep(step: Step, outcomes: Map<string, Outcome>): Promise<Outcome> {
  const startedAtMs = Date.now()
  const seconds = () => `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`
  const stillRunning = setInterval(
    () => console.log(`     ${step.name} is running, ${seconds()}`),
    STILL_RUNNING_EVERY_MS,
  )

  const outcome = await attempt(step, outcomes).finally(() => clearInterval(stillRunning))
  const worked = resources.spent()
  const counts = [`${outcome.passed} passed`, outcome.failed && `${outcome.failed} failed`]
  const verdict = outcome.failed > 0 ? 'FAIL' : 'ok  '
  const time = worked === undefined ? seconds() : `${seconds().padEnd(7)} ${Math.round(worked)} s of work`
  console.log([verdict, step.name.padEnd(13), counts.filter(Boolean).join(', ').padEnd(24), time].join(' '))
  if (outcome.failed > 0) console.log(`\n${outcome.output.trim()}\n`)
  return outcome
}

async function attempt(step: Step, outcomes: Map<string, Outcome>): Promise<Outcome> {
  const missing = (step.needs ?? []).find((name) => outcomes.get(name)?.failed)
  if (missing) return { passed: 0, failed: 1, output: `${step.name} needs ${missing}, which failed` }

  if (step.group === 'chromium' && noChromium !== undefined)
    return { passed: 0, failed: 1, output: noChromium }

  const { executablePath = '' } = step.isToldOfChromium ? chromiumLaunchOptions() : {}
  const command = [step.command, ...(step.files?.() ?? [])].join(' ')
  const { isSuccess, output } = await runCommand(command, {
    ...LITTLE_MEMORY,
    ...COMPILED_ONCE,
    ...(executablePath !== '' && { LATCHKEY_CHROMIUM: executablePath }),
    ...step.env,
  })
  if (!step.isVitest) {
    if (isSuccess) writeFileSync(`${REPORTS}/${step.name}.done`, '')
    return { passed: isSuccess ? 1 : 0, failed: isSuccess ? 0 : 1, output }
  }
  const path = `${REPORTS}/${step.name}.json`
  if (step.mayBeEmpty && isSuccess && isEmptyReport(path)) return { passed: 0, failed: 0, output }
  return { ...readVitestReport(path, isSuccess), output }
}

function summarise(outcomes: Map<string, Outcome>, durationMs: number): number {
  const all = [...outcomes.values()]
  const passed = all.reduce((sum, outcome) => sum + outcome.passed, 0)
  const failed = all.reduce((sum, outcome) => sum + outcome.failed, 0)
  const broken = [...outcomes].filter(([, outcome]) => outcome.failed > 0).map(([name]) => name)

  const [worked, peak] = [resources.all(), resources.peakBytes()]
  const spent =
    worked === undefined || peak === undefined
      ? ''
      : `, ${Math.round(worked)} s of work for ${availableParallelism()} cores, peak memory ${(peak / 1e9).toFixed(1)} GB`
  console.log(`\n${outcomes.size} steps in ${Math.round(durationMs / 1000)} s${spent}`)
  // Where the middle of a long output is cut away, the end still names the tests.
  const names = all.flatMap(
    ({ failed: count, output }) => (count > 0 ? output.match(/^ FAIL .+$/gm) : []) ?? [],
  )
  for (const name of [...new Set(names)].slice(0, MOST_NAMES)) console.log(name)
  if (broken.length > 0) console.log(`failed: ${broken.join(', ')}   again: npm test -- ${broken.join(' ')}`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}
