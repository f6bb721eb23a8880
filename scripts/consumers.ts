// npm run test:consumers, after npm run build: the package as npm packs it, in the apps that people have. With --record, evidence/consumers.md says what came out.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { madeNow, tableOf, writeResult } from './writtenPage.ts'
import { checkApiClients } from '../test/consumers/apiClients.ts'
import { checkReactAdmin, checkRefine } from '../test/consumers/adminKits.ts'
import { BUNDLERS, checkBundler } from '../test/consumers/bundlers.ts'
import { checkComponentKits } from '../test/consumers/componentKits.ts'
import { checkEditor, EDITOR_BUNDLERS } from '../test/consumers/editor.ts'
import { checkMigration } from '../test/consumers/migration.ts'
import { checkNext } from '../test/consumers/next.ts'
import { checkParcel } from '../test/consumers/parcel.ts'
import { checkProvider, PROVIDERS, recordWalks } from '../test/consumers/providers.ts'
import { checkReactRouter } from '../test/consumers/reactRouter.ts'
import { packSandboxes } from '../test/consumers/sandbox.ts'
import { openDesk } from '../test/consumers/signIn.ts'
import { checkTanstackStart } from '../test/consumers/tanstackStart.ts'
import { checkExamples, checkTypes } from '../test/consumers/types.ts'
import { checkVite } from '../test/consumers/vite.ts'

const PAGE = 'evidence/consumers.md'
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { record: { type: 'boolean' } },
})

const boxes = packSandboxes()
const desk = await openDesk()
/** A run's name on the command line, the name of its row, and the work, which returns the result. */
const CHECKS: readonly (readonly [words: string, name: string, work: () => string | Promise<string>])[] = [
  ['types', 'types', () => checkTypes(boxes)],
  ['types', 'examples', () => checkExamples(boxes)],
  ['migration', 'migration', () => checkMigration(boxes)],
  ['vite', 'vite', () => checkVite(boxes, desk)],
  ...PROVIDERS.map(
    (name) => [`providers ${name}`, `providers, ${name}`, () => checkProvider(boxes, name)] as const,
  ),
  ...BUNDLERS.map((name) => [name, name, () => checkBundler(boxes, name, desk)] as const),
  ['parcel', 'parcel', () => checkParcel(boxes, desk)],
  ...EDITOR_BUNDLERS.map((name) => ['editor', `editor, ${name}`, () => checkEditor(boxes, name)] as const),
  ['kits', 'component kits', () => checkComponentKits(boxes, desk)],
  ['react-admin', 'react-admin', () => checkReactAdmin(boxes, desk)],
  ['refine', 'refine', () => checkRefine(boxes, desk)],
  ['api-clients', 'API clients', () => checkApiClients(boxes, desk)],
  ['react-router', 'react-router, framework mode', () => checkReactRouter(boxes, desk)],
  ['tanstack-start', 'tanstack-start', () => checkTanstackStart(boxes, desk)],
  ['next', 'next', () => checkNext(boxes, desk)],
]

/** The previous rows, updated with those of this run. */
const rows = new Map<string, string>()
const [, table = ''] = readFileSync(PAGE, 'utf8').split('<!-- result -->')
for (const [, name = '', said = ''] of table.matchAll(/^\| (\S.*?) +\| (\S.*?) *\|$/gm))
  if (name !== 'consumer' && !name.startsWith('-')) rows.set(name, said)

let failures = 0
try {
  for (const [words, name, work] of CHECKS) {
    if (wanted.length > 0 && !words.split(' ').some((word) => wanted.includes(word))) continue
    const startedAtMs = Date.now()
    const seconds = () => `${((Date.now() - startedAtMs) / 1000).toFixed(0)} s`
    try {
      const said = await work()
      console.log(`ok   ${name}: ${said} (${seconds()})`)
      rows.set(name, said)
    } catch (error) {
      failures += 1
      console.error(`FAIL ${name} (${seconds()})\n${told(error)}`)
    }
  }
} finally {
  await desk.close()
  boxes.close()
}

if (failures > 0) process.exitCode = 1
else if (values.record) {
  writeResult(PAGE, `Written ${madeNow()}.\n\n${tableOf([['consumer', 'what came out'], ...rows])}`)
  recordWalks()
}

function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [error.message, ...(error.cause === undefined ? [] : [told(error.cause)])].join(': ')
}
