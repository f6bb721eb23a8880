// The program behind `npx latchkey`.
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../setup/packages.ts'
import type { QuickStart } from './init.ts'
import { run } from './run.ts'

/** Inserted by the build. */
declare const QUICK_START: QuickStart
declare const EARLY_TEXTS: Readonly<Record<'inline' | 'oidc', string>>

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    // Ctrl-D ends the input without an answer: it counts as no.
    const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
    const answer = await Promise.race([lines.question(`${question} [y/N] `), ended])
    if (answer === undefined) process.stdout.write('\n')
    return /^y(?:es)?$/i.test(answer?.trim() ?? '')
  } finally {
    lines.close()
  }
}

// The reader of a pipe may stop early, as `head` does.
process.stdout.on('error', () => undefined)
process.exitCode = await run(
  process.argv.slice(2),
  {
    folder: process.cwd(),
    tell: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
    ask: process.stdin.isTTY ? ask : undefined,
  },
  {
    quickStart: QUICK_START,
    texts: EARLY_TEXTS,
    ownFolder: packageFolder(fileURLToPath(import.meta.url)),
  },
)
