// The comparison of the README: eight rows of the side by side, the ones where others are better included.
import type { Measured } from './report.ts'

type Results = readonly Pick<Measured, 'title' | 'tables'>[]

const LIBRARIES = [
  'latchkey (openIdConnect)',
  'latchkey (authHost)',
  'auth0-react',
  'react-oidc-context',
  'oidc-spa',
  'msal-react',
  'keycloak-js',
]

/** What the README calls a figure, and where it stands. */
const ROWS: readonly (readonly [what: string, table: string, column: string])[] = [
  ['Bundle with what loads later, kB gzip', 'Getting in', 'With what loads later'],
  [
    'JavaScript until signed in, kB gzip, with React',
    'Getting in',
    'JavaScript until signed in, kB gzip, React included',
  ],
  ['Cold sign-in, round trips', 'Getting in', 'Cold sign-in, round trips'],
  ['Reload, round trips (near 1: tokens kept in storage)', 'Getting in', 'Reload, round trips'],
  [
    'Reload, frame cookies blocked: round trips',
    'Getting in',
    'Reload with frame cookies blocked, round trips',
  ],
  ['New tab, requests to the server', 'Getting in', 'New tab, requests to the server'],
  ['8 tabs, expired token: token requests', 'Tokens', '8 tabs, opened one by one: token requests'],
  ['Renders: cold / reload / renewal', 'Lasting', 'Renders: cold / reload / renewal'],
]

const MARKS = ['<!-- compared -->', '<!-- end of compared -->'] as const

/** The table, the best of each row in bold. */
function toComparison(results: Results): string {
  const { tables = [] } = results.find(({ title }) => title === 'Side by side') ?? {}
  const figureOf = (library: string, of: string, column: string): string => {
    const table = tables.find(({ title }) => title === of)
    const row = table?.rows.find(([name]) => name === library)
    const figure = row?.[table?.columns.indexOf(column) ?? -1]
    if (figure === undefined) throw new Error(`The side by side has no "${column}" of ${library}`)
    return figure.replace('asks ', '')
  }
  const rows = ROWS.map(([what, of, column]) => {
    const figures = LIBRARIES.map((library) => figureOf(library, of, column))
    const numbers = figures.map(Number)
    const best = Math.min(...numbers.filter(Number.isFinite))
    return [what, ...figures.map((figure, at) => (numbers[at] === best ? `**${figure}**` : figure))]
  })
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [['', ...LIBRARIES], ['---', ...LIBRARIES.map(() => '---')], ...rows].map(line).join('\n')
}

/** A page with the table of these results in place of the one before. */
export function withComparison(page: string, results: Results): string {
  const [start, end] = MARKS
  const [front = '', rest = ''] = page.split(start)
  return `${front}${start}\n\n${toComparison(results)}\n\n${end}${rest.split(end)[1] ?? ''}`
}
