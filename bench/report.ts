// The format of the bench's results, and the pages written from them: evidence/benchmarks.md and the README's comparison.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tableOf, writePage } from '../scripts/writtenPage.ts'

/** The measurements, in the order of the page. */
export const NAMES = ['size', 'tabs', 'editor', 'peers'] as const
export type Name = (typeof NAMES)[number]

/** One row of the table: a count or a ratio, and its goal. */
export interface Figure {
  what: string
  value: string
  goal?: string
  /** Absent without a goal. */
  isMet?: boolean
}

/** A comparison: the first column names the contestant. */
export interface Table {
  title: string
  columns: string[]
  rows: string[][]
}

/** The result of a measurement: rows to read, and all raw values. */
export interface Findings {
  figures: Figure[]
  tables?: Table[]
  /** Notes that explain the rows. */
  notes?: string[]
  raw: unknown
}

export interface Measured extends Findings {
  title: string
  machine: string
  /** The day and the commit of the last whole run. */
  made: string
  /** The same for parts that were measured again later. */
  again?: Record<string, string>
}

/** A figure with a numeric goal: an upper limit. */
export function atMost(what: string, value: number, goal: number, unit = ''): Figure {
  return { what, value: `${count(value)}${unit}`, goal: `≤ ${count(goal)}${unit}`, isMet: value <= goal }
}

/** A figure without a goal. */
export const plain = (what: string, value: string): Figure => ({ what, value })

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

const count = (value: number) =>
  Math.round(value * 100) / 100 === Math.round(value) ? value.toLocaleString('en') : value.toFixed(2)

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))
export const resultPath = (name: Name): string => fromHere(`results/${name}.json`)

/** For the terminal. */
export function toLines(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ what }) => what.length))
  return figures
    .map(({ what, value, goal, isMet }) => {
      const verdict = isMet === undefined ? '' : isMet ? `  ok (${goal})` : `  MISSED (${goal})`
      return `  ${what.padEnd(width)}  ${value}${verdict}`
    })
    .join('\n')
}

/** Writes both pages; measurements that did not run now keep their last results. */
export function writePages(): void {
  const results = NAMES.map((name) => JSON.parse(readFileSync(resultPath(name), 'utf8')) as Measured)
  writePage(fromHere('../evidence/benchmarks.md'), toMarkdown(results))
  const readme = fromHere('../README.md')
  writePage(readme, withComparison(readFileSync(readme, 'utf8'), results.at(-1)!))
}

function toMarkdown(results: readonly Measured[]): string {
  const machines = [...new Set(results.map(({ machine }) => machine))]
  return `# Benchmarks

Written by \`npm run bench\` from \`bench/results/\`; change the bench, not this page. Counts and ratios are what to look at:
they are the same on every machine. Milliseconds belong to the machine they were measured on (${machines.join('; ')}),
which may have been busy.

${results.map(toSection).join('\n')}
## How it is measured

- **Size**: an app entry that uses \`createAuth\`, \`AuthProvider\`, \`useAuth\`, \`useLogin\` and \`useLogout\`, bundled and minified from
  the built package, dependencies included, React, TanStack Query and PubNub left out. The files of the first load are compressed together.
- **Many tabs** and **side by side**: each library as a small page in the set-up that its own documentation recommends, built for
  production, in Chromium, against one oidc-provider that rotates refresh tokens, revokes the grant when one is used twice, and signs in
  whoever comes. Requests are counted at the server. The button is pressed as soon as it is there.
- **Round trips**: the server answers every request 0, 50 and 400 ms later; how much the time to being signed in grows with that is how
  many requests have to wait for each other. Whatever a page loads is delayed, except for the app's own files that it names, which every
  app has; one column counts those too, each at its first load. Vite builds each page and names the files that its first one imports;
  esbuild, with splitting, names the first one alone. Where those files take three latencies, as on a slow line or a slow machine, they
  take them at every load: a sign-in loads the page twice.
- **Expired tokens**: the clocks of pages and server jump together, as after a sleep, and then all tabs ask at once. A session is lost
  when its tab gets no token any more after another jump. Duplicated tabs are opened by the first one, with a copy of its session
  storage. Some servers bear with a used refresh token for some seconds, and fewer sessions are lost there; this one does not.
- **The main thread** is measured in its own time, which stands still while the processor does something else. The heap is compared
  after 1,000 and after 1,500 renewals, when compiled code and the browser's own record of requests have stopped growing.

\`npm run bench -- tabs\` runs a single measurement, \`--skip-build\` measures what the last run has built.
`
}

function toSection({ title, figures, tables = [], notes = [], made, again = {} }: Measured): string {
  const rows = figures.map(({ what, value, goal, isMet }) => {
    const verdict = isMet === undefined ? '' : isMet ? goal : `**missed**: ${goal}`
    return [what, value, verdict ?? '']
  })
  const parts = [
    `## ${title}`,
    `Measured ${made}.${Object.entries(again)
      .map(([part, later]) => ` \`${part}\` again ${later}.`)
      .join('')}`,
    tableOf([['Figure', 'Found', 'Goal'], ...rows]),
    ...tables.map((table) => `### ${table.title}\n\n${tableOf([table.columns, ...table.rows])}`),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

const LIBRARIES = [
  'latchkey (openIdConnect)',
  'latchkey (authHost)',
  'auth0-react',
  'react-oidc-context',
  'oidc-spa',
  'msal-react',
  'keycloak-js',
]
/** The README's name of a figure and its source, including rows in which others are better. */
const ROWS: readonly (readonly [what: string, table: string, column: string])[] = [
  ['Bundle with what loads later, kB gzip', 'Getting in', 'With what loads later'],
  [
    'JavaScript until signed in, kB gzip, with React',
    'Getting in',
    'JavaScript until signed in, kB gzip, React included',
  ],
  [
    'Script of a reload, times React alone',
    'Getting in',
    'Script on the main thread at a reload, times React alone',
  ],
  ['Cold sign-in, round trips', 'Getting in', 'The same, the app’s own files counted'],
  ['Reload, round trips (others near 1: tokens readable in storage)', 'Getting in', 'Reload, round trips'],
  [
    'Reload, frame cookies blocked: round trips',
    'Getting in',
    'Reload with frame cookies blocked, round trips',
  ],
  [
    'New visit, no tab open: round trips',
    'Getting in',
    'New visit of a known browser, no tab open: round trips',
  ],
  ['New tab, requests to the server', 'Getting in', 'New tab, requests to the server'],
  ['8 tabs, expired token: token requests', 'Tokens', '8 tabs, opened one by one: token requests'],
  ['Renders: cold / reload / renewal', 'Lasting', 'Renders: cold / reload / renewal'],
]
const [START, END] = ['<!-- compared -->', '<!-- end of compared -->']

/** A page with the comparison table replaced, the best of each row in bold. */
function withComparison(page: string, { tables = [] }: Measured): string {
  const figureOf = (library: string, of: string, column: string): string => {
    const table = tables.find(({ title }) => title === of)
    const row = table?.rows.find(([name]) => name === library)
    const figure = row?.[table?.columns.indexOf(column) ?? -1]
    if (figure === undefined) throw new Error(`The side by side has no "${column}" of ${library}`)
    return figure
  }
  const rows = ROWS.map(([what, of, column]) => {
    const figures = LIBRARIES.map((library) => figureOf(library, of, column))
    const numbers = figures.map(Number)
    const best = Math.min(...numbers.filter(Number.isFinite))
    return [what, ...figures.map((figure, at) => (numbers[at] === best ? `**${figure}**` : figure))]
  })
  const [front = '', rest = ''] = page.split(START)
  return `${front}${START}\n\n${tableOf([['', ...LIBRARIES], ...rows])}\n\n${END}${rest.split(END)[1] ?? ''}`
}
