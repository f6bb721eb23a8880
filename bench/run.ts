// npm run bench [-- measurement …]: measures the library in Node and in Chromium, prints the results, and writes evidence/benchmarks.md and the README's comparison.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, platform } from 'node:os'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { chromiumLaunchOptions } from '../scripts/findChromium.ts'
import { madeNow } from '../scripts/writtenPage.ts'
import { BUILT_FOLDER } from './bundle.ts'
import { measureEditor } from './editor.ts'
import { measurePeers, whyNotOnly } from './peers.ts'
import { type Findings, type Measured, type Name, NAMES, resultPath, toLines, writePages } from './report.ts'
import { measureSize } from './size.ts'
import { measureTabs } from './tabs.ts'

const MEASUREMENTS: Readonly<
  Record<Name, { title: string; measure(only?: readonly string[]): Promise<Findings> }>
> = {
  size: { title: 'Size of a first page load', measure: measureSize },
  tabs: { title: 'Many tabs', measure: measureTabs },
  editor: { title: 'The JSON editor', measure: measureEditor },
  peers: { title: 'Side by side', measure: measurePeers },
}

process.exitCode = await main()

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    // `--skip-build` uses the last build. `--only a,b` measures these parts of the editor and the peers; the others keep their results.
    options: { 'skip-build': { type: 'boolean' }, only: { type: 'string' } },
  })
  const isName = (name: string): name is Name => NAMES.some((one) => one === name)
  const unknown = positionals.filter((name) => !isName(name))
  if (unknown.length > 0) {
    console.error(`No measurement is called ${unknown.join(', ')}: ${NAMES.join(', ')}`)
    return 2
  }
  const only = values.only?.split(/, ?/)
  const refusal = only && whyNotOnly(only)
  if (refusal) {
    console.error(refusal)
    return 2
  }
  if (!values['skip-build'] && !build()) return 1

  const wanted = positionals.filter(isName)
  let missedCount = 0
  for (const name of wanted.length > 0 ? wanted : NAMES) {
    const { title, measure } = MEASUREMENTS[name]
    const found = await measure(only)
    const measured: Measured = { title, ...found, machine: await machine(), ...stamp(name, only) }
    writeFileSync(resultPath(name), `${JSON.stringify(measured, undefined, 1)}\n`)
    process.stdout.write(`\n${title}\n${toLines(found.figures)}\n`)
    missedCount += found.figures.filter(({ isMet }) => isMet === false).length
  }
  writePages()
  process.stdout.write(missedCount > 0 ? `\n${missedCount} goals missed\n` : '\nEvery goal is met\n')
  return missedCount > 0 ? 1 : 0
}

/** The date of the measurement; parts that were measured alone have their own. */
function stamp(name: Name, only: readonly string[] | undefined): Pick<Measured, 'made' | 'again'> {
  const made = madeNow()
  if (!only) return { made }
  const last = JSON.parse(readFileSync(resultPath(name), 'utf8')) as Measured
  return {
    made: last.made,
    again: { ...last.again, ...Object.fromEntries(only.map((part) => [part, made])) },
  }
}

/** Builds into a separate folder, so that another build does not remove the files. */
function build(): boolean {
  const command = `npx tsdown --silent --log-level error --out-dir ${BUILT_FOLDER} --no-dts --no-publint --no-attw`
  return spawnSync(command, { shell: true, stdio: 'inherit' }).status === 0
}

async function machine(): Promise<string> {
  const browser = await chromium.launch(chromiumLaunchOptions())
  const version = browser.version()
  await browser.close()
  return `${cpus().length} cores, ${platform()}, Node ${process.version}, Chromium ${version}`
}
