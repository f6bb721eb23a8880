// Measures the library in Node and in Chromium, prints what it finds, and writes evidence/benchmarks.md and the README's comparison from it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, platform } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { chromiumLaunchOptions } from '../scripts/findChromium.ts'
import { BUILT_FOLDER } from './built.ts'
import { withComparison } from './comparison.ts'
import type { Findings } from './figures.ts'
import { measureBundleSizes } from './measurements/bundleSizes.ts'
import { measureEarly } from './measurements/early.ts'
import { measureEditor } from './measurements/editor.ts'
import { measureLasting } from './measurements/lasting.ts'
import { measurePeers } from './measurements/peers.ts'
import { measureReload } from './measurements/reload.ts'
import { measureRenders } from './measurements/renders.ts'
import { measureTabs } from './measurements/tabs.ts'
import { measureToasts } from './measurements/toasts.ts'
import { type Measured, type Name, NAMES, readResults, resultPath, toMarkdown, toTable } from './report.ts'

const MEASUREMENTS: Readonly<
  Record<Name, { title: string; measure(only?: readonly string[]): Promise<Findings> }>
> = {
  size: { title: 'Size of a first page load', measure: measureBundleSizes },
  reload: { title: 'A reload and a new tab', measure: measureReload },
  early: { title: 'Signed in before the app’s files have come', measure: measureEarly },
  renders: { title: 'Renders', measure: measureRenders },
  tabs: { title: 'Many tabs', measure: measureTabs },
  toasts: { title: 'A storm of toasts', measure: measureToasts },
  lasting: { title: 'A long day', measure: measureLasting },
  editor: { title: 'The JSON editor', measure: measureEditor },
  peers: { title: 'Side by side', measure: measurePeers },
}

const HELP = `Usage: npm run bench -- [options] [measurement …]

Measurements: ${NAMES.join(', ')}; all of them by default.
Options:
  --skip-build   measure what the last run has built
  --only a,b     editor, peers: measure these again, the others keep what they had
  --help         this text
`

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))
process.exitCode = await main()

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'skip-build': { type: 'boolean' }, only: { type: 'string' }, help: { type: 'boolean' } },
  })
  const isName = (name: string): name is Name => NAMES.some((one) => one === name)
  const wanted = positionals.filter(isName)
  const unknown = positionals.filter((name) => !isName(name))
  if (values.help || unknown.length > 0) {
    process.stdout.write(
      unknown.length > 0 ? `No measurement is called ${unknown.join(', ')}.\n\n${HELP}` : HELP,
    )
    return unknown.length > 0 ? 2 : 0
  }
  if (!values['skip-build'] && !build()) return 1
  mkdirSync(fromHere('results'), { recursive: true })

  let missedCount = 0
  for (const name of wanted.length > 0 ? wanted : NAMES) {
    const { title, measure } = MEASUREMENTS[name]
    const { figures, tables, notes, raw } = await measure(values.only?.split(/, ?/))
    const measured: Measured = {
      title,
      figures,
      ...(tables && { tables }),
      ...(notes && { notes }),
      machine: await machine(),
      measuredOn: new Date().toISOString().slice(0, 10),
      raw,
    }
    writeFileSync(resultPath(name), `${JSON.stringify(measured, undefined, 1)}\n`)
    process.stdout.write(`\n${title}\n${toTable(figures)}\n`)
    missedCount += figures.filter(({ isMet }) => isMet === false).length
  }
  const results = readResults()
  writeFileSync(fromHere('../evidence/benchmarks.md'), toMarkdown(results))
  const readme = fromHere('../README.md')
  writeFileSync(readme, withComparison(readFileSync(readme, 'utf8'), results))
  process.stdout.write(missedCount > 0 ? `\n${missedCount} goals missed\n` : '\nEvery goal is met\n')
  return missedCount > 0 ? 1 : 0
}

/** Into a folder of its own, so that nobody who builds meanwhile takes the files away. */
function build(): boolean {
  const command = `npx tsdown --silent --log-level error --out-dir ${BUILT_FOLDER} --no-dts --no-publint --no-attw`
  return spawnSync(command, { shell: true, stdio: 'inherit', cwd: fromHere('..') }).status === 0
}

async function machine(): Promise<string> {
  const browser = await chromium.launch(chromiumLaunchOptions())
  const version = browser.version()
  await browser.close()
  return `${cpus().length} cores, ${platform()}, Node ${process.version}, Chromium ${version}`
}
