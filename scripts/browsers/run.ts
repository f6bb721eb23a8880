// npm run test:browsers: runs the demo in Debian's Firefox and WebKitGTK, and writes the results to evidence/browsers.md.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startDemo } from '../../demo/startDemo.ts'
import { builtApp } from '../builtApp.ts'
import { openFirefox } from './firefox.ts'
import { type Flow, FLOWS } from './flows.ts'
import { createVisitor, type DrivenBrowser } from './session.ts'
import { madeNow, tableOf, writeResult } from '../writtenPage.ts'
import { openWebkit } from './webkit.ts'

const RESULTS = 'test/results/browsers.json'
const PAGE = 'evidence/browsers.md'

interface Kind {
  /** The Debian packages of the browser. */
  packages: string
  commands: readonly string[]
  open(executable: string): Promise<DrivenBrowser>
}

const KINDS: Readonly<Record<string, Kind>> = {
  firefox: { packages: 'firefox-esr', commands: ['firefox-esr', 'firefox'], open: openFirefox },
  webkit: { packages: 'webkit2gtk-driver xvfb', commands: ['WebKitWebDriver'], open: openWebkit },
}

interface Outcome {
  browser: string
  version: string
  flow: string
  result: 'passes' | 'fails' | 'cannot be driven here'
  seconds: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, record: { type: 'boolean' } },
})
process.exitCode = await main(positionals.length > 0 ? positionals : Object.keys(KINDS))

async function main(wanted: readonly string[]): Promise<number> {
  const unknown = wanted.filter((name) => !(name in KINDS))
  if (unknown.length > 0) {
    console.error(`No browser is called ${unknown.join(', ')}. There are: ${Object.keys(KINDS).join(', ')}`)
    return 2
  }
  const flows = FLOWS.filter(({ name }) => name.includes(values.only ?? ''))
  const folder = await builtApp()
  const outcomes: Outcome[] = []
  let missing = 0
  for (const name of wanted) {
    const kind = KINDS[name]
    const executable = kind && find(kind)
    if (!kind || executable === undefined) {
      missing += 1
      console.error(`FAIL ${name} is not installed. On Debian: apt-get install ${kind?.packages}`)
      continue
    }
    for (const flow of flows)
      outcomes.push(await play(flow, { folder, open: async () => kind.open(executable) }))
  }

  const broken = outcomes.filter(({ result }) => result === 'fails').length
  const failed = broken + missing
  if (values.record) record(outcomes)
  console.log(`${outcomes.length - broken} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

/** `undefined` if it is not installed. */
function find({ commands }: Kind): string | undefined {
  return commands.find((command) => spawnSync('which', [command]).status === 0)
}

async function play(
  flow: Flow,
  { folder, open }: { folder: string; open(): Promise<DrivenBrowser> },
): Promise<Outcome> {
  const startedAtMs = Date.now()
  const { contentSecurityPolicy, hasEarly = false } = flow
  const demo = await startDemo({
    ...flow.demo,
    app: {
      from: 'build',
      folder,
      hasEarly,
      ...(contentSecurityPolicy !== undefined && { contentSecurityPolicy }),
    },
  })
  const browser = await open()
  const outcome = (result: Outcome['result']): Outcome => ({
    browser: browser.name,
    version: browser.version,
    flow: flow.name,
    result,
    seconds: Math.round((Date.now() - startedAtMs) / 100) / 10,
  })
  try {
    if (flow.needsOffline && !browser.setOffline) return outcome('cannot be driven here')
    await flow.run(createVisitor(browser), demo, folder)
    console.log(`ok   ${browser.name}: ${flow.name}`)
    return outcome('passes')
  } catch (error) {
    console.error(
      `FAIL ${browser.name}: ${flow.name}\n     ${error instanceof Error ? error.message : String(error)}`,
    )
    return outcome('fails')
  } finally {
    await browser.close()
    await demo.close()
  }
}

/** Merges this run's results into the previous ones, and writes the table. */
function record(outcomes: readonly Outcome[]): void {
  const before = readOutcomes().filter(
    (old) => !outcomes.some(({ browser, flow }) => browser === old.browser && flow === old.flow),
  )
  const known = new Set(FLOWS.map(({ name }) => name))
  const all = [...before, ...outcomes].filter(({ flow }) => known.has(flow))
  mkdirSync('test/results', { recursive: true })
  writeFileSync(RESULTS, `${JSON.stringify(all, undefined, 2)}\n`)

  const browsers = [...new Set(all.map(({ browser }) => browser))]
  const of = (browser: string) => all.filter((one) => one.browser === browser)
  const head = browsers.map((browser) => `${browser} ${of(browser).at(-1)?.version}`)
  const rows = FLOWS.map(({ name }) => [
    name,
    ...browsers.map((browser) => of(browser).find(({ flow }) => flow === name)?.result ?? 'not run'),
  ])
  writeResult(PAGE, `Written ${madeNow()}.\n\n${tableOf([['flow', ...head], ...rows])}`)
}

function readOutcomes(): Outcome[] {
  try {
    return JSON.parse(readFileSync(RESULTS, 'utf8')) as Outcome[]
  } catch {
    return []
  }
}
