// node scripts/newcomer.ts: counts the lines of the newcomer's app that the documentation asks for, before and now, into evidence/newcomer.md.
import { codeIn, filesOf, readDocsPage, sectionOf } from './docsParts.ts'
import { tableOf, writeResult } from './writtenPage.ts'

export const NEWCOMER_PAGE = 'evidence/newcomer.md'
/** The day before the Vite plugin, `useAuthed`, `signInAs` and `npx latchkey`; the lines of then were counted in commit b832c78. */
const BEFORE = '2026-11-24'

interface Piece {
  readonly name: string
  /** Whether `npx latchkey init` writes it. */
  readonly isWritten?: boolean
  readonly linesBefore: number
  /** Its lines in the documentation as it is. */
  code(): string
}

const firstBlock = (page: string, heading?: string): string => {
  const text = readDocsPage(page)
  return codeIn(heading === undefined ? text : sectionOf(text, heading), 'tsx?')[0] ?? ''
}
/** A file up to the end of its first test. */
const firstTest = (text: string) => /^[\s\S]*?^(?:it|test)\([\s\S]*?^\}\)/m.exec(text)?.[0] ?? ''
const joined = (files: Record<string, string>) => Object.values(files).join('\n')

const PIECES: readonly Piece[] = [
  {
    name: 'the app, without what is below',
    isWritten: true,
    linesBefore: 61,
    code() {
      // The early script has two of its files in another form.
      const files = filesOf(sectionOf(readDocsPage('quickStart.md'), '## 3. Six files'))
      const { 'vite.config.js': _config, 'src/auth.ts': _auth, ...others } = files
      return joined(others)
    },
  },
  {
    name: 'the early script',
    linesBefore: 19,
    code: () => joined(filesOf(sectionOf(readDocsPage('early.md'), ''))),
  },
  {
    name: 'a typed user',
    linesBefore: 17,
    // Without the screen that the page shows beside it.
    code: () => firstBlock('claims.md').split('export const Admin')[0] ?? '',
  },
  { name: 'one query of your own API', linesBefore: 11, code: () => firstBlock('hooks/useAuthed.md') },
  { name: 'one test of a screen', linesBefore: 20, code: () => firstTest(firstBlock('testing.md')) },
  {
    name: 'one test in a real browser, with Playwright',
    linesBefore: 64,
    code: () => firstTest(firstBlock('testing.md', '## In a real browser, with Playwright')),
  },
]

/** Lines with something in them, comments aside. */
const countLines = (text: string): number =>
  text.split('\n').filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line)).length

export function newcomerTable(): string {
  const rows = PIECES.map(({ name, isWritten = false, linesBefore, code }) => {
    const now = countLines(code())
    if (now < 3) throw new Error(`${name}: the documentation has no such code any more`)
    return { name, isWritten, before: linesBefore, now }
  })
  const sum = (member: 'before' | 'now', of = rows) => of.reduce((total, row) => total + row[member], 0)
  const byHand = rows.filter(({ isWritten }) => !isWritten)
  return tableOf([
    ['piece', `lines, ${BEFORE}`, 'lines now'],
    ...rows.map((row) => [row.name, String(row.before), String(row.now)]),
    ['all of it', String(sum('before')), String(sum('now'))],
    ['of these typed or pasted', String(sum('before')), String(sum('now', byHand))],
  ])
}

if (import.meta.main) writeResult(NEWCOMER_PAGE, newcomerTable())
