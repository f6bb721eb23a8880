// node scripts/newcomer.ts: counts the lines of the newcomer's app that the documentation asks for, before and now, into evidence/newcomer.md. With --before it counts the former ones anew, from the history.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tableOf, writeResult } from './writtenPage.ts'

export const NEWCOMER_PAGE = 'evidence/newcomer.md'
/** Before the Vite plugin, `useAuthed`, `signInAs` and `npx latchkey`. */
const BEFORE = { commit: 'b832c78', date: '2026-11-24' }

interface Piece {
  readonly name: string
  /** Whether `npx latchkey init` writes it. */
  readonly isWritten?: boolean
  /** Its lines in the documentation as it is. */
  now(read: Read): string
  /** Its lines then, and how many they were. */
  before(read: Read): string
  readonly linesBefore: number
}
type Read = (path: string) => string

/** Files of the quick start that stay as they are when the early script comes in. */
const keptFiles = (read: Read, without: readonly string[]) =>
  [...sectionOf(read('docs/quickStart.md'), '3. Six files').matchAll(FILE)]
    .filter(([, path = '']) => !without.includes(path))
    .map(([, , text = '']) => text)
    .join('\n')
const FILE = /^`([\w./]+)`.*\n\n```\w+\n([\s\S]*?)```/gm
const sectionOf = (page: string, heading: string) =>
  page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
const blocksOf = (text: string) =>
  [...text.matchAll(/^```tsx?\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
const filesOf = (text: string) => [...text.matchAll(FILE)].map(([, , code = '']) => code).join('\n')
const upTo = (text: string, end: string) => text.slice(0, text.indexOf(end))
/** A file up to the end of its first test. */
const firstTest = (text: string) => /^[\s\S]*?^(?:it|test)\([\s\S]*?^\}\)/m.exec(text)?.[0] ?? ''
/** Without the screen that the page shows beside it. */
const typedUser = (read: Read) => upTo(blocksOf(read('docs/claims.md'))[0] ?? '', 'export const Admin')

const PIECES: readonly Piece[] = [
  {
    name: 'the app, without what is below',
    isWritten: true,
    now: (read) => keptFiles(read, ['vite.config.js', 'src/auth.ts']),
    before: (read) => keptFiles(read, ['vite.config.js']),
    linesBefore: 61,
  },
  {
    name: 'the early script',
    now: (read) => filesOf(upTo(read('docs/early.md'), '\n## ')),
    before: (read) =>
      blocksOf(read('docs/early.md')).find((code) => code.startsWith('// vite.config.ts')) ?? '',
    linesBefore: 19,
  },
  { name: 'a typed user', now: typedUser, before: typedUser, linesBefore: 17 },
  {
    name: 'one query of your own API',
    now: (read) => blocksOf(read('docs/hooks/useAuthed.md'))[0] ?? '',
    before: (read) => blocksOf(read('docs/queries.md'))[0] ?? '',
    linesBefore: 11,
  },
  {
    name: 'one test of a screen',
    now: (read) => firstTest(blocksOf(read('docs/testing.md'))[0] ?? ''),
    before: (read) => firstTest(blocksOf(read('docs/testing.md'))[0] ?? ''),
    linesBefore: 20,
  },
  {
    name: 'one test in a real browser, with Playwright',
    now: (read) =>
      firstTest(blocksOf(sectionOf(read('docs/testing.md'), 'In a real browser, with Playwright'))[0] ?? ''),
    before: (read) => firstTest(read('examples/admin/test/signIn.e2e.ts')),
    linesBefore: 64,
  },
]

/** Lines with something in them, comments aside. */
const countLines = (text: string): number =>
  text.split('\n').filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length

const readNow: Read = (path) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
const readThen: Read = (path) =>
  execFileSync('git', ['show', `${BEFORE.commit}:${path}`], { encoding: 'utf8' })

export function newcomerTable(): string {
  const rows = PIECES.map(({ name, isWritten = false, now, linesBefore }) => {
    const lines = countLines(now(readNow))
    if (lines < 3) throw new Error(`${name}: the documentation has no such code any more`)
    return { name, isWritten, before: linesBefore, now: lines }
  })
  const sum = (member: 'before' | 'now', of = rows) => of.reduce((total, row) => total + row[member], 0)
  const byHand = rows.filter(({ isWritten }) => !isWritten)
  return tableOf([
    ['piece', `lines, ${BEFORE.date}`, 'lines now'],
    ...rows.map((row) => [row.name, String(row.before), String(row.now)]),
    ['all of it', String(sum('before')), String(sum('now'))],
    ['of these typed or pasted', String(sum('before')), String(sum('now', byHand))],
  ])
}

if (import.meta.main) {
  if (process.argv.includes('--before'))
    for (const { name, before, linesBefore } of PIECES)
      console.log(`${name}: ${countLines(before(readThen))}, written down: ${linesBefore}`)
  else writeResult(NEWCOMER_PAGE, newcomerTable())
}
