// npm run test:consumers, after npm run build: the package as npm packs it, in the apps that people have. With --record, evidence/consumers.md says what came out.
import { readFileSync } from 'node:fs'
import { BUNDLERS, checkBundler, openBundlers } from './bundlers.ts'
import { checkEditor, EDITOR_BUNDLERS, openEditors } from './editor.ts'
import { checkMigration } from './migration.ts'
import { checkNext } from './next.ts'
import { checkTanstackStart } from './tanstackStart.ts'
import { checkVite } from './vite.ts'
import { checkProvider, PROVIDERS, recordWalks } from './providers.ts'
import { packSandboxes } from './sandbox.ts'
import { openDesk } from './signIn.ts'
import { tableOf, writeResult } from '../writtenPage.ts'
import { checkExamples, checkTypes, openTypes } from './types.ts'

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)
const PAGE = 'evidence/consumers.md'
const rows: string[][] = []
let failures = 0

async function check(name: string, work: () => string | Promise<string>): Promise<void> {
  const startedAtMs = Date.now()
  const seconds = () => `${((Date.now() - startedAtMs) / 1000).toFixed(0)} s`
  try {
    const said = await work()
    console.log(`ok   ${name}: ${said} (${seconds()})`)
    rows.push([name, said])
  } catch (error) {
    failures += 1
    console.error(`FAIL ${name} (${seconds()})\n${told(error)}`)
  }
}

const told = (error: unknown): string =>
  error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : [told(error.cause)])].join(': ')
    : String(error)

const sandboxes = packSandboxes()
const desk = await openDesk()
try {
  if (isWanted('types')) {
    const types = openTypes(sandboxes)
    await check('types', () => checkTypes(types))
    await check('examples', () => checkExamples(types))
  }
  if (isWanted('migration')) await check('migration', () => checkMigration(sandboxes))
  if (isWanted('vite')) await check('vite', () => checkVite(sandboxes, desk))
  for (const provider of PROVIDERS)
    if (isWanted('providers') || wanted.includes(provider))
      await check(`providers, ${provider}`, () => checkProvider(sandboxes, provider))
  if (BUNDLERS.some(isWanted)) {
    const bundlers = openBundlers(sandboxes)
    for (const bundler of BUNDLERS.filter(isWanted))
      await check(bundler, () => checkBundler(bundlers, bundler, desk))
  }
  if (isWanted('editor')) {
    const editors = openEditors(sandboxes)
    for (const bundler of EDITOR_BUNDLERS)
      await check(`editor, ${bundler}`, () => checkEditor(editors, bundler))
  }
  if (isWanted('tanstack-start')) await check('tanstack-start', () => checkTanstackStart(sandboxes, desk))
  if (isWanted('next')) await check('next', () => checkNext(sandboxes, desk))
} finally {
  await desk.close()
  sandboxes.close()
}

if (failures > 0) process.exitCode = 1
else if (process.argv.includes('--record')) {
  writeResult(PAGE, tableOf([['consumer', 'what came out'], ...recorded()]))
  recordWalks()
}

/** The rows of before, with those of this run in their place. */
function recorded(): string[][] {
  const all = new Map<string, string>()
  const [, table = ''] = readFileSync(PAGE, 'utf8').split('<!-- result -->')
  for (const [, name = '', said = ''] of table.matchAll(/^\| (\S.*?) +\| (\S.*?) *\|$/gm))
    if (name !== 'consumer' && !name.startsWith('-')) all.set(name, said)
  for (const [name = '', said = ''] of rows) all.set(name, said)
  return [...all]
}
