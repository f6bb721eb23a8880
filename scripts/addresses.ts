// npm run test:addresses: a million generated addresses through the whole start-up, in slices; test/results/addresses.json says how far it got.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { GENERATED } from '../test/generated.ts'

const RESULTS = 'test/results/addresses.json'
const KIND = 'addresses that a page is opened with'
/** Addresses of one run of the test, so that none takes longer than a few minutes. */
const SLICE = 100_500

interface Result {
  /** Addresses since the result was begun anew. */
  count: number
  failures: number
  seconds: number
  date: string
}

const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000000' }, 'go-on': { type: 'boolean' } },
})
const wanted = Number(values.count)
const before =
  values['go-on'] && existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Result) : undefined
const result: Result = before ?? { count: 0, failures: 0, seconds: 0, date: '' }

while (result.count < wanted && result.failures === 0) {
  const count = Math.min(SLICE, wanted - result.count)
  const startedAtMs = Date.now()
  const { status } = spawnSync(
    'vitest run --project node test/node/startUp/address.test.ts -t "whatever address"',
    {
      shell: true,
      stdio: 'inherit',
      env: {
        ...process.env,
        LATCHKEY_GENERATED: String(count / GENERATED[KIND].count),
        // Otherwise half of every slice would be the same addresses.
        LATCHKEY_SLICE: String(result.count),
      },
    },
  )
  result.count += count
  result.failures += status === 0 ? 0 : 1
  result.seconds += Math.round((Date.now() - startedAtMs) / 1000)
  result.date = new Date().toISOString().slice(0, 10)
  mkdirSync('test/results', { recursive: true })
  writeFileSync(RESULTS, `${JSON.stringify(result, undefined, 2)}\n`)
}
console.log(`${result.count.toLocaleString('en')} addresses, ${result.failures} failed, ${result.seconds} s`)
process.exitCode = result.failures > 0 ? 1 : 0
