// Starts each script of package.json once, as on a new machine: it ends well, or is at work and is stopped. One that does not start fails.
import { readFileSync } from 'node:fs'
import { runCommand } from './runCommand.ts'

type Start = readonly [command: string, isAtWork?: RegExp]

/** What the documentation is made into, and what reads that: one after the other. */
const ON_THE_PAGES: readonly Start[] = [
  ['docs:build'],
  ['docs', /http:\/\/localhost:/],
  ['accessibility', /^looked at /m],
  ['lighthouse', /^looked at /m],
]

/** What it prints once it is at work; scripts without a word here run to their end. */
const OTHERS: readonly Start[] = [
  ['demo', /http:\/\/localhost:/],
  ['demo:server -- --port 0', /http:\/\/localhost:/],
  // Not over those of the documentation: each has the time of day in it.
  ['pictures -- sign-in --into .cache/pictures'],
  ['bench -- peers', /^measuring /m],
  // With the build of the one before.
  ['bench -- editor --skip-build', /^measuring /m],
  ['evidence:providers', /RUN/],
  ['evidence -- --check', /^(?:ok  |OLD ) /m],
  ['skill -- --check'],
  ['early'],
  ['test:browsers -- chromium --only=hidden'],
  ['test:addresses', /RUN/],
  ['test:mutation', /noticed so far/],
  ['test:consumers -- esbuild', /^ok /m],
  ['changeset -- --help'],
  // Last: 1.5 GB, which docs:build's 1.2 should not meet.
  ['build:storybook'],
  ['storybook -- --ci', /Storybook ready/],
]

/** A script that needs longer to be at work, or to end, has hung. */
const START_LIMIT_MS = 600_000

/** Steps of the test command, or what they run. */
const STEPS =
  /^(?:test|test:(?:all|unit|react18|browser|stories|e2e|quickstart)|build|types|lint|format|format:check|size|knip|api|interop)$/
/** They belong to a release: one changes versions and the change log, the other refuses to publish without addresses. */
const LEFT_OUT = ['release:version', 'prepublishOnly']

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const started = [...ON_THE_PAGES, ...OTHERS].map(([command]) => command.split(' ')[0])
const problems = Object.keys(scripts)
  .filter((name) => !started.includes(name) && !STEPS.test(name) && !LEFT_OUT.includes(name))
  .map((name) => `scripts/startAll.ts does not start npm run ${name}`)

// Two at a time: they wait for installers and servers more than they work.
await Promise.all([startEach(ON_THE_PAGES), startEach(OTHERS)])
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

async function startEach(starts: readonly Start[]): Promise<void> {
  for (const start of starts) await startOne(start)
}

async function startOne([command, isAtWork]: Start): Promise<void> {
  const startedAtMs = Date.now()
  const { isSuccess, output } = await runCommand(`npm run ${command}`, {
    until: isAtWork,
    limitMs: START_LIMIT_MS,
  })
  console.log(
    `${isSuccess ? 'ok  ' : 'FAIL'} npm run ${command} (${Math.round((Date.now() - startedAtMs) / 1000)} s)`,
  )
  if (!isSuccess) problems.push(`npm run ${command} does not start:\n${output.trim().slice(-2000)}`)
}
