// Runs every check and every test in one command, and ends with one line that counts them: "N passed, N failed".
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { chromiumLaunchOptions, ensureChromium } from './findChromium.ts'
import { readVitestReport } from './readVitestReport.ts'
import { runCommand } from './runCommand.ts'

mkdirSync('.cache', { recursive: true })
// A folder of its own, so that two runs in one checkout do not read each other's reports.
const REPORTS = mkdtempSync('.cache/test-').replaceAll('\\', '/')
const STILL_RUNNING_EVERY_MS = 30_000

interface Step {
  name: string
  /** What a developer may also call it: `npm test -- unit`. */
  group: 'static' | 'package' | 'unit' | 'chromium'
  command: string
  /** Steps whose result this one reads. */
  needs?: string[]
  /** A Vitest project: each of its tests counts, where any other step counts as one. */
  isVitest?: boolean
  /** It does not look for a browser by itself. */
  isToldOfChromium?: boolean
  env?: Record<string, string>
}

interface Outcome {
  passed: number
  failed: number
  skipped: number
  output: string
}

const vitest = (name: string, group: Step['group'], project = name): Step => ({
  name,
  group,
  command: `vitest run --project ${project} --reporter=minimal --reporter=json --outputFile.json=${REPORTS}/${name}.json`,
  isVitest: true,
})

const STEPS: Step[] = [
  { name: 'types', group: 'static', command: 'tsc -p .' },
  { name: 'format', group: 'static', command: 'oxfmt --check' },
  { name: 'lint', group: 'static', command: 'oxlint' },
  { name: 'knip', group: 'static', command: 'knip' },
  { name: 'build', group: 'package', command: 'tsdown' },
  { name: 'packed', group: 'package', command: 'node scripts/packageCheck.ts', needs: ['build'] },
  { name: 'size', group: 'package', command: 'size-limit', needs: ['build'] },
  { name: 'api', group: 'package', command: 'node scripts/apiReport.ts', needs: ['build'] },
  vitest('node', 'unit'),
  vitest('dom', 'unit'),
  { ...vitest('dom-compiled', 'unit', 'dom'), env: { REACT_COMPILER: '1' } },
  vitest('react18', 'unit'),
  vitest('browser', 'chromium'),
  vitest('storybook', 'chromium'),
  { ...vitest('quickstart', 'chromium'), needs: ['build'] },
  {
    name: 'example',
    group: 'chromium',
    command: 'playwright test -c examples/admin --reporter=line',
    isToldOfChromium: true,
  },
  vitest('e2e', 'chromium'),
  // What docs/faults.md says of the tests above, held to the tests that ran.
  {
    name: 'faults',
    group: 'unit',
    command: `node scripts/faults.ts --check ${REPORTS}`,
    needs: ['node', 'dom'],
  },
]

process.on('exit', () => rmSync(REPORTS, { recursive: true, force: true }))
process.exitCode = await main(process.argv.slice(2))

async function main(wanted: string[]): Promise<number> {
  const unknown = wanted.filter((word) => !STEPS.some(({ name, group }) => word === name || word === group))
  if (unknown.length > 0) {
    const words = new Set(STEPS.flatMap(({ name, group }) => [name, group]))
    console.error(`No step is called ${unknown.join(', ')}. Steps and groups: ${[...words].join(', ')}`)
    return 1
  }

  const startedAtMs = Date.now()
  const outcomes = new Map<string, Outcome>()
  for (const step of selectSteps(wanted)) outcomes.set(step.name, await runStep(step, outcomes))

  return summarise(outcomes, Date.now() - startedAtMs)
}

function selectSteps(wanted: string[]): Step[] {
  const chosen = STEPS.filter(
    ({ name, group }) => wanted.length === 0 || wanted.includes(name) || wanted.includes(group),
  )
  const needed = new Set(chosen.flatMap(({ needs = [] }) => needs))
  return STEPS.filter((step) => chosen.includes(step) || needed.has(step.name))
}

async function runStep(step: Step, outcomes: Map<string, Outcome>): Promise<Outcome> {
  const startedAtMs = Date.now()
  const seconds = () => `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`
  const stillRunning = setInterval(
    () => console.log(`     ${step.name} is running, ${seconds()}`),
    STILL_RUNNING_EVERY_MS,
  )

  const outcome = await attempt(step, outcomes).finally(() => clearInterval(stillRunning))
  const counts = [
    `${outcome.passed} passed`,
    outcome.failed && `${outcome.failed} failed`,
    outcome.skipped && `${outcome.skipped} skipped`,
  ]
  const verdict = outcome.failed > 0 ? 'FAIL' : 'ok  '
  console.log(
    [verdict, step.name.padEnd(13), counts.filter(Boolean).join(', ').padEnd(24), seconds()].join(' '),
  )
  if (outcome.failed > 0) console.log(`\n${outcome.output.trim()}\n`)
  return outcome
}

async function attempt(step: Step, outcomes: Map<string, Outcome>): Promise<Outcome> {
  const missing = (step.needs ?? []).find((name) => outcomes.get(name)?.failed)
  if (missing)
    return { passed: 0, failed: 1, skipped: 0, output: `${step.name} needs ${missing}, which failed` }

  if (step.group === 'chromium') {
    try {
      ensureChromium((line) => console.log(`     ${line}`))
    } catch (error) {
      return {
        passed: 0,
        failed: 1,
        skipped: 0,
        output: error instanceof Error ? error.message : String(error),
      }
    }
  }

  const { executablePath = '' } = step.isToldOfChromium ? chromiumLaunchOptions() : {}
  const { isSuccess, output } = await runCommand(step.command, {
    ...(executablePath !== '' && { LATCHKEY_CHROMIUM: executablePath }),
    ...step.env,
  })
  if (step.isVitest) return { ...readVitestReport(`${REPORTS}/${step.name}.json`, isSuccess), output }
  return { passed: isSuccess ? 1 : 0, failed: isSuccess ? 0 : 1, skipped: 0, output }
}

function summarise(outcomes: Map<string, Outcome>, durationMs: number): number {
  const all = [...outcomes.values()]
  const passed = all.reduce((sum, outcome) => sum + outcome.passed, 0)
  const failed = all.reduce((sum, outcome) => sum + outcome.failed, 0)
  const broken = [...outcomes].filter(([, outcome]) => outcome.failed > 0).map(([name]) => name)

  console.log(`\n${outcomes.size} steps in ${Math.round(durationMs / 1000)} s`)
  if (broken.length > 0) console.log(`failed: ${broken.join(', ')}   again: npm test -- ${broken.join(' ')}`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}
